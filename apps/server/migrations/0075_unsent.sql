-- What phones that took a trial along have said is waiting there, of this trial or another, to who sees the trial as its
-- owner. A phone that also serves another organisation tells neither of the other's; one that may send nothing more is
-- waited for by nobody.
create function registros_por_enviar(ensaio uuid) returns integer
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select coalesce(sum(a.pendentes), 0)::integer
    from public.pacotes_campo p
    join public.aparelhos a on a.pessoa_id = p.pessoa_id and a.id = p.aparelho
    join public.experimentos e on e.id = p.experimento_id
    where p.experimento_id = ensaio and e.organizacao_id = public.organizacao_atual() and a.revogado_em is null
      and not exists (
        select from public.pacotes_campo q join public.experimentos f on f.id = q.experimento_id
        where q.pessoa_id = p.pessoa_id and q.aparelho = p.aparelho and f.organizacao_id <> e.organizacao_id)
      and not exists (
        select from public.convites_campo c
        where c.aparelho = a.id and (c.revogado_em is not null or c.ate <= now()))
  $$;
