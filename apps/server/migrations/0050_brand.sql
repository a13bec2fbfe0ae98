-- How an organisation signs its reports: a logo, drawn anew as a PNG, and a colour.
create table marcas_graficas (
  organizacao_id uuid primary key references organizacoes on delete cascade,
  -- '#1f4d3a'
  cor text check (cor ~ '^#[0-9a-f]{6}$'),
  logo bytea,
  updated_at timestamptz not null default now()
);
alter table marcas_graficas enable row level security;
create policy ver on marcas_graficas for select using (organizacao_id = (select organizacao_atual()));
create policy por on marcas_graficas for insert with check (organizacao_id = (select organizacao_gerida()));
create policy mudar on marcas_graficas for update using (organizacao_id = (select organizacao_gerida()));
