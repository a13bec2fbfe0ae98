-- Gain over the control, kept with the figures: one number a trial, and one for each modality and product of it. kg/ha
-- to a millionth and the logarithm of the ratio to a billionth, so that sums of them are exact.

-- The control's place among the treatments: the first, unless the sheet of plots tells another or none.
create function ordem_da_testemunha(id uuid, ficha_versao integer) returns integer language sql stable parallel safe
  as $$ select case when $2 is null then 1 else (
    select (f.corpo ->> 'testemunha')::integer from public.fichas f where f.experimento_id = $1) end $$;
create function ganho(media numeric, testemunha numeric) returns float8 language sql immutable parallel safe
  as $$ select case when testemunha > 0 then round(media - testemunha, 6)::float8 end $$;
create function razao(media numeric, testemunha numeric) returns float8 language sql immutable parallel safe
  as $$ select case when testemunha > 0 and media > 0
    then round(ln((media / testemunha)::float8)::numeric, 9)::float8 end $$;

alter table contados add column ganho float8, add column razao float8;
alter table contados_modalidades add column ganho float8, add column razao float8;
alter table contados_produtos add column ganho float8, add column razao float8;

create temporary table testemunhas on commit drop as
select e.id, t.ordem, t.produtividade::numeric as produtividade
from experimentos e
join tratamentos t on t.experimento_id = e.id and t.ordem = ordem_da_testemunha(e.id, e.ficha_versao);
create unique index on testemunhas (id);
analyze testemunhas;

update contados k set ganho = ganho(g.media, g.testemunha), razao = razao(g.media, g.testemunha)
from (
  select c.id, c.produtividade as testemunha, avg(t.produtividade::numeric) as media
  from testemunhas c join tratamentos t on t.experimento_id = c.id and t.ordem <> c.ordem group by c.id, c.produtividade
) g where g.id = k.id;
update contados_modalidades k set ganho = ganho(g.media, g.testemunha), razao = razao(g.media, g.testemunha)
from (
  select c.id, t.modalidade_id, c.produtividade as testemunha, avg(t.produtividade::numeric) as media
  from testemunhas c join tratamentos t on t.experimento_id = c.id and t.ordem <> c.ordem and t.ordem > 1
  group by c.id, t.modalidade_id, c.produtividade
) g where g.id = k.experimento_id and g.modalidade_id = k.modalidade_id;
update contados_produtos k set ganho = ganho(g.media, g.testemunha), razao = razao(g.media, g.testemunha)
from (
  select c.id, a.produto_id, c.produtividade as testemunha, avg(t.produtividade::numeric) as media
  from testemunhas c
  join (select distinct experimento_id, tratamento, produto_id from produtos_aplicados) a
    on a.experimento_id = c.id and a.tratamento <> c.ordem and not exists (
      -- What the control got, too, is not compared with it.
      select from produtos_aplicados u
      where u.experimento_id = c.id and u.tratamento = c.ordem and u.produto_id = a.produto_id)
  join tratamentos t on t.experimento_id = c.id and t.ordem = a.tratamento
  group by c.id, a.produto_id, c.produtividade
) g where g.id = k.experimento_id and g.produto_id = k.produto_id;

do $$
declare tabela text;
begin
  foreach tabela in array array['celulas', 'celulas_modalidade', 'celulas_produto', 'margens', 'margens_produto'] loop
    execute format('alter table %I
      add column n_ganho integer not null default 0, add column soma_ganho numeric not null default 0,
      add column soma2_ganho numeric not null default 0, add column n_razao integer not null default 0,
      add column soma_razao numeric not null default 0, add column soma2_razao numeric not null default 0,
      add column vitorias integer not null default 0, add column empates integer not null default 0', tabela);
  end loop;
end $$;
-- Of a place only what its colour is made of.
alter table margens_lugar add column n_razao integer not null default 0,
  add column soma_razao numeric not null default 0;

-- Each table's own rows, grouped by its key.
do $$
declare
  somas constant text := 'count(x.ganho) as n_ganho, coalesce(sum(x.ganho::numeric), 0) as soma_ganho,
    coalesce(sum(x.ganho::numeric * x.ganho::numeric), 0) as soma2_ganho, count(x.razao) as n_razao,
    coalesce(sum(x.razao::numeric), 0) as soma_razao,
    coalesce(sum(x.razao::numeric * x.razao::numeric), 0) as soma2_razao,
    count(*) filter (where x.ganho > 0) as vitorias, count(*) filter (where x.ganho = 0) as empates';
  de_lugar constant text := 'n_razao = s.n_razao, soma_razao = s.soma_razao';
  postas constant text := 'n_ganho = s.n_ganho, soma_ganho = s.soma_ganho, soma2_ganho = s.soma2_ganho,
    n_razao = s.n_razao, soma_razao = s.soma_razao, soma2_razao = s.soma2_razao, vitorias = s.vitorias,
    empates = s.empates';
  celula constant text := 'visao_id, cultura_id, ano, regiao_id, fabricante_id, bu';
  filtros constant text := '(values (0, 0), (1, m.cultura_id), (2, m.ano), (3, m.regiao_id), (4, m.fabricante_id),
    (5, m.bu), (6, m.consultoria_id), (7, m.conjunto_id), (11, m.conjunto_id * 65536::bigint + m.cultura_id)
    ) f (filtro, chave)';
  partes constant text := '(values (1, m.cultura_id), (2, m.ano), (3, m.regiao_id), (4, m.fabricante_id), (5, m.bu),
    (6, m.consultoria_id), (9, m.cidade_id), (10, m.com_documento::integer)) d (por, valor)';
  lugar constant text := '(floor((coalesce(m.latitude, -14.235) + 90) / (112.5 / 256)::float8)::integer * 4096
    + floor((coalesce(m.longitude, -51.9253) + 180) / (112.5 / 256)::float8)::integer)';
  passo record;
