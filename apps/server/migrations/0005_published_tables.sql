-- The tables as rest/v1 publishes them, apart from how they are stored.
create schema publicado;

create view publicado.experimentos as
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
where e.deleted_at is null;

create view publicado.culturas as
select id, nome_cultura from public.culturas where ativo;

create view publicado.fabricantes as
select id, nome, ativo from public.fabricantes;

create view publicado.regioes as
select id, nome, sigla from public.regioes where ativo;

create view publicado.estados as
select sigla::text as sigla, nome from public.estados;

create view publicado.protocolos_experimentos as
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
where e.deleted_at is null;
