-- A kept report of many trials holds what others had shown when it was made: the trials that were received, or, of very
-- many, their sets; and of which of them costs were seen. It is handed out only while all of that is still seen.
alter table relatorios
  add column recebidos uuid[] not null default '{}',
  add column recebidos_com_custos uuid[] not null default '{}',
  add column acervos integer[] not null default '{}',
  add column acervos_com_custos integer[] not null default '{}';
-- Of those made before nobody knows it.
delete from relatorios r where exists (select from compartilhamentos s where s.destino_id = r.organizacao_id);

-- Closes the acting organisation, of which the acting person is an owner: whatever it opened to others or received
-- ends. Or opens it again, alone. What is so already is not told as if it had happened.
create or replace function fechar_organizacao(fecha boolean) returns boolean language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    eu uuid := public.organizacao_dona();
    um uuid;
  begin
    if eu is null then return false; end if;
    update public.organizacoes set fecha_em = case when fecha then now() end
      where id = eu and (fecha_em is null) = fecha;
    if not found then return true; end if;
    if fecha then
      for um in
        with ended as (
          update public.compartilhamentos set estado = 'revogado'
          where (organizacao_id = eu or destino_id = eu) and estado in ('pendente', 'aceito')
          returning experimento_id
        ) select distinct experimento_id from ended where experimento_id is not null
      loop perform public.assentar_avulsos(um); end loop;
      update public.links_publicos set revogado_em = now() where organizacao_id = eu and revogado_em is null;
      update public.convites set encerrado_em = now() where organizacao_id = eu and encerrado_em is null;
      update public.transferencias set estado = 'recusada'
        where estado = 'pendente' and eu in (organizacao_id, destino_id);
    end if;
    perform public.anotar(eu, case when fecha then 'organization.closed' else 'organization.reopened' end);
    return true;
  end $$;

-- Who erases their account leaves every organisation that others are in, and its owners are told so.
create function anotar_saidas() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare dela uuid;
  begin
    for dela in
      select m.organizacao_id from public.membros m
      where m.pessoa_id = old.id and exists (
        select from public.membros o where o.organizacao_id = m.organizacao_id and o.pessoa_id <> old.id)
      order by m.organizacao_id
    loop perform public.anotar(dela, 'member.left', jsonb_build_object('pessoa', old.id), dela); end loop;
    return old;
  end $$;
create trigger anotar_saidas before delete on auth.users for each row execute function anotar_saidas();

-- Answers an offer, as before; of one accepted its owners are told how many trials it shows.
create or replace function responder_compartilhamento(qual uuid, aceita boolean) returns uuid language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    s public.compartilhamentos;
    eu uuid := public.organizacao_gerida();
    n bigint;
  begin
    select * into s from public.compartilhamentos where id = qual for update;
    if eu is null or s.id is null or s.estado <> 'pendente' or s.organizacao_id = eu
      or s.ate < public.hoje()
      or not (s.destino_id = eu or s.destino_id is null and s.email = public.meu_email())
    then return null; end if;
    -- Who refuses what came by an address does not tell whose it is.
    update public.compartilhamentos set destino_id = case when aceita then eu else destino_id end,
      estado = case when aceita then 'aceito' else 'recusado' end where id = qual;
    if aceita and s.experimento_id is not null then perform public.assentar_avulsos(s.experimento_id); end if;
    n := case when aceita then public.tamanho_do_compartilhamento(qual) end;
    perform public.anotar(s.organizacao_id, case when aceita then 'share.accepted' else 'share.declined' end,
      jsonb_strip_nulls(jsonb_build_object('compartilhamento', qual, 'n', n)),
      case when not aceita and s.destino_id is null then '00000000-0000-0000-0000-000000000000'::uuid end);
    if s.destino_id is null or aceita then
      perform public.anotar(eu, case when aceita then 'share.accepted' else 'share.declined' end,
        jsonb_strip_nulls(jsonb_build_object('compartilhamento', qual, 'n', n)));
    end if;
    return s.organizacao_id;
  end $$;
