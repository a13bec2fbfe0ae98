-- Whoever lost the right and sends again what had been taken, because its answer was lost, is answered the same as then.
drop function guardar_registros(uuid, uuid, jsonb);
create function guardar_registros(ensaio uuid, phone uuid, novos jsonb) returns table (id uuid, estado text, encerrado boolean)
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  #variable_conflict use_column
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
    return query select r.id, r.estado::text, r.encerrado from public.registros r
      where r.experimento_id = ensaio and r.pessoa_id = pessoa and r.aparelho = phone
        and r.id in (select n.id from jsonb_to_recordset(novos) as n (id uuid));
  end $$;
