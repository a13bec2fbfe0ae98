-- A set of products may be long: its key is a digest of fixed size, never the set itself, which an index of
-- the usual kind refuses past 2,704 bytes.
create function resumo_do_conjunto(integer[]) returns bytea language sql immutable strict parallel safe
  as $$ select sha256(convert_to(array_to_string($1, ','), 'UTF8')) $$;
alter table conjuntos drop constraint conjuntos_produtos_key;
alter table conjuntos add column resumo bytea not null generated always as (resumo_do_conjunto(produtos)) stored;
alter table conjuntos add constraint conjuntos_resumo_key unique (resumo);

-- Marks that could not be folded into the figures: set aside, so that the others go on, and tried again hourly.
create table sujos_falhos (
  experimento_id uuid primary key,
  -- The database's code of the error; its text could quote what people wrote.
  motivo text not null,
  quando timestamptz not null default now()
);
