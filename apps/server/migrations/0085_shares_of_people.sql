-- What one person has in all of their organisations together: a limit of a person that each organisation counted for
-- itself would be as many limits as there are organisations. Nobody asks for another person's.
create function meus_alertas() returns bigint language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$ select count(*) from public.alertas where pessoa_id = public.pessoa_atual() $$;

create function meus_relatorios(out fazendo bigint, out guardados bigint, out bytes bigint)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select count(*) filter (where estado = 'fazendo' and vivo_em > now() - interval '2 minutes'), count(*),
      coalesce(sum(octet_length(conteudo)), 0)
    from public.relatorios where pessoa_id = public.pessoa_atual()
  $$;

-- Those not written yet, and the bytes of their files; the bytes of all files that are kept.
create function minhas_importacoes(out esperando bigint, out bytes_esperando bigint, out bytes bigint)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select count(*) filter (where i.gravada_em is null),
      coalesce(sum(octet_length(f.conteudo)) filter (where i.gravada_em is null), 0),
      coalesce(sum(octet_length(f.conteudo)), 0)
    from public.importacoes i left join public.importacao_arquivos f on f.importacao_id = i.id
    where i.criada_por = public.pessoa_atual()
  $$;
