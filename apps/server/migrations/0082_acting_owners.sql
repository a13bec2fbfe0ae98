-- An organisation with members has an owner who can sign in: one whose account is blocked is as removed.
create or replace function manter_dono() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    if old.papel <> 'dono' or (tg_op = 'UPDATE' and new.papel = 'dono') then return null; end if;
    -- One after the other: two owners who leave at once would each see the other.
    perform from public.organizacoes where id = old.organizacao_id for update;
    if exists (select from public.membros where organizacao_id = old.organizacao_id)
      and not exists (
        select from public.membros m join auth.users u on u.id = m.pessoa_id
        where m.organizacao_id = old.organizacao_id and m.papel = 'dono' and u.blocked_at is null)
      and exists (select from public.instalacao where organizacoes = 'varias')
    then
      raise exception using errcode = 'EN001', message = 'the last owner of an organisation with members';
    end if;
    return null;
  end $$;
