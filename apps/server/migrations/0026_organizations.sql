-- Records belong to organisations, and the wall between them stands here: whoever forgets a condition gets nothing.
-- Requests say in whose name they ask (ensaio.organizacao, ensaio.pessoa); who says nothing sees nothing.
create table organizacoes (
  id uuid primary key default gen_random_uuid(),
  nome text not null check (length(nome) between 1 and 120),
  tipo text not null check (tipo in ('consultoria', 'fabricante', 'fazenda', 'pessoal')),
  created_at timestamptz not null default now(),
  -- From then on nothing of it changes any more.
  fecha_em timestamptz
);

create table membros (
  organizacao_id uuid not null references organizacoes on delete cascade,
  pessoa_id uuid not null references auth.users on delete cascade,
  papel text not null check (papel in ('dono', 'gestor', 'pesquisador', 'leitor')),
  desde timestamptz not null default now(),
  primary key (pessoa_id, organizacao_id)
);
create index membros_organizacao on membros (organizacao_id, papel);

-- Trials that exactly the same organisations may see; each is in exactly one.
create table acervos (
  id integer generated always as identity primary key,
  organizacao_id uuid not null references organizacoes on delete cascade,
  colecoes integer[] not null default '{}',
  embargo boolean not null default false,
  unique (organizacao_id, colecoes, embargo)
);

-- What an organisation may see: kept by what changes it, so that no statement has to find it out.
create table visibilidade (
  organizacao_id uuid primary key references organizacoes on delete cascade,
  acervos integer[] not null default '{}',
  com_custos integer[] not null default '{}',
  com_documentos integer[] not null default '{}',
  com_comentarios integer[] not null default '{}'
);

-- One row. In the mode 'uma' everybody is a member of the one organisation.
create table instalacao (
  unica boolean primary key default true check (unica),
  organizacoes text not null default 'uma' check (organizacoes in ('uma', 'varias')),
  organizacao_id uuid not null references organizacoes
);

-- In whose name the connection asks; null when it does not say.
create function organizacao_atual() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('ensaio.organizacao', true), '')::uuid $$;
create function pessoa_atual() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('ensaio.pessoa', true), '')::uuid $$;

-- Whose new records are: of who asks, else of the only organisation that there is.
create function organizacao_padrao() returns uuid language sql stable
  as $$ select coalesce(organizacao_atual(), (select organizacao_id from instalacao where organizacoes = 'uma')) $$;

-- The acting organisation, if the acting person may change its records now; else null.
create function organizacao_escrita() returns uuid language sql stable
  as $$
    select m.organizacao_id from membros m join organizacoes o on o.id = m.organizacao_id
    where m.organizacao_id = organizacao_atual() and m.pessoa_id = pessoa_atual()
      and m.papel <> 'leitor' and o.fecha_em is null
  $$;

-- The acting organisation, if the acting person owns it; else null.
create function organizacao_dona() returns uuid language sql stable
  as $$
    select organizacao_id from membros
    where organizacao_id = organizacao_atual() and pessoa_id = pessoa_atual() and papel = 'dono'
  $$;

create function visiveis() returns integer[] language sql stable parallel safe
  as $$ select acervos from visibilidade where organizacao_id = organizacao_atual() $$;

-- Whether the acting organisation sees every trial with its costs: figures over all are for it alone.
create function ve_tudo() returns boolean language sql stable parallel restricted security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select coalesce((
      select not exists (select from public.acervos a where a.id <> all (v.com_custos))
      from public.visibilidade v where v.organizacao_id = public.organizacao_atual()
    ), false)
  $$;

-- The organisation that a person acts for: the one that is asked for, else the kept one, else the oldest.
create function filiacao(pessoa uuid, pedida uuid, guardada uuid)
  returns table (organizacao_id uuid, papel text) language sql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select m.organizacao_id, m.papel from public.membros m
    where m.pessoa_id = pessoa and (pedida is null or m.organizacao_id = pedida)
    order by m.organizacao_id is not distinct from guardada desc, m.desde, m.organizacao_id limit 1
  $$;

-- How many members an organisation has; null to who is none of them.
create function membros_de(organizacao uuid) returns bigint language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select count(*) from public.membros where organizacao_id = organizacao
    having bool_or(pessoa_id = public.pessoa_atual())
  $$;

-- An organisation begins with a set of its own trials, which it sees whole.
create function abrir_organizacao() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare acervo integer;
  begin
    insert into public.acervos (organizacao_id) values (new.id) returning id into acervo;
    insert into public.visibilidade (organizacao_id, acervos, com_custos, com_documentos, com_comentarios)
      values (new.id, array[acervo], array[acervo], array[acervo], array[acervo]);
    return null;
  end $$;
create trigger abrir_organizacao after insert on organizacoes
  for each row execute function abrir_organizacao();

