-- What a trial lacks for an answer, kept with what is counted of it, one bit each: 1 a comparison with a control, 2 clay,
-- 4 organic matter, 8 coordinates, 16 a cultivar, 32 the costs of its treatments, 64 an experimental error.

-- A cultivar has to be given: who does not know it writes one of these.
create function sem_cultivar(cultivar text) returns boolean language sql immutable parallel safe
  as $$ select lower(btrim(cultivar)) = any ('{-,--,–,?,n/a,n/d,n/i,nd,ni,s/i,não informado,nao informado,não informada,nao informada,não identificado,nao identificado,não definido,nao definido,sem informação,sem informacao,a definir,desconhecido,desconhecida}'::text[]) $$;
create function o_que_falta(comparacao boolean, argila boolean, materia_organica boolean, coordenadas boolean,
  cultivar boolean, custos boolean, erro boolean) returns integer language sql immutable parallel safe
  as $$ select $1::integer + 2 * $2::integer + 4 * $3::integer + 8 * $4::integer + 16 * $5::integer
    + 32 * $6::integer + 64 * $7::integer $$;

alter table contados add column falta integer not null default 0;
update contados k set falta = o_que_falta(k.ganho is null, e.teor_argila is null, e.teor_materia_organica is null,
  e.latitude is null or e.longitude is null, sem_cultivar(e.cultivar),
  exists (select from tratamentos t where t.experimento_id = e.id and t.custo is null),
  e.ficha_versao is null and (e.estatistica_informada ->> 'repeticoes' is null
    or coalesce(e.estatistica_informada ->> 'cv', e.estatistica_informada ->> 'dms') is null))
from experimentos e where e.id = k.id;

-- Whose costs are hidden lacks none that anybody could tell.
create or replace view visto.contados as
select k.id, k.consultoria_id, k.fabricante_id, k.bu, k.regiao_id, k.cidade_id, k.cultura_id, k.ano, k.conjunto_id,
  k.amostra, k.com_documento and k.acervo_id = any ((select public.com_documentos())::integer[]) as com_documento,
  k.latitude, k.longitude, k.teor_argila, k.teor_materia_organica, k.produtividade_media,
  k.tipo_estatistica, k.acervo_id,
  case when v.custos then k.custo_protocolo end as custo_protocolo,
  case when v.custos then k.custo_total end as custo_total,
  case when v.custos then k.roi end as roi,
  v.custos as ve_custos, k.ganho, k.razao,
  case when v.custos then k.falta else k.falta & ~32 end as falta
from public.contados k
cross join lateral (select k.acervo_id = any ((select public.com_custos())::integer[]) as custos) v;
