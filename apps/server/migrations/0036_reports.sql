-- Reports of many trials: asked for, made, kept for a week.
create table relatorios (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null default organizacao_atual() references organizacoes on delete cascade,
  pessoa_id uuid not null references auth.users on delete cascade,
  formato text not null check (formato in ('pdf', 'docx', 'pptx')),
  -- The filter or the trials that were asked for.
  pedido jsonb not null,
  estado text not null default 'fazendo' check (estado in ('fazendo', 'pronto', 'falhou')),
  n integer not null,
  -- From 0 to 1.
  progresso double precision not null default 0,
  nome text not null,
  conteudo bytea,
  -- Whoever makes it says so now and then.
  vivo_em timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index relatorios_pessoa on relatorios (pessoa_id, created_at desc);
create index relatorios_organizacao on relatorios (organizacao_id);
create index relatorios_idade on relatorios (created_at);
alter table relatorios enable row level security;
create policy proprios on relatorios using (
  organizacao_id = (select organizacao_atual()) and pessoa_id = (select pessoa_atual()));
