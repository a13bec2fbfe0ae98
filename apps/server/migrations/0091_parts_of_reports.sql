-- Which parts a person leaves out of reports, in each organisation: of one trial, and of many.
alter table preferencias
  add column relatorio_sem text[] not null default '{}',
  add column consolidado_sem text[] not null default '{}';

-- Trials that shares accepted since then opened to the acting organisation, whether or not it still sees them: of each
-- share, and in all, the newest ones, so many at most. A share of everything may be of a million.
drop function recebidos_desde(timestamptz);
create function recebidos_desde(desde timestamptz, maximo integer) returns setof uuid language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select o.id from (
      select e.id, e.created_at from public.compartilhamentos s
      join public.experimentos e on e.id = s.experimento_id
      where s.destino_id = public.organizacao_atual() and s.estado = 'aceito' and s.aceito_em >= desde
        and s.alvo = 'experimento' and e.deleted_at is null
      union
      select n.id, n.created_at from public.compartilhamentos s
      join public.acervos a on a.organizacao_id = s.organizacao_id
        and (s.alvo = 'tudo' or s.alvo = 'colecao' and s.colecao_id = any (a.colecoes))
      cross join lateral (
        select e.id, e.created_at from public.experimentos e where e.acervo_id = a.id and e.deleted_at is null
        order by e.created_at desc, e.id desc limit maximo
      ) n
      where s.destino_id = public.organizacao_atual() and s.estado = 'aceito' and s.aceito_em >= desde
    ) o
    order by o.created_at desc, o.id desc limit maximo
  $$;