-- In the mode 'uma': whoever registers researches for the one organisation, an administrator owns it.
create function filiar() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    insert into public.membros (organizacao_id, pessoa_id, papel)
      select i.organizacao_id, new.id, case new.app_role when 'admin' then 'dono' else 'pesquisador' end
      from public.instalacao i where i.organizacoes = 'uma'
      on conflict (pessoa_id, organizacao_id) do update set papel = excluded.papel;
    return null;
  end $$;
create trigger filiar_insert after insert on auth.users for each row execute function filiar();
create trigger filiar_update after update of app_role on auth.users
  for each row when (old.app_role is distinct from new.app_role) execute function filiar();

-- The one organisation, everybody in it, and every record its own. A column with a constant default is there at
-- once, whatever the rows; the constant is then put off.
insert into organizacoes (nome, tipo) values ('Ensaio', 'consultoria');
insert into instalacao (organizacao_id) select id from organizacoes;
insert into membros (organizacao_id, pessoa_id, papel, desde)
  select i.organizacao_id, u.id, case u.app_role when 'admin' then 'dono' else 'pesquisador' end, u.created_at
  from auth.users u cross join instalacao i;

do $$
declare
  dona uuid := (select organizacao_id from instalacao);
  acervo integer := (select id from acervos);
  tabela text;
begin
  foreach tabela in array array['experimentos', 'documentos', 'idempotencia', 'leituras', 'layouts'] loop
    execute format('alter table %I add column organizacao_id uuid not null default %L', tabela, dona);
    execute format('alter table %I alter column organizacao_id set default organizacao_padrao()', tabela);
    execute format(
      'alter table %I add foreign key (organizacao_id) references organizacoes on delete cascade not valid', tabela);
  end loop;
  execute format('alter table experimentos add column acervo_id integer not null default %s', acervo);
  alter table experimentos alter column acervo_id drop default;
  alter table experimentos add foreign key (acervo_id) references acervos not valid;
  foreach tabela in array array['contados', 'contados_modalidades', 'contados_produtos'] loop
    execute format('alter table %I add column acervo_id integer not null default %s', tabela, acervo);
    execute format('alter table %I alter column acervo_id drop default', tabela);
  end loop;
end $$;
create index contados_acervo on contados (acervo_id, amostra, id);
-- The planner knows the new columns from now on, not from the next time that somebody looks.
analyze experimentos (acervo_id, organizacao_id), contados (acervo_id), contados_modalidades (acervo_id),
  contados_produtos (acervo_id);

create function dar_acervo() returns trigger language plpgsql as $$
begin
  new.acervo_id := (
    select id from acervos where organizacao_id = new.organizacao_id and colecoes = '{}' and not embargo
  );
  return new;
end $$;
create trigger dar_acervo before insert or update of organizacao_id on experimentos
  for each row execute function dar_acervo();

-- What was unique on the whole server is unique within an organisation.
drop index experimentos_codigo_unico;
create unique index experimentos_codigo_unico on experimentos (organizacao_id, codigo_busca) include (id)
  where deleted_at is null and codigo_busca is not null;
alter table idempotencia drop constraint idempotencia_pkey, add primary key (user_id, organizacao_id, chave);
alter table leituras drop constraint leituras_pkey, add primary key (organizacao_id, sha256, motor);
alter table auth.sessions add column organizacao_id uuid references organizacoes on delete set null;

-- The wall. One function in a subselect runs once a statement.
alter table organizacoes enable row level security;
create policy ver on organizacoes for select using (
  id = (select organizacao_atual())
  or exists (select from membros m where m.organizacao_id = organizacoes.id and m.pessoa_id = (select pessoa_atual()))
);
create policy mudar on organizacoes for update using (id = (select organizacao_dona()));
alter table membros enable row level security;
create policy ver on membros for select using (
  organizacao_id = (select organizacao_atual()) or pessoa_id = (select pessoa_atual())
);
alter table acervos enable row level security;
create policy ver on acervos for select using (organizacao_id = (select organizacao_atual()));
alter table visibilidade enable row level security;
create policy ver on visibilidade for select using (organizacao_id = (select organizacao_atual()));

alter table experimentos enable row level security;
create policy ver on experimentos for select using (
  acervo_id = any ((select visiveis())::integer[])
  and (deleted_at is null or organizacao_id = (select organizacao_atual()))
);
create policy criar on experimentos for insert with check (organizacao_id = (select organizacao_escrita()));
create policy mudar on experimentos for update using (organizacao_id = (select organizacao_escrita()));
create policy apagar on experimentos for delete using (organizacao_id = (select organizacao_escrita()));