begin
  create temporary table vistos on commit drop as
    select v.id as visao_id, k.* from contados k join visoes v on k.acervo_id = any(v.acervos) where k.ganho is not null;
  create temporary table vistas_modalidades on commit drop as
    select m.visao_id, m.id, m.cultura_id, m.ano, m.regiao_id, m.fabricante_id, m.bu, m.consultoria_id, m.conjunto_id,
      t.modalidade_id, t.ganho, t.razao
    from vistos m join contados_modalidades t on t.experimento_id = m.id;
  create temporary table vistos_produtos on commit drop as
    select m.visao_id, m.id, m.cultura_id, m.ano, m.regiao_id, m.fabricante_id, m.bu, m.consultoria_id, m.conjunto_id,
      p.produto_id, p.ganho, p.razao
    from vistos m join contados_produtos p on p.experimento_id = m.id;
  for passo in select * from (values
    ('celulas', celula, format('select %s, ganho, razao from vistos m', celula)),
    ('celulas_modalidade', celula || ', modalidade_id',
      format('select %s, modalidade_id, ganho, razao from vistas_modalidades m', celula)),
    ('celulas_produto', celula || ', produto_id',
      format('select %s, produto_id, ganho, razao from vistos_produtos m', celula)),
    ('margens', 'visao_id, filtro, chave, por, valor', format(
      'select m.visao_id, f.filtro, f.chave, d.por, d.valor, m.ganho, m.razao from vistos m cross join lateral %s
        cross join lateral %s where f.filtro not in (7, 11) or d.por <> 9
       union all
       select m.visao_id, f.filtro, f.chave, 8, m.modalidade_id, m.ganho, m.razao
       from vistas_modalidades m cross join lateral %s', filtros, partes, filtros)),
    ('margens_produto', 'visao_id, filtro, chave, produto_id, fabricante_id', format(
      'select m.visao_id, f.filtro, f.chave, m.produto_id, m.fabricante_id, m.ganho, m.razao
       from vistos_produtos m cross join lateral %s', filtros)),
    ('margens_lugar', 'visao_id, filtro, chave, lugar, cidade_id', format(
      'select m.visao_id, f.filtro, f.chave, %s as lugar, m.cidade_id, m.ganho, m.razao
       from vistos m cross join lateral %s where f.filtro not in (7, 11)', lugar, filtros))
  ) p (tabela, chaves, linhas) loop
    execute format('update %I k set %s from (select %s, %s from (%s) x group by %s) s where %s',
      passo.tabela, case passo.tabela when 'margens_lugar' then de_lugar else postas end, passo.chaves, somas, passo.linhas, passo.chaves,
      (select string_agg(format('k.%1$s = s.%1$s', trim(chave)), ' and ')
       from regexp_split_to_table(passo.chaves, ',') chave));
  end loop;
end $$;

create or replace view visto.contados as
select k.id, k.consultoria_id, k.fabricante_id, k.bu, k.regiao_id, k.cidade_id, k.cultura_id, k.ano, k.conjunto_id,
  k.amostra, k.com_documento and k.acervo_id = any ((select public.com_documentos())::integer[]) as com_documento,
  k.latitude, k.longitude, k.teor_argila, k.teor_materia_organica, k.produtividade_media,
  k.tipo_estatistica, k.acervo_id,
  case when v.custos then k.custo_protocolo end as custo_protocolo,
  case when v.custos then k.custo_total end as custo_total,
  case when v.custos then k.roi end as roi,
  v.custos as ve_custos, k.ganho, k.razao
from public.contados k
cross join lateral (select k.acervo_id = any ((select public.com_custos())::integer[]) as custos) v;
create or replace view visto.contados_produtos as
select p.experimento_id, p.produto_id, p.acervo_id,
  case when v.custos then p.n_custo else 0 end as n_custo,
  case when v.custos then p.soma_custo else 0 end as soma_custo,
  p.ganho, p.razao
from public.contados_produtos p
cross join lateral (select p.acervo_id = any ((select public.com_custos())::integer[]) as custos) v;
