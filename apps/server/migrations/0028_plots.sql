-- The plots behind a trial's means, their recorded analyses, and what a report tells of its own statistics.
-- A number of the sheet on the trial's row, so that a list says where its means come from without another table.
alter table experimentos add column ficha_versao integer;
alter table experimentos add column estatistica_informada jsonb;

-- A sheet is read and put whole but for its values: a column of those is an array a row, since a row a value is
-- 30 times as large and slow (docs/performance.md).
create table fichas (
  experimento_id uuid primary key references experimentos on delete cascade,
  versao integer not null default 1,
  corpo jsonb not null,
  -- Yields that were typed before the plots gave them, kg/ha, by the treatment's number.
  informadas jsonb not null default '{}',
  alterada_em timestamptz not null default now(),
  alterada_por uuid references auth.users on delete set null
);
create table valores (
  experimento_id uuid not null references fichas on delete cascade,
  ordem smallint not null,
  variavel text not null,
  avaliacao text,
  valores jsonb not null,
  primary key (experimento_id, ordem)
);
-- What is published rests on a record; it outlives the sheet that it was made of.
create table analises (
  id uuid primary key default gen_random_uuid(),
  experimento_id uuid not null references experimentos on delete cascade,
  ordem integer not null,
  variavel text not null,
  avaliacao text,
  opcoes jsonb not null,
  teste text not null,
  titulo text not null,
  conclusao text not null,
  -- As it was answered, its order included.
  resposta json not null,
  -- Of the analysed scale's original unit, %.
  cv float8,
  dados_versao integer not null,
  motor text not null,
  chave text,
  quem uuid references auth.users on delete set null,
  quando timestamptz not null default clock_timestamp(),
  retirada_em timestamptz,
  retirada_por uuid references auth.users on delete set null,
  retirada_motivo text,
  unique (experimento_id, variavel, ordem)
);
create unique index analises_chave on analises (experimento_id, quem, chave) where chave is not null;

-- From which CV on, in %, it is called medium, high and very high; '' is every crop or every variable. The
-- installation's, by its administrators.
create table faixas_cv (
  cultura text not null,
  variavel text not null,
  medio float8 not null,
  alto float8 not null,
  muito_alto float8 not null,
  check (medio < alto and alto < muito_alto),
  primary key (cultura, variavel)
);

do $$
declare tabela text;
begin
  foreach tabela in array array['fichas', 'valores', 'analises'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format(
      'create policy ver on %1$I for select using (
         exists (select from experimentos e where e.id = %1$I.experimento_id))', tabela);
    execute format(
      'create policy criar on %1$I for insert with check (exists (
         select from experimentos e
         where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format(
      'create policy mudar on %1$I for update using (exists (
         select from experimentos e
         where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format(
      'create policy apagar on %1$I for delete using (exists (
         select from experimentos e
         where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
  end loop;
end $$;

create or replace view visto.experimentos as
select e.id, e.consultoria_id, e.fabricante_id, e.bu, e.regiao_id, e.cidade_id, e.cultura_id, e.cultivar, e.ano,
  e.latitude, e.longitude, e.teor_argila, e.teor_materia_organica, e.tipo_estatistica, e.codigo, e.codigo_busca,
  e.produtividade_media, e.n_tratamentos, case when v.documentos then e.documento_id end as documento_id,
  e.created_by, e.versao, e.created_at, e.updated_at, e.deleted_at, e.deleted_by, e.organizacao_id, e.acervo_id,
  e.embargo_ate,
  case when v.custos then e.custo_protocolo end as custo_protocolo,
  case when v.custos then e.custo_total end as custo_total,
  case when v.custos then e.roi end as roi,
  v.custos as ve_custos,
  e.ficha_versao, e.estatistica_informada
from public.experimentos e
cross join lateral (
  select e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_custos())::integer[]) as custos,
    e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_documentos())::integer[]) as documentos
) v;
create or replace view visto.custeados as
select e.id, e.consultoria_id, e.fabricante_id, e.bu, e.regiao_id, e.cidade_id, e.cultura_id, e.cultivar, e.ano,
  e.latitude, e.longitude, e.teor_argila, e.teor_materia_organica, e.tipo_estatistica, e.codigo, e.codigo_busca,
  e.produtividade_media, e.n_tratamentos,
  case when e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_documentos())::integer[]) then e.documento_id end as documento_id,
  e.created_by, e.versao, e.created_at, e.updated_at, e.deleted_at, e.deleted_by, e.organizacao_id, e.acervo_id,
  e.embargo_ate, e.custo_protocolo, e.custo_total, e.roi,
  true as ve_custos,
  e.ficha_versao, e.estatistica_informada
from public.experimentos e where e.acervo_id = any ((select public.com_custos())::integer[]);
