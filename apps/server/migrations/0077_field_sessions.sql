-- A session begun in the field application lives as long as its phone is heard of within 90 days. It is known which
-- phone that is, so that a revoked one is told so and can do nothing else.
alter table auth.sessions
  add column campo boolean not null default false,
  add column aparelho uuid,
  add column revogada boolean not null default false;
