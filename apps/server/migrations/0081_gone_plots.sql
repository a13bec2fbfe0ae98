-- Plots that a trial had and has no more: what a phone brings for one is kept for an editor, what it brings for a plot
-- that never was the trial's is refused.
create table parcelas_idas (
  experimento_id uuid not null references experimentos on delete cascade,
  id uuid not null,
  primary key (experimento_id, id)
);
-- Until now nothing else told of them than what was entered there.
insert into parcelas_idas (experimento_id, id)
  select distinct r.experimento_id, r.parcela from registros r
  where r.parcela is not null and not exists (
    select from parcelas p where p.id = r.parcela and p.experimento_id = r.experimento_id);

alter table parcelas_idas enable row level security;
create policy ver on parcelas_idas for select using (exists (
  select from experimentos e
  where e.id = parcelas_idas.experimento_id and e.organizacao_id = (select organizacao_atual())));
create policy criar on parcelas_idas for insert with check (exists (
  select from experimentos e
  where e.id = parcelas_idas.experimento_id and e.organizacao_id = (select organizacao_escrita())));

-- The same for who took the trial along and has no right to it now.
create or replace function guardar_registros(ensaio uuid, phone uuid, novos jsonb) returns setof uuid
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare pessoa uuid := pessoa_atual();
  declare ultima bigint;
  begin
    if not exists (select from public.pacotes_campo p
      where p.pessoa_id = pessoa and p.aparelho = phone and p.experimento_id = ensaio) then
      return;
    end if;
    perform from public.experimentos e where e.id = ensaio for update;
    select coalesce(max(r.ordem), 0) into ultima from public.registros r where r.experimento_id = ensaio;
    insert into public.registros (experimento_id, id, ordem, pessoa_id, origem, aparelho, seq, coletor, tipo,
        parcela, variavel, avaliacao, amostra, valor, motivo, base, quando, confirmado, estado, extra)
      select ensaio, n.id, ultima + row_number() over (order by n.seq), pessoa, 'campo', phone, n.seq, n.coletor,
        n.tipo, n.parcela, n.variavel, n.avaliacao, n.amostra, n.valor, n.motivo, n.base, n.quando, n.confirmado,
        'guardado', n.extra
      from jsonb_to_recordset(novos) as n (id uuid, seq integer, coletor text, tipo text, parcela uuid,
        variavel uuid, avaliacao uuid, amostra smallint, valor jsonb, motivo text, base uuid, quando timestamptz,
        confirmado boolean, extra jsonb)
      where n.parcela is null
        or exists (select from public.parcelas p where p.id = n.parcela and p.experimento_id = ensaio)
        or exists (select from public.parcelas_idas i where i.id = n.parcela and i.experimento_id = ensaio)
      on conflict do nothing;
    return query select r.id from public.registros r
      where r.experimento_id = ensaio and r.pessoa_id = pessoa and r.aparelho = phone
        and r.id in (select n.id from jsonb_to_recordset(novos) as n (id uuid));
  end $$;
