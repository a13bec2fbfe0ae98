create table experimentos (
  id uuid primary key,
  consultoria_id integer not null references consultorias,
  fabricante_id integer not null references fabricantes,
  bu smallint not null check (bu between 1 and 3),
  regiao_id integer not null references regioes,
  cidade_id integer not null references cidades,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  cultura_id integer not null references culturas,
  cultivar text not null,
  ano smallint not null check (ano between 1900 and 2100),
  teor_argila double precision check (teor_argila between 0 and 100),
  teor_materia_organica double precision check (teor_materia_organica between 0 and 100),
  tipo_estatistica text not null,
  custo_protocolo double precision not null check (custo_protocolo >= 0),
  roi double precision check (roi >= 0),
  -- Derived from the treatments in the same transaction.
  produtividade_media double precision not null check (produtividade_media >= 0),
  custo_total double precision check (custo_total >= 0),
  n_tratamentos smallint not null check (n_tratamentos > 0),
  documento_id uuid,
  -- A fixed random place in every sample: the scatter chart shows the same points each time.
  amostra smallint not null default floor(random() * 32768)::smallint,
  created_by uuid references auth.users on delete set null,
  versao integer not null default 1 check (versao > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references auth.users on delete set null
);
create index experimentos_created on experimentos (created_at desc, id desc) where deleted_at is null;
create index experimentos_consultoria on experimentos (consultoria_id);
create index experimentos_fabricante on experimentos (fabricante_id);
create index experimentos_regiao on experimentos (regiao_id);
create index experimentos_cidade on experimentos (cidade_id);
create index experimentos_cultura on experimentos (cultura_id);
create index experimentos_ano on experimentos (ano);
create index experimentos_amostra on experimentos (amostra) where deleted_at is null;
create index experimentos_created_by on experimentos (created_by);
create index experimentos_deleted on experimentos (deleted_at) where deleted_at is not null;
create index experimentos_deleted_by on experimentos (deleted_by) where deleted_by is not null;

create table tratamentos (
  experimento_id uuid not null references experimentos on delete cascade,
  -- From 1, the control.
  ordem smallint not null check (ordem > 0),
  nome text not null,
  modalidade_id integer not null references modalidades,
  produtividade double precision not null check (produtividade >= 0),
  custo double precision check (custo >= 0),
  primary key (experimento_id, ordem)
);
create index tratamentos_modalidade on tratamentos (modalidade_id);

create table produtos_aplicados (
  experimento_id uuid not null,
  tratamento smallint not null,
  ordem smallint not null check (ordem > 0),
  produto_id integer not null references produtos,
  dose double precision check (dose >= 0),
  unidade text,
  custo double precision check (custo >= 0),
  primary key (experimento_id, tratamento, ordem),
  foreign key (experimento_id, tratamento) references tratamentos on delete cascade
);
create index produtos_aplicados_produto on produtos_aplicados (produto_id, experimento_id);

create table analises_adicionais (
  experimento_id uuid not null,
  tratamento smallint not null,
  ordem smallint not null check (ordem > 0),
  nome text not null,
  valor double precision not null,
  unidade text not null default '',
  primary key (experimento_id, tratamento, ordem),
  foreign key (experimento_id, tratamento) references tratamentos on delete cascade
);

-- A file lies in the store under `armazenado` before its row exists; a file without a row is swept.
create table documentos (
  id uuid primary key,
  experimento_id uuid references experimentos on delete cascade,
  filename text not null,
  armazenado text not null unique,
  sha256 text not null,
  tamanho integer not null check (tamanho > 0),
  created_by uuid references auth.users on delete set null,
  created_at timestamptz not null default now()
);
create index documentos_experimento on documentos (experimento_id, created_at);
create index documentos_sha256 on documentos (sha256);
create index documentos_created_by on documentos (created_by);

alter table experimentos
  add foreign key (documento_id) references documentos on delete set null;
create index experimentos_documento on experimentos (documento_id) where documento_id is not null;

create table alteracoes (
  id bigint generated always as identity primary key,
  experimento_id uuid not null references experimentos on delete cascade,
  acao text not null check (acao in ('criado', 'alterado', 'excluído', 'restaurado')),
  quem uuid references auth.users on delete set null,
  quando timestamptz not null default now(),
  antes jsonb,
  depois jsonb
);
create index alteracoes_experimento on alteracoes (experimento_id, id);
create index alteracoes_quem on alteracoes (quem);

-- What a retried request was answered the first time.
create table idempotencia (
  user_id uuid not null references auth.users on delete cascade,
  chave text not null,
  pedido_sha256 text not null,
  experimento_id uuid not null references experimentos on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, chave)
);
create index idempotencia_created on idempotencia (created_at);
create index idempotencia_experimento on idempotencia (experimento_id);