-- What hangs on a trial is seen with it and changed by its own organisation. A statement that brings the trial and
-- its parts at once does not see the trial yet: its parts are held against it when it is done (`cercar`).
do $$
declare tabela text;
begin
  foreach tabela in array array['tratamentos', 'produtos_aplicados', 'analises_adicionais'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format(
      'create policy ver on %1$I for select using (
         exists (select from experimentos e where e.id = %1$I.experimento_id))', tabela);
    execute format(
      'create policy criar on %I for insert with check ((select organizacao_escrita()) is not null)', tabela);
    execute format(
      'create policy mudar on %1$I for update using (exists (
         select from experimentos e
         where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
    execute format(
      'create policy apagar on %1$I for delete using (exists (
         select from experimentos e
         where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
  end loop;
end $$;

alter table alteracoes enable row level security;
create policy ver on alteracoes for select using (exists (
  select from experimentos e
  where e.id = alteracoes.experimento_id and e.organizacao_id = (select organizacao_atual())
));
create policy criar on alteracoes for insert with check ((select organizacao_escrita()) is not null);

create function cercar() returns trigger language plpgsql as $$
begin
  if row_security_active(tg_relid) and exists (
    select from mudadas m where not exists (
      select from experimentos e
      where e.id = m.experimento_id and e.organizacao_id = (select organizacao_escrita())
    )
  ) then
    raise insufficient_privilege using message = 'parts of a trial that is not of the acting organisation';
  end if;
  return null;
end $$;
create trigger cercar after insert on tratamentos
  referencing new table as mudadas for each statement execute function cercar();
create trigger cercar after insert on produtos_aplicados
  referencing new table as mudadas for each statement execute function cercar();
create trigger cercar after insert on analises_adicionais
  referencing new table as mudadas for each statement execute function cercar();
create trigger cercar after insert on alteracoes
  referencing new table as mudadas for each statement execute function cercar();

alter table documentos enable row level security;
create policy ver on documentos for select using (
  case
    when experimento_id is null then organizacao_id = (select organizacao_atual())
    else exists (select from experimentos e where e.id = documentos.experimento_id)
  end
);
create policy criar on documentos for insert with check (
  organizacao_id = (select organizacao_escrita())
  and (experimento_id is null or exists (
    select from experimentos e where e.id = documentos.experimento_id and e.organizacao_id = documentos.organizacao_id
  ))
);
create policy mudar on documentos for update using (organizacao_id = (select organizacao_escrita()));
create policy apagar on documentos for delete using (organizacao_id = (select organizacao_escrita()));

alter table idempotencia enable row level security;
create policy usar on idempotencia
  using (user_id = (select pessoa_atual()) and organizacao_id = (select organizacao_atual()));
alter table leituras enable row level security;
create policy usar on leituras using (organizacao_id = (select organizacao_atual()));
alter table layouts enable row level security;
create policy usar on layouts using (organizacao_id = (select organizacao_atual()));

-- Figures: of each trial to whoever sees it, over all of them to whoever sees them all.
do $$
declare tabela text;
begin
  foreach tabela in array array['contados', 'contados_modalidades', 'contados_produtos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format(
      'create policy ver on %I for select using (acervo_id = any ((select visiveis())::integer[]))', tabela);
  end loop;
  foreach tabela in array array['celulas', 'celulas_modalidade', 'celulas_produto', 'celulas_consultoria', 'margens',
    'margens_produto', 'margens_lugar'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('create policy ver on %I for select using ((select ve_tudo()))', tabela);
  end loop;
end $$;

-- What rest/v1 publishes is read with the right of who asks, not of who made the view.
create or replace view publicado.experimentos with (security_invoker = true) as
select
  e.id,
  c.nome_cultura || ' - ' || k.nome || ' - ' || e.ano as nome,
  null::text as descricao,
  null::date as data_inicio,
  null::date as data_fim,
  'ativo'::text as status,
  e.cultura_id,
  e.cidade_id as localizacao_id,
  null::integer as solo_id,
  case when e.organizacao_id = (select public.organizacao_atual()) then e.created_by end as pesquisador_id,
  e.created_at,
  e.updated_at
from public.experimentos e
join public.culturas c on c.id = e.cultura_id
join public.consultorias k on k.id = e.consultoria_id
where e.deleted_at is null and current_setting('ensaio.papel', true) = 'authenticated';
alter view publicado.culturas set (security_invoker = true);
alter view publicado.fabricantes set (security_invoker = true);
alter view publicado.regioes set (security_invoker = true);
alter view publicado.estados set (security_invoker = true);
alter view publicado.protocolos_experimentos set (security_invoker = true);
do $$
begin
  grant select on public.culturas, public.consultorias, public.fabricantes, public.regioes, public.estados,
    public.visibilidade to ensaio_rest;
  grant select (id, cultura_id, consultoria_id, cidade_id, regiao_id, fabricante_id, ano, bu, roi, custo_protocolo,
    created_by, created_at, updated_at, deleted_at, organizacao_id, acervo_id) on public.experimentos to ensaio_rest;
  grant select (experimento_id, ordem, nome) on public.tratamentos to ensaio_rest;
exception when undefined_object then
  raise notice 'rest/v1 goes without a role of its own';
end $$;
