-- A phone's session that was made out of one of the same browser ends when that one is ended on purpose.
alter table auth.sessions add column origem uuid;
create index on auth.sessions (origem) where origem is not null;
