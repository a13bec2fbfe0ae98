-- People, their sessions and everything that proves who they are. No other part of the server writes here.
create schema auth;

create table auth.users (
  id uuid primary key,
  email text not null check (email = lower(email)),
  password_hash text,
  email_confirmed_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  email_change_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  invited_at timestamptz,
  last_sign_in_at timestamptz,
  new_email text check (new_email = lower(new_email)),
  -- What the product lets a person do. Never called role on the wire of auth/v1, where that is the database's.
  app_role text not null default 'user' check (app_role in ('user', 'consultor', 'pesquisador', 'admin')),
  blocked_at timestamptz,
  app_metadata jsonb not null default '{}',
  -- Name and company live here, where auth/v1 lets their owner write them.
  user_metadata jsonb not null default '{}',
  name text generated always as (user_metadata ->> 'name') stored,
  company text generated always as (user_metadata ->> 'company') stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on auth.users (email);
create index users_created on auth.users (created_at desc, id desc);

create table auth.identities (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  email text,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index identities_user on auth.identities (user_id);

create table auth.factors (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text not null default '',
  factor_type text not null check (factor_type in ('totp', 'phone', 'webauthn')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  -- AES-256-GCM under the server's secret.
  secret_enc bytea,
  -- The last accepted step of a TOTP, which is never accepted twice.
  last_step bigint,
  credential jsonb,
  fail_count integer not null default 0,
  fail_since timestamptz,
  locked_until timestamptz,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, friendly_name)
);

create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  factor_id uuid references auth.factors on delete set null,
  -- Refresh tokens are derived from this counter; those below the floor are dead without grace.
  rt_counter bigint not null default 0,
  rt_floor bigint not null default 0,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  not_after timestamptz not null,
  user_agent text,
  ip inet
);
create index sessions_user on auth.sessions (user_id);
create index sessions_refreshed on auth.sessions (refreshed_at);

create table auth.amr (
  session_id uuid not null references auth.sessions on delete cascade,
  method text not null,
  provider text,
  at timestamptz not null default now(),
  primary key (session_id, method)
);

create table auth.challenges (
  id uuid primary key,
  factor_id uuid not null references auth.factors on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  tries integer not null default 0,
  webauthn_challenge text
);
create index challenges_factor on auth.challenges (factor_id);
create index challenges_session on auth.challenges (session_id);

create table auth.flow_states (
  id uuid primary key,
  user_id uuid references auth.users on delete cascade,
  auth_code uuid unique,
  code_issued_at timestamptz,
  code_challenge text,
  method text not null,
  provider text,
  provider_verifier text,
  nonce text,
  linking_user_id uuid references auth.users on delete cascade,
  redirect_to text,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index flow_states_created on auth.flow_states (created_at);
create index flow_states_user on auth.flow_states (user_id);
create index flow_states_linking on auth.flow_states (linking_user_id);

-- A code and a link for one purpose: HMACs under the server's secret, never what was mailed.
create table auth.one_time_tokens (
  user_id uuid not null references auth.users on delete cascade,
  kind text not null check (
    kind in ('signup', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication')
  ),
  code_hash bytea not null,
  link_hash bytea,
  flow_state_id uuid references auth.flow_states on delete set null,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, kind)
);
create unique index one_time_tokens_link on auth.one_time_tokens (link_hash);
create index one_time_tokens_flow on auth.one_time_tokens (flow_state_id);

create table auth.saml_requests (
  id text primary key,
  value text not null,
  redirect_to text,
  flow_state_id uuid references auth.flow_states on delete cascade,
  created_at timestamptz not null default now()
);
create index saml_requests_flow on auth.saml_requests (flow_state_id);

create table auth.role_requests (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  role text not null check (role in ('user', 'consultor', 'pesquisador', 'admin')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references auth.users on delete set null,
  granted boolean
);
create unique index role_requests_open on auth.role_requests (user_id) where decided_at is null;
create index role_requests_user on auth.role_requests (user_id);
create index role_requests_decided_by on auth.role_requests (decided_by);

-- Security events: who did what to whom. Ids only, so that it can outlive an erased account.
create table auth.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  actor_id uuid,
  subject_id uuid,
  ip inet,
  details jsonb not null default '{}'
);
create index audit_log_actor on auth.audit_log (actor_id);
create index audit_log_subject on auth.audit_log (subject_id);

create function auth.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete or truncate on auth.audit_log
  for each statement execute function auth.refuse_change();

create table auth.mails (
  id uuid primary key,
  recipient text not null,
  -- Sealed under the server's secret: it holds codes and links.
  message bytea not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index mails_due on auth.mails (next_attempt_at);

create table auth.signing_keys (
  kid text primary key,
  private_sealed bytea not null,
  public_jwk jsonb not null,
  created_at timestamptz not null default now(),
  signs_from timestamptz not null,
  retires_at timestamptz
);

create table auth.secrets (
  name text primary key,
  value bytea not null
);

-- Counters that may be lost in a crash, hence unlogged.
create unlogged table auth.rate_limits (
  key text primary key,
  tokens double precision not null,
  updated_at timestamptz not null default now()
);
create index rate_limits_updated on auth.rate_limits (updated_at);
