-- What rest/v1 may see. A visitor sees the lists; experiments only who is signed in.
create or replace view publicado.experimentos as
select
  e.id,
  c.nome_cultura || ' - ' || k.nome || ' - ' || e.ano as nome,
  null::text as descricao,
  null::date as data_inicio,
  null::date as data_fim,
  'ativo'::text as status,
  e.cultura_id,
  e.cidade_id as localizacao_id,
  null::integer as solo_id,
  e.created_by as pesquisador_id,
  e.created_at,
  e.updated_at
from public.experimentos e
join public.culturas c on c.id = e.cultura_id
join public.consultorias k on k.id = e.consultoria_id
where e.deleted_at is null and current_setting('ensaio.papel', true) = 'authenticated';

create or replace view publicado.protocolos_experimentos as
select
  t.experimento_id,
  t.ordem,
  r.nome as regional,
  'BU' || e.bu as bu,
  f.nome as marca,
  e.roi,
  e.custo_protocolo,
  t.nome as tratamento_nome
from public.tratamentos t
join public.experimentos e on e.id = t.experimento_id
join public.regioes r on r.id = e.regiao_id
join public.fabricantes f on f.id = e.fabricante_id
where e.deleted_at is null and current_setting('ensaio.papel', true) = 'authenticated';

-- A role that can read these views and nothing else. On a database where we may not make roles, the views
-- and the read-only transaction have to do.
do $$
begin
  if not exists (select from pg_roles where rolname = 'ensaio_rest') then
    create role ensaio_rest nologin;
  end if;
  grant usage on schema publicado to ensaio_rest;
  grant select on all tables in schema publicado to ensaio_rest;
  execute format('grant ensaio_rest to %I', current_user);
exception when insufficient_privilege or duplicate_object or unique_violation then
  raise notice 'rest/v1 goes without a role of its own';
end $$;
