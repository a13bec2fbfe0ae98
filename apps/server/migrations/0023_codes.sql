-- The code that people give a trial, and as it is told apart and searched: whatever its case and accents.
alter table experimentos
  add column codigo text check (length(codigo) between 1 and 60),
  add column codigo_busca text check ((codigo_busca is null) = (codigo is null));
-- What is deleted holds no code; the key in the index lets a search do without the table.
create unique index experimentos_codigo_unico on experimentos (codigo_busca) include (id)
  where deleted_at is null and codigo_busca is not null;
