alter table auth.rate_limits add column taken boolean not null default true;

-- Wrong guesses, and how long the next one has to wait. Keyed by an HMAC, so that it names nobody.
create unlogged table auth.failures (
  key text primary key,
  count integer not null,
  blocked_until timestamptz,
  updated_at timestamptz not null default now()
);
create index failures_updated on auth.failures (updated_at);
