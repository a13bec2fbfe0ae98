-- What the engine read in a file: the same bytes and the same engine give the same answer.
create table leituras (
  sha256 text not null,
  motor text not null,
  resultado jsonb not null,
  created_at timestamptz not null default now(),
  primary key (sha256, motor)
);
create index leituras_created on leituras (created_at);
