-- Open dashboards on every server hear of a change; once per statement, whatever its rows.
create function notify_experimentos() returns trigger language plpgsql as $$
begin
  perform pg_notify('experimentos', '');
  return null;
end $$;
create trigger experimentos_notify after insert or update or delete on experimentos
  for each statement execute function notify_experimentos();
