-- The field's half of the sheet: what is kept under an id while numbers and names change, every entry with who and
-- when, and the phones that make them.

-- Ten characters without I, L, O and U; from the random bytes of an id.
create function codigo_etiqueta() returns text language sql volatile
  as $$
    select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(b, i) & 31) + 1, 1), '')
    from (select uuid_send(gen_random_uuid()) as b offset 0) de, unnest(array[0, 1, 2, 3, 4, 5, 7, 9, 10, 11]) as i
  $$;

update fichas set corpo = corpo || jsonb_build_object(
  'parcelas', coalesce((
    select jsonb_agg(uma || jsonb_build_object('id', gen_random_uuid(), 'codigo', codigo_etiqueta()) order by n)
    from jsonb_array_elements(corpo -> 'parcelas') with ordinality as de (uma, n)), '[]'),
  'variaveis', coalesce((
    select jsonb_agg(uma || jsonb_build_object('id', gen_random_uuid()) order by n)
    from jsonb_array_elements(corpo -> 'variaveis') with ordinality as de (uma, n)), '[]'),
  'avaliacoes', coalesce((
    select jsonb_agg(uma || jsonb_build_object('id', gen_random_uuid()) order by n)
    from jsonb_array_elements(corpo -> 'avaliacoes') with ordinality as de (uma, n)), '[]'));

-- Beside each value the entry that put it there; words and days stand beside numbers that are absent.
alter table valores add column registros uuid[] not null default '{}';
alter table valores add column textos jsonb;

-- By which a plot and its label are found; the rest of it is in the sheet.
create table parcelas (
  id uuid primary key,
  experimento_id uuid not null references fichas on delete cascade,
  ordem smallint not null,
  numero integer not null,
  codigo text not null unique
);
create index parcelas_experimento on parcelas (experimento_id, ordem);
insert into parcelas (id, experimento_id, ordem, numero, codigo)
  select (uma ->> 'id')::uuid, f.experimento_id, n, (uma ->> 'numero')::integer, uma ->> 'codigo'
  from fichas f, jsonb_array_elements(f.corpo -> 'parcelas') with ordinality as de (uma, n);

-- Entries, corrections and deletions of cells, notes and photos. What its maker sent stays as it came.
create table registros (
  experimento_id uuid not null references experimentos on delete cascade,
  id uuid not null,
  -- In which they were taken: numbered under the trial's lock, so that none comes behind a later one.
  ordem bigint not null,
  pessoa_id uuid references auth.users on delete set null,
  origem text not null check (origem in ('campo', 'mesa', 'brapi')),
  aparelho uuid,
  seq integer,
  coletor text,
  tipo text not null,
  parcela uuid,
  variavel uuid,
  avaliacao uuid,
  amostra smallint,
  valor jsonb,
  motivo text,
  base uuid,
  quando timestamptz not null,
  recebido_em timestamptz not null default clock_timestamp(),
  confirmado boolean not null default false,
  -- Outside the limits of its variable when it came.
  fora boolean not null default false,
  estado text not null check (estado in ('aplicado', 'igual', 'conflito', 'guardado')),
  -- What stood in the cell then.
  revisao uuid,
  encerrado boolean not null default false,
  -- What else came with it.
  extra jsonb,
  primary key (experimento_id, id)
);
create unique index registros_ordem on registros (experimento_id, ordem);
create index registros_celula on registros (experimento_id, parcela, variavel);
create index registros_abertos on registros (experimento_id)
  where estado in ('conflito', 'guardado') and not encerrado;
create index registros_pessoa on registros (pessoa_id, aparelho, seq);

-- One browser profile on one phone, of one person.
create table aparelhos (
  pessoa_id uuid not null references auth.users on delete cascade,
  id uuid not null,
  criado_em timestamptz not null default clock_timestamp(),
  contato_em timestamptz not null default clock_timestamp(),
  -- Entries that it said are waiting there.
  pendentes integer not null default 0,
  -- Entries that came on this day: a flood ends.
  dia date not null default current_date,
  no_dia integer not null default 0,
  revogado_em timestamptz,
  primary key (pessoa_id, id)
);
-- Who took a trial along may bring back what was recorded in it, whatever has become of their right meanwhile.
create table pacotes_campo (
  pessoa_id uuid not null,
  aparelho uuid not null,
  experimento_id uuid not null references experimentos on delete cascade,
  levado_em timestamptz not null default clock_timestamp(),
  primary key (pessoa_id, aparelho, experimento_id),
  foreign key (pessoa_id, aparelho) references aparelhos (pessoa_id, id) on delete cascade
);
create index pacotes_campo_experimento on pacotes_campo (experimento_id);

do $$
declare tabela text;
begin
  foreach tabela in array array['parcelas', 'registros'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('create policy ver on %1$I for select using (exists (
      select from experimentos e where e.id = %1$I.experimento_id%2$s))', tabela,
      case when tabela = 'registros' then ' and e.organizacao_id = (select organizacao_atual())' else '' end);
    execute format('create policy criar on %1$I for insert with check (exists (
      select from experimentos e
      where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format('create policy mudar on %1$I for update using (exists (
      select from experimentos e
      where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format('create policy apagar on %1$I for delete using (exists (
      select from experimentos e
      where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
  end loop;
  foreach tabela in array array['aparelhos', 'pacotes_campo'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('create policy proprios on %I using (pessoa_id = (select pessoa_atual()))', tabela);
  end loop;
end $$;

-- Keeps what was recorded by who took the trial along and has no right to it now, or where it is deleted; tells
-- which ids it kept, and nothing of the trial.
create function guardar_registros(ensaio uuid, phone uuid, novos jsonb) returns setof uuid language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
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
      on conflict do nothing;
    return query select r.id from public.registros r
      where r.experimento_id = ensaio and r.pessoa_id = pessoa and r.aparelho = phone
        and r.id in (select n.id from jsonb_to_recordset(novos) as n (id uuid));
  end $$;

create or replace function esquecer_autores() returns trigger language plpgsql
  as $$
  begin
    update public.fichas set alterada_por = null, corpo = jsonb_set(corpo, '{exclusoes}', coalesce((
      select jsonb_agg(uma || '{"quem": null}' order by n)
      from jsonb_array_elements(corpo -> 'exclusoes') with ordinality as de (uma, n)
    ), '[]')) where experimento_id = new.id;
    update public.analises set quem = null, retirada_por = null, chave = null where experimento_id = new.id;
    update public.registros set pessoa_id = null, coletor = null, aparelho = null where experimento_id = new.id;
    return null;
  end $$;
-- What phones of the old owner still hold is not the new one's.
create function esquecer_pacotes() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    delete from public.pacotes_campo where experimento_id = new.id;
    return null;
  end $$;
create trigger esquecer_pacotes after update of organizacao_id on experimentos for each row
  when (old.organizacao_id is distinct from new.organizacao_id) execute function esquecer_pacotes();
