-- Who is to collect which block: a hint for the phones, and no lock. Names as they are said in the field, guests' too.
alter table fichas add column blocos_campo jsonb not null default '[]';

-- Nor who took photos is told to the trial's new owner.
create or replace function esquecer_autores() returns trigger language plpgsql
  as $$
  begin
    update public.fichas set alterada_por = null, blocos_campo = '[]', corpo = jsonb_set(corpo, '{exclusoes}', coalesce((
      select jsonb_agg(uma || '{"quem": null}' order by n)
      from jsonb_array_elements(corpo -> 'exclusoes') with ordinality as de (uma, n)
    ), '[]')) where experimento_id = new.id;
    update public.analises set quem = null, retirada_por = null, chave = null where experimento_id = new.id;
    update public.registros set pessoa_id = null, coletor = null, aparelho = null where experimento_id = new.id;
    update public.respostas_qualidade set quem = null where experimento_id = new.id;
    update public.fotos set pessoa_id = null, coletor = null, aparelho = null where experimento_id = new.id;
    return null;
  end $$;
