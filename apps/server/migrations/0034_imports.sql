-- Spreadsheets on their way in: the file, its cells as they stand now, what was understood, and what came of it.
create table modelos_planilha (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null default organizacao_atual() references organizacoes on delete cascade,
  nome text not null,
  nome_busca text not null,
  forma text not null,
  -- Field by title, and one value for all rows by field.
  mapa jsonb not null,
  padroes jsonb not null,
  criado_por uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  unique (organizacao_id, nome_busca)
);
create table importacoes (
  id uuid primary key,
  organizacao_id uuid not null default organizacao_atual() references organizacoes on delete cascade,
  criada_por uuid references auth.users on delete set null,
  nome text not null,
  texto boolean not null,
  sha256 text not null,
  estado text not null default 'lendo',
  problema jsonb,
  -- What the file says of itself, as it was read.
  cabeca jsonb,
  -- What a person chose, and what follows of it for the columns.
  escolhas jsonb not null default '{}',
  plano jsonb,
  notas jsonb not null default '[]',
  linhas integer not null default 0,
  entendidos integer not null default 0,
  -- Goes up with every change: work for an older one stops.
  rodada integer not null default 0,
  -- Whoever works on it says so now and then; after that another may.
  ocupada_ate timestamptz,
  -- What is to be written, and the key of the request that said so.
  gravar jsonb,
  chave text,
  gravada_em timestamptz,
  created_at timestamptz not null default now()
);
create index importacoes_organizacao on importacoes (organizacao_id, created_at desc);
create index importacoes_pessoa on importacoes (criada_por);
create index importacoes_andamento on importacoes (ocupada_ate) where estado in ('lendo', 'gravando');
create table importacao_arquivos (
  importacao_id uuid primary key references importacoes on delete cascade,
  conteudo bytea not null
);
create table importacao_linhas (
  importacao_id uuid not null references importacoes on delete cascade,
  folha smallint not null,
  linha integer not null,
  celulas json not null,
  primary key (importacao_id, folha, linha)
);
create table importacao_experimentos (
  importacao_id uuid not null references importacoes on delete cascade,
  n integer not null,
  -- Its rows: places of sheets and numbers of lines, pair by pair.
  folhas integer[] not null,
  linhas integer[] not null,
  estado text not null,
  experimento_id uuid references experimentos on delete set null,
  chave text,
  -- What tells it apart within the file.
  marca text,
  dados jsonb not null,
  mudancas jsonb not null default '[]',
  problemas jsonb not null default '[]',
  avisos boolean not null,
  mesmo_assim boolean not null default false,
  -- 'criado' or 'atualizado', once it is written; its version then, and what stood there before.
  gravado text,
  versao integer,
  antes jsonb,
  desfeito boolean not null default false,
  primary key (importacao_id, n)
);
create index importacao_experimentos_estado on importacao_experimentos (importacao_id, estado, n);
create index importacao_experimentos_marca on importacao_experimentos (importacao_id, marca);
create index importacao_experimentos_experimento on importacao_experimentos (experimento_id);

alter table modelos_planilha enable row level security;
create policy ver on modelos_planilha for select using (organizacao_id = (select organizacao_atual()));
create policy criar on modelos_planilha for insert with check (organizacao_id = (select organizacao_escrita()));
create policy mudar on modelos_planilha for update using (organizacao_id = (select organizacao_escrita()));
create policy apagar on modelos_planilha for delete using (organizacao_id = (select organizacao_escrita()));

-- Its maker's, and those who lead the organisation.
alter table importacoes enable row level security;
create policy ver on importacoes for select using (
  organizacao_id = (select organizacao_atual())
  and (criada_por = (select pessoa_atual()) or organizacao_id = (select organizacao_gerida())));
create policy criar on importacoes for insert with check (
  organizacao_id = (select organizacao_escrita()) and criada_por = (select pessoa_atual()));
create policy mudar on importacoes for update using (organizacao_id = (select organizacao_escrita())
  and (criada_por = (select pessoa_atual()) or organizacao_id = (select organizacao_gerida())));
create policy apagar on importacoes for delete using (organizacao_id = (select organizacao_escrita())
  and (criada_por = (select pessoa_atual()) or organizacao_id = (select organizacao_gerida())));
do $$
declare tabela text;
begin
  foreach tabela in array array['importacao_arquivos', 'importacao_linhas', 'importacao_experimentos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('create policy ver on %1$I for select using (
      exists (select from importacoes i where i.id = %1$I.importacao_id))', tabela);
    execute format('create policy criar on %1$I for insert with check (
      exists (select from importacoes i where i.id = %1$I.importacao_id and i.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format('create policy mudar on %1$I for update using (
      exists (select from importacoes i where i.id = %1$I.importacao_id and i.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format('create policy apagar on %1$I for delete using (
      exists (select from importacoes i where i.id = %1$I.importacao_id and i.organizacao_id = (select organizacao_escrita())))', tabela);
  end loop;
end $$;
