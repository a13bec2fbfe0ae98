-- The prices of a trial: one scenario, its owner's. What is tried at other prices is stored nowhere.
create table cenarios (
  experimento_id uuid primary key references experimentos on delete cascade,
  versao integer not null default 1,
  corpo jsonb not null,
  alterado_em timestamptz not null default now(),
  alterado_por uuid references auth.users on delete set null
);

-- Prices tell costs: they are seen where those are.
alter table cenarios enable row level security;
create policy ver on cenarios for select using (
  exists (
    select from experimentos e where e.id = cenarios.experimento_id
      and (e.organizacao_id = (select organizacao_atual()) or e.acervo_id = any ((select com_custos())::integer[]))
  )
);
create policy criar on cenarios for insert with check (
  exists (
    select from experimentos e
    where e.id = cenarios.experimento_id and e.organizacao_id = (select organizacao_escrita())
  )
);
create policy mudar on cenarios for update using (
  exists (
    select from experimentos e
    where e.id = cenarios.experimento_id and e.organizacao_id = (select organizacao_escrita())
  )
);

-- Who put the prices of a trial before it changed hands: not the new owner's to read.
create function esquecer_autor_dos_precos() returns trigger language plpgsql
  as $$
  begin
    update public.cenarios set alterado_por = null where experimento_id = new.id;
    return null;
  end $$;
create trigger esquecer_autor_dos_precos after update of organizacao_id on experimentos for each row
  when (old.organizacao_id is distinct from new.organizacao_id) execute function esquecer_autor_dos_precos();
