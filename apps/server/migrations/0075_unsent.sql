-- What phones that took a trial along have said is waiting there, to who sees the trial as its owner.
create function registros_por_enviar(ensaio uuid) returns integer
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select coalesce(sum(a.pendentes), 0)::integer
    from public.pacotes_campo p
    join public.aparelhos a on a.pessoa_id = p.pessoa_id and a.id = p.aparelho
    join public.experimentos e on e.id = p.experimento_id
    where p.experimento_id = ensaio and e.organizacao_id = public.organizacao_atual()
  $$;
