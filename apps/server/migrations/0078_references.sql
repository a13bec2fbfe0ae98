-- What a trial was last held against: the medians of its organisation's own doses, and the yields that were read in its
-- report. What is found by them stays true until it is looked at again.
create table referencias (
  experimento_id uuid primary key references experimentos on delete cascade,
  doses jsonb not null,
  lidas jsonb not null
);
alter table referencias enable row level security;
create policy ver on referencias for select using (exists (
  select from experimentos e
  where e.id = referencias.experimento_id and e.organizacao_id = (select organizacao_atual())));

-- Another report says other things, and another organisation has other doses and readings.
create function olhar_de_novo() returns trigger language plpgsql security definer set search_path = '' as $$
  begin
    delete from public.referencias where experimento_id = new.id;
    new.regras := 0;
    return new;
  end $$;
create trigger olhar_de_novo before update of documento_id, organizacao_id on experimentos for each row
  when (old.documento_id is distinct from new.documento_id or old.organizacao_id is distinct from new.organizacao_id)
  execute function olhar_de_novo();
