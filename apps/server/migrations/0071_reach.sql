-- What the acting organisation may see, as one row. Policies and views that looked it up by function called one for
-- each look, some fifteen times in the reading of one trial; a view is planned into the statement that asks (half the
-- time). Past the end of what is kept, the functions work it out as before.
create view alcance_atual with (security_invoker = true) as
select
  case when v.em_dia then v.acervos else visiveis() end as visiveis,
  case when v.em_dia then v.com_custos else com_custos() end as com_custos,
  case when v.em_dia then v.com_documentos else com_documentos() end as com_documentos,
  case when v.em_dia then v.com_comentarios else com_comentarios() end as com_comentarios
from (
  select acervos, com_custos, com_documentos, com_comentarios, valida_ate is null or valida_ate > now() as em_dia
  from visibilidade where organizacao_id = organizacao_atual()
) v;

create function pela_vista(regra text) returns text language sql immutable as $$
  select regexp_replace(regra,
    '\( SELECT (?:public\.)?(visiveis|com_custos|com_documentos|com_comentarios)\(\) AS \1\)',
    '(select \1 from public.alcance_atual)', 'g')
$$;
do $$
declare um record;
begin
  if exists (select from pg_roles where rolname = 'ensaio_rest') then
    grant select on alcance_atual to ensaio_rest;
  end if;
  for um in
    select schemaname, tablename, policyname, pela_vista(qual) as qual, pela_vista(with_check) as novo
    from pg_policies where qual <> pela_vista(qual) or with_check <> pela_vista(with_check)
  loop
    execute format('alter policy %I on %I.%I', um.policyname, um.schemaname, um.tablename)
      || coalesce(' using (' || um.qual || ')', '') || coalesce(' with check (' || um.novo || ')', '');
  end loop;
  for um in
    select viewname, pela_vista(pg_get_viewdef(format('visto.%I', viewname)::regclass)) as definicao
    from pg_views where schemaname = 'visto'
  loop
    -- Whether the report is seen is said by the view as well, as it says so of the costs.
    if um.viewname in ('experimentos', 'custeados') then
      um.definicao := regexp_replace(um.definicao, '((?:e\.)?apontamentos AS apontamentos_indice)',
        E'\\1, ' || case um.viewname when 'experimentos' then 'v.documentos' else
          'e.organizacao_id = (select public.organizacao_atual())
           or e.acervo_id = any ((select com_documentos from public.alcance_atual)::integer[])' end || ' AS ve_documentos');
    end if;
    execute format('create or replace view visto.%I as %s', um.viewname, um.definicao);
  end loop;
end $$;
drop function pela_vista(text);
