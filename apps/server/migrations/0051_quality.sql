-- What the rules of advice find in each trial, counted and kept on its row by the write itself: problems times 256 and
-- the rest to check. Of its own organisation, which sees costs and what the field has open; and of the others.
alter table experimentos add column apontamentos integer;
alter table experimentos add column apontamentos_vistos integer;
-- The version of the rules that found them; 0: they are to be looked for yet.
alter table experimentos add column regras smallint not null default 0;
create index experimentos_regras on experimentos (regras, id) where deleted_at is null;
create index experimentos_apontamentos on experimentos (apontamentos) where apontamentos > 0 and deleted_at is null;

-- A light that changes alone changes no figure: else a new version of the rules would have all of them counted anew.
create function sujar_mudados() returns trigger language plpgsql as $$
  begin
    insert into sujos select n.id from mudados n join antes a using (id)
      where (n.apontamentos, n.apontamentos_vistos, n.regras)
          is not distinct from (a.apontamentos, a.apontamentos_vistos, a.regras)
        or n.versao <> a.versao or n.updated_at <> a.updated_at or n.deleted_at is distinct from a.deleted_at;
    return null;
  end $$;
drop trigger sujar_update on experimentos;
create trigger sujar_update after update on experimentos
  referencing new table as mudados old table as antes for each statement execute function sujar_mudados();

-- What people said of findings; each holds for the value that was there.
create table respostas_qualidade (
  experimento_id uuid not null references experimentos on delete cascade,
  codigo text not null,
  lugar text not null,
  valor text not null,
  texto text not null,
  quem uuid references auth.users on delete set null,
  quando timestamptz not null default clock_timestamp(),
  primary key (experimento_id, codigo, lugar)
);
create index respostas_qualidade_quem on respostas_qualidade (quem);
alter table respostas_qualidade enable row level security;
create policy ver on respostas_qualidade for select using (exists (
  select from experimentos e where e.id = respostas_qualidade.experimento_id));
create policy criar on respostas_qualidade for insert with check (exists (
  select from experimentos e
  where e.id = respostas_qualidade.experimento_id and e.organizacao_id = (select organizacao_escrita())));
create policy mudar on respostas_qualidade for update using (exists (
  select from experimentos e
  where e.id = respostas_qualidade.experimento_id and e.organizacao_id = (select organizacao_escrita())));
create policy apagar on respostas_qualidade for delete using (exists (
  select from experimentos e
  where e.id = respostas_qualidade.experimento_id and e.organizacao_id = (select organizacao_escrita())));

-- What comes from who has no right to the trial any more is counted all the same, a moment later.
create function apontar_registros() returns trigger language plpgsql
  as $$
  begin
    update public.experimentos set regras = 0 where id in (
      select experimento_id from novos where estado in ('conflito', 'guardado') and not encerrado);
    return null;
  end $$;
create trigger apontar_registros after insert on registros
  referencing new table as novos for each statement execute function apontar_registros();

create or replace function esquecer_autores() returns trigger language plpgsql
  as $$
  begin
    update public.fichas set alterada_por = null, corpo = jsonb_set(corpo, '{exclusoes}', coalesce((
      select jsonb_agg(uma || '{"quem": null}' order by n)
      from jsonb_array_elements(corpo -> 'exclusoes') with ordinality as de (uma, n)
    ), '[]')) where experimento_id = new.id;
    update public.analises set quem = null, retirada_por = null, chave = null where experimento_id = new.id;
    update public.registros set pessoa_id = null, coletor = null, aparelho = null where experimento_id = new.id;
    update public.respostas_qualidade set quem = null where experimento_id = new.id;
    return null;
  end $$;

-- What others see rests on nothing that is hidden from them. The last column is for the index alone: who has none has
-- none of the others either.
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
  e.ficha_versao, e.estatistica_informada,
  case when e.organizacao_id = (select public.organizacao_atual()) then e.apontamentos
    else e.apontamentos_vistos end as apontamentos,
  e.apontamentos as apontamentos_indice
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
  e.ficha_versao, e.estatistica_informada,
  case when e.organizacao_id = (select public.organizacao_atual()) then e.apontamentos
    else e.apontamentos_vistos end as apontamentos,
  e.apontamentos as apontamentos_indice
from public.experimentos e where e.acervo_id = any ((select public.com_custos())::integer[]);
