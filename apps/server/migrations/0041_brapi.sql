-- Searches of other applications, kept as they were asked: their rows are looked up with the rights of that moment.
create table buscas_brapi (
  id uuid primary key,
  organizacao_id uuid not null default organizacao_atual() references organizacoes on delete cascade,
  pessoa_id uuid not null references auth.users on delete cascade,
  entidade text not null,
  pedido jsonb not null,
  criada_em timestamptz not null default now()
);
create index buscas_brapi_pessoa on buscas_brapi (pessoa_id);
create index buscas_brapi_criada on buscas_brapi (criada_em);
alter table buscas_brapi enable row level security;
create policy proprias on buscas_brapi using (
  organizacao_id = (select organizacao_atual()) and pessoa_id = (select pessoa_atual()));

-- Keys of scripts: what is shown once is not kept. Read before it is known who asks, as sessions are.
create table auth.script_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  organizacao_id uuid not null references public.organizacoes on delete cascade,
  name text not null,
  hash bytea not null unique,
  can_write boolean not null,
  created_at timestamptz not null default now(),
  not_after timestamptz not null,
  used_at timestamptz
);
create index script_keys_user on auth.script_keys (user_id);
create index script_keys_organizacao on auth.script_keys (organizacao_id);
