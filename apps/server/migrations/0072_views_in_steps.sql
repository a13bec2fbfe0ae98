-- The sums over all that an organisation sees are made some sets at a time. Meanwhile they are over less than is seen,
-- and its parts may be over more: whichever is over more sets answers.
create or replace function visoes_atuais() returns integer[] language plpgsql stable parallel restricted security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    vistos integer[];
    custos integer[];
    eu constant uuid := public.organizacao_atual();
    certa constant integer := (
      select v.id from public.visoes v join public.visibilidade b using (organizacao_id)
      where organizacao_id = eu and v.parte = 0
        and v.acervos = b.acervos and v.com_custos = b.com_custos and (b.valida_ate is null or b.valida_ate > now()));
  begin
    if certa is not null then return array[certa]; end if;
    vistos := public.visiveis();
    custos := public.com_custos();
    return coalesce((
      select array_agg(v.id) from public.visoes v
      where v.organizacao_id = eu and v.acervos <> '{}' and v.acervos <@ vistos and v.com_custos <@ custos
        and not exists (select from unnest(v.acervos) a (id) where a.id = any (custos) and a.id <> all (v.com_custos))
      group by v.parte = 0 order by sum(cardinality(v.acervos)) desc, v.parte = 0 desc limit 1
    ), '{}');
  end $$;
