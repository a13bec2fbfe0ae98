-- Besides the sums over all that an organisation sees (part 0), sums over parts of it. When a share ends, those over
-- all hold too much and are hidden; the parts that it does not concern go on being right, and the narrow rows of what
-- is in none of them are added. Parts hold what is asked of under one filter at most, without product sets.
alter table visoes add column parte smallint not null default 0 check (parte >= 0),
  drop constraint visoes_organizacao_id_key, add unique (organizacao_id, parte);

-- Compared with what is kept, by one statement: it is asked in each statement over sums. What is past its day is not.
create or replace function visao_atual() returns integer language sql stable parallel restricted security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select v.id from public.visoes v join public.visibilidade b using (organizacao_id)
    where organizacao_id = public.organizacao_atual() and v.parte = 0
      and v.acervos = b.acervos and v.com_custos = b.com_custos and (b.valida_ate is null or b.valida_ate > now())
  $$;

-- The sums that the acting organisation may be answered from, no set in two of them: those over all that it sees, if
-- they are right; else each over sets that are all visible, with exactly those costs that it sees.
create function visoes_atuais() returns integer[] language plpgsql stable parallel restricted security definer
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
      select case when bool_or(v.parte = 0) then array_agg(v.id) filter (where v.parte = 0) else array_agg(v.id) end
      from public.visoes v
      where v.organizacao_id = eu and v.acervos <> '{}' and v.acervos <@ vistos and v.com_custos <@ custos
        and not exists (select from unnest(v.acervos) a (id) where a.id = any (custos) and a.id <> all (v.com_custos))
    ), '{}');
  end $$;

-- The visible sets that none of these sums holds.
create function acervos_avulsos() returns integer[] language plpgsql stable parallel restricted security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare usadas constant integer[] := public.visoes_atuais();
  begin
    return array(
      select unnest(public.visiveis())
      except select unnest(v.acervos) from public.visoes v where v.id = any (usadas)
    );
  end $$;

do $$
declare tabela text;
begin
  foreach tabela in array array['celulas', 'celulas_modalidade', 'celulas_produto', 'celulas_consultoria', 'margens',
    'margens_produto', 'margens_lugar'] loop
    execute format('drop policy ver on %I', tabela);
    execute format(
      'create policy ver on %I for select using (visao_id = any ((select visoes_atuais())::integer[]))', tabela);
  end loop;
end $$;

-- How many trials show their costs is kept too (12). Where not all do, the sums are made anew within a minute.
do $$
declare
  algumas constant integer[] := array(select id from visoes where acervos <> com_custos);
  tabela text;
begin
  foreach tabela in array array['celulas', 'celulas_modalidade', 'celulas_produto', 'celulas_consultoria', 'margens',
    'margens_produto', 'margens_lugar'] loop
    execute format('delete from %I where visao_id = any ($1)', tabela) using algumas;
  end loop;
  update visoes set acervos = '{}', com_custos = '{}' where id = any (algumas);
end $$;
insert into margens (visao_id, filtro, chave, por, valor, n, soma, soma2, n_roi, soma_roi, n_argila, n_ganho,
  soma_ganho, soma2_ganho, n_razao, soma_razao, soma2_razao, vitorias, empates)
select visao_id, filtro, chave, 12, 1, sum(n), sum(soma), sum(soma2), sum(n_roi), sum(soma_roi), sum(n_argila),
  sum(n_ganho), sum(soma_ganho), sum(soma2_ganho), sum(n_razao), sum(soma_razao), sum(soma2_razao), sum(vitorias),
  sum(empates)
from margens where por = 5 group by visao_id, filtro, chave having sum(n) <> 0;
