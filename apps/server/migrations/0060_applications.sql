-- What a person allowed another application: one row from the code, by which it is fetched once, to the token's end.
-- Who leaves the organisation that it is of takes it along.
create table auth.application_grants (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  organizacao_id uuid not null references public.organizacoes on delete cascade,
  client_id text not null,
  device text not null,
  redirect_uri text not null,
  scope text not null,
  nonce text,
  -- The code is not kept, and is good once; what it was shown with is.
  code_hash bytea not null unique,
  code_challenge text not null,
  code_until timestamptz not null,
  code_used_at timestamptz,
  created_at timestamptz not null default now(),
  -- Null until the code was exchanged for the token.
  not_after timestamptz,
  used_at timestamptz,
  foreign key (user_id, organizacao_id) references public.membros (pessoa_id, organizacao_id) on delete cascade
);
create index application_grants_user on auth.application_grants (user_id, organizacao_id);
create index application_grants_organizacao on auth.application_grants (organizacao_id);
alter table auth.application_grants enable row level security;
create policy proprias on auth.application_grants using (
  organizacao_id = (select organizacao_atual()) and user_id = (select pessoa_atual()));

-- A new password ends what was allowed under the old one, whichever way it is set.
create function auth.end_grants() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    delete from auth.application_grants where user_id = new.id;
    return null;
  end $$;
create trigger end_grants after update of password_hash on auth.users for each row
  when (old.password_hash is distinct from new.password_hash) execute function auth.end_grants();
