-- The address of an account that is erased is in nothing that others keep: not in what they invited or offered to it,
-- and so in no activity and no export. What was still open ends with it. Only an address that the account had proved to
-- be its own: of any other, what waits for it is somebody else's.
create function esquecer_enderecos() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    update public.convites set email = 'conta excluída', encerrado_em = coalesce(encerrado_em, now())
      where email = old.email;
    update public.compartilhamentos
      set email = 'conta excluída', estado = case when estado = 'pendente' then 'revogado' else estado end
      where email = old.email;
    return old;
  end $$;
create trigger esquecer_enderecos before delete on auth.users for each row
  when (old.email_confirmed_at is not null) execute function esquecer_enderecos();

-- What came of an offer is what is told of it: those of its trials that were still there to be given. What goes to one is
-- offered to no other any more.
create or replace function aceitar_transferencia(qual uuid) returns uuid[] language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    t public.transferencias;
    eu uuid := public.organizacao_dona();
    movidos uuid[];
  begin
    -- One after the other, whoever accepts: offers of one organisation may overlap.
    perform from public.transferencias
      where estado = 'pendente'
        and organizacao_id = (select organizacao_id from public.transferencias where id = qual)
      order by id for update;
    select * into t from public.transferencias where id = qual for update;
    if eu is null or t.id is null or t.destino_id <> eu or t.estado <> 'pendente' or t.expira_em <= now()
      or exists (select from public.organizacoes where id in (t.organizacao_id, eu) and fecha_em is not null)
    then return null; end if;
    movidos := public.mover_experimentos(t.experimentos, t.organizacao_id, eu);
    if coalesce(cardinality(movidos), 0) = 0 then
      update public.transferencias set estado = 'recusada' where id = qual;
      return null;
    end if;
    update public.transferencias set estado = 'aceita', experimentos = movidos where id = qual;
    with left_over as (
      select o.id, array(select unnest(o.experimentos) except select unnest(movidos)) as resto
      from public.transferencias o
      where o.estado = 'pendente' and o.organizacao_id = t.organizacao_id and o.experimentos && movidos
    )
    update public.transferencias o
      set experimentos = case when cardinality(l.resto) > 0 then l.resto else o.experimentos end,
        estado = case when cardinality(l.resto) > 0 then o.estado else 'recusada' end
      from left_over l where o.id = l.id;
    perform public.anotar(t.organizacao_id, 'transfer.accepted',
      jsonb_build_object('transferencia', qual, 'n', cardinality(movidos)));
    perform public.anotar(eu, 'transfer.accepted',
      jsonb_build_object('transferencia', qual, 'n', cardinality(movidos)));
    return movidos;
  end $$;
