-- Who leaves an organisation, or is blocked, is told to every server: what they have open there is closed at once.
create function avisar_saida() returns trigger language plpgsql as $$
begin
  perform pg_notify('saidas', old.pessoa_id || ' ' || old.organizacao_id);
  return null;
end $$;
create trigger avisar_saida after delete on membros for each row execute function avisar_saida();
create function avisar_bloqueio() returns trigger language plpgsql as $$
begin
  perform pg_notify('saidas', new.id::text);
  return null;
end $$;
create trigger avisar_bloqueio after update of blocked_at on auth.users for each row
  when (old.blocked_at is null and new.blocked_at is not null) execute function avisar_bloqueio();
