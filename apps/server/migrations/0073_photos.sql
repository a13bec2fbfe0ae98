-- Photos of plots. The row is there before the picture: a phone sends that in parts, another application behind its
-- description.
create table fotos (
  experimento_id uuid not null references experimentos on delete cascade,
  -- Of a phone's: that of the entry which announced it.
  id uuid not null,
  pessoa_id uuid references auth.users on delete set null,
  origem text not null check (origem in ('campo', 'brapi')),
  coletor text,
  aparelho uuid,
  parcela uuid not null,
  variavel uuid,
  avaliacao uuid,
  quando timestamptz not null,
  criada_em timestamptz not null default clock_timestamp(),
  posicao jsonb,
  descricao text,
  -- What else another application said of it.
  dados jsonb not null default '{}',
  -- As it was announced: bytes, and the hash of them.
  tamanho_enviado integer,
  sha256_enviado text,
  -- As it is kept, made anew; null until it is whole.
  armazenado text unique,
  sha256 text,
  tamanho integer,
  largura integer,
  altura integer,
  -- The same, small: a page shows many.
  miniatura bytea,
  primary key (experimento_id, id)
);
create index fotos_id on fotos (id);
create index fotos_parcela on fotos (experimento_id, parcela);
create index fotos_ordem on fotos (experimento_id, quando desc, id desc) where armazenado is not null;
create index fotos_pessoa on fotos (pessoa_id, criada_em);
create index fotos_esperadas on fotos (criada_em) where armazenado is null;

-- Parts of one that is still coming.
create table fotos_partes (
  experimento_id uuid not null,
  foto_id uuid not null,
  de integer not null,
  conteudo bytea not null,
  primary key (experimento_id, foto_id, de),
  foreign key (experimento_id, foto_id) references fotos on delete cascade
);

do $$
declare tabela text;
begin
  foreach tabela in array array['fotos', 'fotos_partes'] loop
    execute format('alter table %I enable row level security', tabela);
    -- Of its own organisation alone: who collected and where is told to nobody else.
    execute format('create policy ver on %1$I for select using (exists (
      select from experimentos e
      where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_atual())))', tabela);
    execute format('create policy criar on %1$I for insert with check (exists (
      select from experimentos e
      where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format('create policy mudar on %1$I for update using (exists (
      select from experimentos e
      where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format('create policy apagar on %1$I for delete using (exists (
      select from experimentos e
      where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
  end loop;
end $$;
