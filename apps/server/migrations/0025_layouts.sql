-- How the reports of a layout are read, learnt from one that a person put right: prints of headings and labels, no value
-- of any report. `impressao` are the min-hashes by which another report of the layout is known.
create table layouts (
  id uuid primary key default gen_random_uuid(),
  impressao jsonb not null,
  mapa jsonb not null,
  criado_por uuid references auth.users on delete set null,
  criado_em timestamptz not null default now(),
  usado_em timestamptz not null default now()
);
create index layouts_usado on layouts (usado_em desc);
