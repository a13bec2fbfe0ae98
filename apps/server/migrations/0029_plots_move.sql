-- The highest version that a trial's sheet ever had: one that is made after a deletion goes on from there, since
-- answers, records and phones tell data apart by that number.
alter table experimentos add column ficha_ultima integer not null default 0;
update experimentos set ficha_ultima = ficha_versao where ficha_versao is not null;

-- Who changed plots and recorded analyses of a trial before it changed hands: not the new owner's to read.
create function esquecer_autores() returns trigger language plpgsql
  as $$
  begin
    update public.fichas set alterada_por = null, corpo = jsonb_set(corpo, '{exclusoes}', coalesce((
      select jsonb_agg(uma || '{"quem": null}' order by n)
      from jsonb_array_elements(corpo -> 'exclusoes') with ordinality as de (uma, n)
    ), '[]')) where experimento_id = new.id;
    update public.analises set quem = null, retirada_por = null, chave = null where experimento_id = new.id;
    return null;
  end $$;
create trigger esquecer_autores after update of organizacao_id on experimentos for each row
  when (old.organizacao_id is distinct from new.organizacao_id) execute function esquecer_autores();
