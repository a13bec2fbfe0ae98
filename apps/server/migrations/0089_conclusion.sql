-- What who conducted a trial concludes of it, in their own words. Words may tell of costs: who does not see these does not
-- read it.
alter table experimentos add column conclusao text check (length(conclusao) between 1 and 5000);
create or replace view visto.inteiros as
select e.id, e.consultoria_id, e.fabricante_id, e.bu, e.regiao_id, e.cidade_id, e.cultura_id, e.cultivar, e.ano,
  e.latitude, e.longitude, e.teor_argila, e.teor_materia_organica, e.tipo_estatistica, e.codigo,
  e.produtividade_media, e.n_tratamentos, e.created_by, e.versao, e.created_at, e.updated_at, e.deleted_at,
  e.organizacao_id, e.ficha_versao, e.estatistica_informada,
  case when v.propria then e.embargo_ate end as embargo_ate,
  case when v.propria then e.apontamentos else e.apontamentos_vistos end as apontamentos,
  case when v.custos then e.custo_protocolo end as custo_protocolo,
  case when v.custos then e.custo_total end as custo_total,
  case when v.custos then e.roi end as roi,
  v.custos as ve_custos, v.documentos as ve_documentos, v.comentarios as ve_comentarios,
  (select d.filename from public.documentos d where d.id = e.documento_id and v.documentos) as pdf_filename,
  coalesce((select o.nome from public.organizacoes o where o.id = e.organizacao_id),
    public.nome_de(e.organizacao_id)) as organizacao_nome,
  array(
    select row(t.experimento_id, t.ordem, t.nome, t.modalidade_id, t.produtividade, case when v.custos then t.custo end
      )::visto.tratamentos
    from public.tratamentos t where t.experimento_id = e.id) as tratamentos,
  array(
    select row(a.experimento_id, a.tratamento, a.ordem, a.produto_id, a.dose, a.unidade,
      case when v.custos then a.custo end)::visto.produtos_aplicados
    from public.produtos_aplicados a where a.experimento_id = e.id) as produtos_aplicados,
  array(select x from public.analises_adicionais x where x.experimento_id = e.id) as analises_adicionais,
  case when v.custos then e.conclusao end as conclusao
from public.experimentos e cross join public.alcance_atual a
cross join lateral (
  select e.organizacao_id = public.organizacao_atual() as propria,
    e.organizacao_id = public.organizacao_atual() or e.acervo_id = any (a.com_custos) as custos,
    e.organizacao_id = public.organizacao_atual() or e.acervo_id = any (a.com_documentos) as documentos,
    e.organizacao_id = public.organizacao_atual() or e.acervo_id = any (a.com_comentarios) as comentarios
  offset 0
) v;
