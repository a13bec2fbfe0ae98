-- Several organisations: members, invitations, and who else may see a trial. What crosses from one organisation to
-- another goes through functions of the tables' owner; everything else is held by row policies.
create function hoje() returns date language sql stable parallel safe
  as $$ select (now() at time zone 'America/Sao_Paulo')::date $$;
-- A day that ends something still counts, as it ends in Brasília.
create function fim_do_dia(dia date) returns timestamptz language sql stable parallel safe
  as $$ select (dia + 1)::timestamp at time zone 'America/Sao_Paulo' $$;

-- Twelve letters and digits that are not mistaken for each other, from the random bytes of a UUID (all but 6 to 8).
create function novo_codigo() returns text language sql volatile
  as $$
    select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', get_byte(b, i) % 32 + 1, 1), '' order by i)
    from uuid_send(gen_random_uuid()) b, unnest(array[0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14]) i
  $$;
alter table organizacoes add column codigo text;
update organizacoes set codigo = novo_codigo();
alter table organizacoes alter column codigo set not null, alter column codigo set default novo_codigo(),
  add constraint organizacoes_codigo_unico unique (codigo);

-- How an organisation writes a name that another one typed first and nobody has made public.
create table grafias (
  organizacao_id uuid not null references organizacoes on delete cascade,
  tabela text not null,
  nome_id integer not null,
  nome text not null,
  primary key (organizacao_id, tabela, nome_id)
);
create index grafias_nome on grafias (tabela, nome_id);

create table convites (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null references organizacoes on delete cascade,
  email text not null,
  papel text not null check (papel in ('dono', 'gestor', 'pesquisador', 'leitor')),
  token_hash bytea not null unique,
  quem uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  expira_em timestamptz not null default now() + interval '7 days',
  -- Used, declined, revoked or followed by a newer one.
  encerrado_em timestamptz
);
create index convites_organizacao on convites (organizacao_id, created_at);
create index convites_email on convites (email) where encerrado_em is null;

-- Named sets of an organisation's own trials; 'avulsos' are those that one share after the other opened singly.
create table colecoes (
  id integer generated always as identity primary key,
  chave uuid not null unique default gen_random_uuid(),
  organizacao_id uuid not null references organizacoes on delete cascade,
  nome text not null check (length(nome) between 1 and 120),
  tipo text not null check (tipo in ('filtro', 'lista', 'avulsos')),
  filtro jsonb,
  -- A part of a product's name, as `like` takes it.
  produto text,
  -- False while its trials are being sorted: nobody else sees it then. Each change of what it holds has its number, so
  -- that a sorting by the one before does not end it.
  pronta boolean not null default true,
  versao integer not null default 0,
  destino_id uuid references organizacoes on delete cascade,
  custos boolean,
  documentos boolean,
  comentarios boolean,
  ate date,
  created_at timestamptz not null default now(),
  check ((tipo = 'filtro') = (filtro is not null)),
  check ((tipo = 'avulsos') = (destino_id is not null))
);
create unique index colecoes_avulsos on colecoes (organizacao_id, destino_id, custos, documentos, comentarios, ate)
  nulls not distinct where tipo = 'avulsos';
create index colecoes_organizacao on colecoes (organizacao_id);
create index colecoes_por_classificar on colecoes (id) where not pronta;
create index experimentos_organizacao on experimentos (organizacao_id, id);
create table colecao_experimentos (
  colecao_id integer not null references colecoes on delete cascade,
  experimento_id uuid not null references experimentos on delete cascade,
  primary key (colecao_id, experimento_id)
);
create index colecao_experimentos_experimento on colecao_experimentos (experimento_id);

create table compartilhamentos (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null references organizacoes on delete cascade,
  -- Known at once by its code, else when the owner of the address accepts.
  destino_id uuid references organizacoes on delete cascade,
  email text,
  alvo text not null check (alvo in ('colecao', 'experimento', 'tudo')),
  -- The collection; of a single trial, the list of single ones that it is in.
  colecao_id integer references colecoes on delete set null,
  experimento_id uuid references experimentos on delete cascade,
  -- What it is called, also when it is gone.
  nome text not null,
  custos boolean not null,
  documentos boolean not null,
  comentarios boolean not null,
  -- The last day on which it holds.
  ate date,
  estado text not null default 'pendente'
    check (estado in ('pendente', 'aceito', 'recusado', 'revogado', 'vencido')),
  quem uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  check (custos or not documentos),
  check (destino_id is distinct from organizacao_id),
  check (destino_id is not null or email is not null),
  check ((alvo = 'experimento') = (experimento_id is not null))
);
create index compartilhamentos_organizacao on compartilhamentos (organizacao_id, estado);
create index compartilhamentos_destino on compartilhamentos (destino_id, estado);
create index compartilhamentos_email on compartilhamentos (email) where destino_id is null;
create index compartilhamentos_colecao on compartilhamentos (colecao_id);
create index compartilhamentos_experimento on compartilhamentos (experimento_id);

create table links_publicos (
  id uuid primary key default gen_random_uuid(),
  experimento_id uuid not null references experimentos on delete cascade,
  organizacao_id uuid not null references organizacoes on delete cascade,
  token_hash bytea not null unique,
  ate date not null,
  custos boolean not null,
  documentos boolean not null,
  senha_hash text,
  quem uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  aberturas integer not null default 0,
  aberto_em date,
  revogado_em timestamptz,
  check (custos or not documentos)
);
create index links_publicos_experimento on links_publicos (experimento_id);

create table comentarios (
  id uuid primary key default gen_random_uuid(),
  experimento_id uuid not null references experimentos on delete cascade,
  -- Of who wrote it, which another organisation reads in place of the name.
  organizacao_id uuid references organizacoes on delete set null,
  autor uuid references auth.users on delete set null,
  texto text not null check (length(texto) between 1 and 2000),
  quando timestamptz not null default clock_timestamp()
);
create index comentarios_experimento on comentarios (experimento_id, quando);

create table transferencias (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null references organizacoes on delete cascade,
  destino_id uuid not null references organizacoes on delete cascade,
  experimentos uuid[] not null,
  estado text not null default 'pendente' check (estado in ('pendente', 'aceita', 'recusada')),
  quem uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  expira_em timestamptz not null default now() + interval '14 days',
  check (destino_id <> organizacao_id)
);
create index transferencias_organizacao on transferencias (organizacao_id);
create index transferencias_destino on transferencias (destino_id);

-- What happened in an organisation, numbered within it; nobody rewrites it.
create table atividades (
  -- What it tells outlives the organisation.
  organizacao_id uuid not null,
  numero integer not null,
  quando timestamptz not null default clock_timestamp(),
  acao text not null,
  quem uuid,
  -- In whose name: another's people are told by their organisation.
  em_nome_de uuid,
  detalhes jsonb not null default '{}',
  primary key (organizacao_id, numero)
);

-- What remains of an organisation that was destroyed.
create table organizacoes_encerradas (
  id uuid primary key,
  created_at timestamptz not null,
  fecha_em timestamptz not null,
  destruida_em timestamptz not null default now()
);

-- Sums over exactly some sets, kept for an organisation that sees much; costs and returns of some of them only.
create table visoes (
  id integer generated always as identity primary key,
  organizacao_id uuid not null unique references organizacoes on delete cascade,
  acervos integer[] not null default '{}',
  com_custos integer[] not null default '{}'
);
insert into visoes (organizacao_id, acervos, com_custos)
  select v.organizacao_id, v.acervos, v.com_custos
  from visibilidade v join instalacao i on i.organizacao_id = v.organizacao_id;
do $$
declare
  chaves jsonb := '{
    "celulas": "cultura_id, ano, regiao_id, fabricante_id, bu",
    "celulas_modalidade": "cultura_id, ano, regiao_id, fabricante_id, bu, modalidade_id",
    "celulas_produto": "cultura_id, ano, regiao_id, fabricante_id, bu, produto_id",
    "celulas_consultoria": "cultura_id, ano, regiao_id, fabricante_id, bu, consultoria_id",
    "margens": "filtro, chave, por, valor",
    "margens_produto": "filtro, chave, produto_id, fabricante_id",
    "margens_lugar": "filtro, chave, lugar, cidade_id"
  }';
  tabela text;
begin
  for tabela in select jsonb_object_keys(chaves) loop
    execute format('alter table %I add column visao_id integer not null default %s', tabela, (select id from visoes));
    execute format('alter table %I alter column visao_id drop default', tabela);
    execute format('alter table %1$I drop constraint %1$s_pkey, add primary key (visao_id, %2$s)',
      tabela, chaves ->> tabela);
  end loop;
end $$;

alter table experimentos add column embargo_ate date;
alter table visibilidade add column valida_ate timestamptz;
create index experimentos_embargo on experimentos (embargo_ate) where embargo_ate is not null;
create index experimentos_acervo on experimentos (acervo_id, created_at desc, id desc);

-- The acting organisation, if the acting person may open it to others now; else null.
create function organizacao_gerida() returns uuid language sql stable
  as $$
    select m.organizacao_id from membros m join organizacoes o on o.id = m.organizacao_id
    where m.organizacao_id = organizacao_atual() and m.pessoa_id = pessoa_atual()
      and m.papel in ('dono', 'gestor') and o.fecha_em is null
  $$;
-- The acting person's address, once it is confirmed.
create function meu_email() returns text language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select email from auth.users where id = public.pessoa_atual() and email_confirmed_at is not null
  $$;
create function organizacao_do_codigo(pedido text) returns uuid language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$ select id from public.organizacoes where codigo = pedido and fecha_em is null $$;
-- The organisation that a person acts for, whether it is closed, and whether there may be several.
drop function filiacao(uuid, uuid, uuid);
create function filiacao(pessoa uuid, pedida uuid, guardada uuid)
  returns table (organizacao_id uuid, papel text, fechada boolean, varias boolean)
  language sql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select m.organizacao_id, m.papel, o.fecha_em is not null,
      (select organizacoes = 'varias' from public.instalacao)
    from public.membros m join public.organizacoes o on o.id = m.organizacao_id
    where m.pessoa_id = pessoa and (pedida is null or m.organizacao_id = pedida)
    order by m.organizacao_id is not distinct from guardada desc, m.desde, m.organizacao_id limit 1
  $$;
-- Begins to act in somebody's name: for who is not, or no longer, a member it is nobody's, and nothing is shown. A
-- public link is read in the name of its organisation by no person, the nil id.
create function entrar(organizacao uuid, pessoa uuid) returns void language sql volatile security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select set_config('ensaio.pessoa', pessoa::text, false),
      set_config('ensaio.organizacao', case
        when pessoa = '00000000-0000-0000-0000-000000000000' or exists (
          select from public.membros m join auth.users u on u.id = m.pessoa_id and u.blocked_at is null
          where m.pessoa_id = pessoa and m.organizacao_id = organizacao)
        then organizacao::text else '' end, false),
      -- Where names are spelt in several ways, they are read through the views that know it.
      case when exists (select from public.grafias) then set_config('search_path', 'grafado, public', false) end
  $$;
-- The name of an organisation that the acting one has to do with; else null.
create function nome_de(outra uuid) returns text language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select o.nome from public.organizacoes o, (select public.organizacao_atual() as id) eu
    where o.id = outra and (
      o.id = eu.id
      or exists (select from public.membros m where m.organizacao_id = o.id and m.pessoa_id = public.pessoa_atual())
      or exists (
        select from public.compartilhamentos s where s.organizacao_id = o.id
          and (s.destino_id = eu.id or s.destino_id is null and s.email = public.meu_email()))
      or exists (select from public.compartilhamentos s where s.organizacao_id = eu.id and s.destino_id = o.id)
      or exists (
        select from public.transferencias t
        where (t.organizacao_id, t.destino_id) in ((eu.id, o.id), (o.id, eu.id)))
    )
  $$;

-- Writes down what happened, in an organisation's own numbering.
create function anotar(organizacao uuid, o_que text, mais jsonb default '{}', em_nome uuid default null) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('atividades ' || organizacao, 0));
    insert into public.atividades (organizacao_id, numero, acao, quem, em_nome_de, detalhes)
      select organizacao, coalesce(max(numero), 0) + 1, o_que, public.pessoa_atual(), coalesce(em_nome, public.organizacao_atual()), mais
      from public.atividades where organizacao_id = organizacao;
  end $$;

-- What an organisation reaches now: its own sets, and those that accepted shares open.
create function alcance(organizacao uuid)
  returns table (acervo_id integer, custos boolean, documentos boolean, comentarios boolean, ate date)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select id, true, true, true, null::date from public.acervos where organizacao_id = organizacao
    union all
    select a.id, s.custos, s.documentos, s.comentarios, s.ate
    from public.compartilhamentos s
    join public.acervos a on a.organizacao_id = s.organizacao_id and not a.embargo
    left join public.colecoes c on c.id = s.colecao_id
    where s.destino_id = organizacao and s.estado = 'aceito'
      and (s.ate is null or s.ate >= public.hoje())
      and (s.alvo = 'tudo' or c.pronta and s.colecao_id = any (a.colecoes))
  $$;

-- Keeps what the organisations see; the row is locked before it is made anew, so that the last to look is right.
create function rever_visibilidade(organizacoes uuid[]) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    perform from public.visibilidade where organizacao_id = any (organizacoes) order by organizacao_id for update;
    -- Open dashboards of theirs hear of it as of a change of their own.
    perform pg_notify('experimentos', id::text) from (
      select min(id) as id from public.acervos where organizacao_id = any (organizacoes) group by organizacao_id) a;
    update public.visibilidade v set acervos = n.acervos, com_custos = n.com_custos,
      com_documentos = n.com_documentos, com_comentarios = n.com_comentarios, valida_ate = n.valida_ate
    from (
      select o.id,
        coalesce(array_agg(distinct a.acervo_id), '{}') as acervos,
        coalesce(array_agg(distinct a.acervo_id) filter (where a.custos), '{}') as com_custos,
        coalesce(array_agg(distinct a.acervo_id) filter (where a.documentos), '{}') as com_documentos,
        coalesce(array_agg(distinct a.acervo_id) filter (where a.comentarios), '{}') as com_comentarios,
        min(public.fim_do_dia(a.ate)) as valida_ate
      from unnest(organizacoes) o (id) left join lateral public.alcance(o.id) a on true group by o.id
    ) n where n.id = v.organizacao_id;
  end $$;

-- What is kept, until the first of the shares behind it ends; from then on what holds at that moment.
create or replace function visiveis() returns integer[] language sql stable parallel restricted
  as $$
    select case when valida_ate is null or valida_ate > now() then acervos
      else array(select distinct acervo_id from alcance(organizacao_id) order by 1) end
    from visibilidade where organizacao_id = organizacao_atual()
  $$;
create function com_custos() returns integer[] language sql stable parallel restricted
  as $$
    select case when valida_ate is null or valida_ate > now() then com_custos
      else array(select distinct acervo_id from alcance(organizacao_id) where custos order by 1) end
    from visibilidade where organizacao_id = organizacao_atual()
  $$;
create function com_documentos() returns integer[] language sql stable parallel restricted
  as $$
    select case when valida_ate is null or valida_ate > now() then com_documentos
      else array(select distinct acervo_id from alcance(organizacao_id) where documentos order by 1) end
    from visibilidade where organizacao_id = organizacao_atual()
  $$;
create function com_comentarios() returns integer[] language sql stable parallel restricted
  as $$
    select case when valida_ate is null or valida_ate > now() then com_comentarios
      else array(select distinct acervo_id from alcance(organizacao_id) where comentarios order by 1) end
    from visibilidade where organizacao_id = organizacao_atual()
  $$;
-- The sums that hold exactly what the acting organisation sees, and no cost that it does not; null when there are none.
create function visao_atual() returns integer language sql stable parallel restricted security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select id from public.visoes
    where organizacao_id = public.organizacao_atual()
      and acervos = public.visiveis() and com_custos = public.com_custos()
  $$;

create function rever_depois_de_acervo() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    perform public.rever_visibilidade(array(
      select new.organizacao_id union
      select destino_id from public.compartilhamentos
      where organizacao_id = new.organizacao_id and estado = 'aceito' and destino_id is not null
    ));
    -- A set that nothing has been put into adds nothing to sums: they stay what is seen.
    update public.visoes v set acervos = b.acervos, com_custos = b.com_custos from public.visibilidade b
      where b.organizacao_id = v.organizacao_id and new.id = any (b.acervos)
        and array_remove(b.acervos, new.id) = v.acervos and array_remove(b.com_custos, new.id) = v.com_custos;
    return null;
  end $$;
create trigger rever_acervo after insert on acervos for each row execute function rever_depois_de_acervo();

create or replace function abrir_organizacao() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    insert into public.visibilidade (organizacao_id) values (new.id);
    insert into public.acervos (organizacao_id) values (new.id);
    return null;
  end $$;

create function rever_depois_de_compartilhar() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare tocadas uuid[] := array_remove(array[
    case when tg_op <> 'INSERT' then old.destino_id end, case when tg_op <> 'DELETE' then new.destino_id end], null);
  begin
    if tocadas <> '{}' then perform public.rever_visibilidade(tocadas); end if;
    return null;
  end $$;
create trigger rever_compartilhamento after insert or update or delete on compartilhamentos
  for each row execute function rever_depois_de_compartilhar();
create function rever_depois_de_colecao() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    perform public.rever_visibilidade(array(
      select distinct destino_id from public.compartilhamentos
      where colecao_id = new.id and estado = 'aceito' and destino_id is not null
    ));
    return null;
  end $$;
create trigger rever_colecao after update of pronta on colecoes
  for each row when (old.pronta is distinct from new.pronta) execute function rever_depois_de_colecao();

-- Numbers of a name as an organisation writes it, besides those of who writes it so for everybody.
create function chamados(organizacao uuid, de text, comuns integer[], como text) returns integer[] language sql stable
  as $$
    select comuns || array(
      select g.nome_id from grafias g where g.organizacao_id = organizacao and g.tabela = de and g.nome = como)
  $$;
-- Whether a trial is in a collection of its organisation.
create function pertence(e experimentos, c colecoes) returns boolean language sql stable
  as $$
    select case c.tipo when 'filtro' then
      (coalesce(c.filtro ->> 'cultura', '') = ''
        or e.cultura_id = any (chamados(c.organizacao_id, 'culturas',
          array(select id from culturas where nome_cultura = c.filtro ->> 'cultura'), c.filtro ->> 'cultura')))
      and (coalesce(c.filtro ->> 'regional', '') = ''
        or e.regiao_id = any (chamados(c.organizacao_id, 'regioes',
          array(select id from regioes where nome = c.filtro ->> 'regional'), c.filtro ->> 'regional')))
      and (coalesce(c.filtro ->> 'marca', '') = ''
        or e.fabricante_id = any (chamados(c.organizacao_id, 'fabricantes',
          array(select id from fabricantes where nome = c.filtro ->> 'marca'), c.filtro ->> 'marca')))
      and (coalesce(c.filtro ->> 'consultoria', '') = ''
        or e.consultoria_id = any (chamados(c.organizacao_id, 'consultorias',
          array(select id from consultorias where nome = c.filtro ->> 'consultoria'), c.filtro ->> 'consultoria')))
      and (coalesce(c.filtro ->> 'ano', '') = '' or e.ano::text = c.filtro ->> 'ano')
      and (coalesce(c.filtro ->> 'bu', '') = '' or 'BU' || e.bu = c.filtro ->> 'bu')
      and (c.produto is null or exists (
        select from produtos_aplicados a join produtos p on p.id = a.produto_id
        where a.experimento_id = e.id and p.busca like c.produto))
    else exists (
      select from colecao_experimentos x where x.colecao_id = c.id and x.experimento_id = e.id)
    end
  $$;

-- The set of trials that the same collections hold, made when there is none yet.
create function acervo_de(e experimentos) returns integer language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    dentro integer[] := array(
      select c.id from public.colecoes c
      where c.organizacao_id = e.organizacao_id and public.pertence(e, c) order by c.id);
    embargado boolean := coalesce(e.embargo_ate > public.hoje(), false);
    acervo integer;
  begin
    select id into acervo from public.acervos
      where organizacao_id = e.organizacao_id and colecoes = dentro and embargo = embargado;
    if acervo is null then
      insert into public.acervos (organizacao_id, colecoes, embargo) values (e.organizacao_id, dentro, embargado)
        on conflict do nothing returning id into acervo;
      if acervo is null then
        select id into acervo from public.acervos
          where organizacao_id = e.organizacao_id and colecoes = dentro and embargo = embargado;
      end if;
    end if;
    return acervo;
  end $$;
revoke execute on function acervo_de(experimentos) from public;
-- Puts a trial into its set. Where that is another one the trial is locked and looked at again: what somebody else
-- has changed meanwhile counts.
create function classificar(experimento uuid) returns boolean language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    e public.experimentos;
    acervo integer;
  begin
    select * into e from public.experimentos where id = experimento;
    if not found or public.acervo_de(e) = e.acervo_id then return false; end if;
    select * into e from public.experimentos where id = experimento for update;
    if not found then return false; end if;
    acervo := public.acervo_de(e);
    if acervo = e.acervo_id then return false; end if;
    update public.experimentos set acervo_id = acervo where id = experimento;
    return true;
  end $$;

-- At the commit, so that no path forgets it and a trial is sorted with all that hangs on it.
create function classificar_depois() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    if new.embargo_ate is not null
      or exists (select from public.colecoes where organizacao_id = new.organizacao_id)
      or not exists (
        select from public.acervos a
        where a.id = new.acervo_id and a.organizacao_id = new.organizacao_id and a.colecoes = '{}' and not a.embargo)
    then
      perform public.classificar(new.id);
    end if;
    return null;
  end $$;
create constraint trigger classificar_inserido after insert on experimentos
  deferrable initially deferred for each row execute function classificar_depois();
create constraint trigger classificar_mudado after update on experimentos
  deferrable initially deferred for each row
  when (old.versao is distinct from new.versao or old.embargo_ate is distinct from new.embargo_ate
    or old.organizacao_id is distinct from new.organizacao_id)
  execute function classificar_depois();
-- A new trial is its organisation's alone until then.
create or replace function dar_acervo() returns trigger language plpgsql as $$
begin
  new.acervo_id := (
    select id from acervos where organizacao_id = new.organizacao_id and colecoes = '{}' and not embargo
  );
  return new;
end $$;

-- Sorts the next trials of an organisation by one of its collections; answers the last, or null at the end.
create function classificar_lote(qual integer, depois uuid, quantos integer) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    c public.colecoes;
    um record;
    ultimo uuid;
  begin
    select * into c from public.colecoes where id = qual;
    for um in
      select e.id, (c.id = any (a.colecoes)) is distinct from public.pertence(e, c) as muda
      from public.experimentos e join public.acervos a on a.id = e.acervo_id
      where e.organizacao_id = c.organizacao_id and e.id > depois order by e.id limit quantos
    loop
      if um.muda then perform public.classificar(um.id); end if;
      ultimo := um.id;
    end loop;
    return ultimo;
  end $$;
-- The same for what was in a collection that is gone, some at a time; answers how many.
create function reclassificar_sem(qual integer, quantos integer) returns integer language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    um uuid;
    n integer := 0;
  begin
    if exists (select from public.colecoes where id = qual) then return 0; end if;
    for um in
      select e.id from public.acervos a join public.experimentos e on e.acervo_id = a.id
      where qual = any (a.colecoes) limit quantos
    loop
      perform public.classificar(um);
      n := n + 1;
    end loop;
    return n;
  end $$;

-- Single trials that are shared with an organisation on the same terms are in one list; answers those that moved.
create function assentar_avulsos(experimento uuid) returns boolean language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare dona uuid := (select organizacao_id from public.experimentos where id = experimento);
  begin
    insert into public.colecoes (organizacao_id, nome, tipo, destino_id, custos, documentos, comentarios, ate)
      select distinct dona, 'avulsos', 'avulsos', s.destino_id, s.custos, s.documentos, s.comentarios, s.ate
      from public.compartilhamentos s
      where s.experimento_id = experimento and s.estado = 'aceito' and s.destino_id is not null
        and s.organizacao_id = dona
      on conflict do nothing;
    update public.compartilhamentos s set colecao_id = c.id from public.colecoes c
      where s.experimento_id = experimento and s.estado = 'aceito' and c.tipo = 'avulsos'
        and c.organizacao_id = s.organizacao_id and c.destino_id = s.destino_id
        and (c.custos, c.documentos, c.comentarios) = (s.custos, s.documentos, s.comentarios)
        and c.ate is not distinct from s.ate and s.colecao_id is distinct from c.id;
    delete from public.colecao_experimentos x using public.colecoes c
      where x.experimento_id = experimento and c.id = x.colecao_id and c.tipo = 'avulsos'
        and not exists (
          select from public.compartilhamentos s
          where s.experimento_id = experimento and s.colecao_id = c.id and s.estado = 'aceito');
    insert into public.colecao_experimentos (colecao_id, experimento_id)
      select distinct s.colecao_id, experimento from public.compartilhamentos s
      where s.experimento_id = experimento and s.estado = 'aceito' and s.colecao_id is not null
      on conflict do nothing;
    return public.classificar(experimento);
  end $$;

-- The acting organisation's answer to what it was offered; null when there is no such offer.
create function responder_compartilhamento(qual uuid, aceita boolean) returns uuid language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    s public.compartilhamentos;
    eu uuid := public.organizacao_gerida();
  begin
    select * into s from public.compartilhamentos where id = qual for update;
    if eu is null or s.id is null or s.estado <> 'pendente' or s.organizacao_id = eu
      or s.ate < public.hoje()
      or not (s.destino_id = eu or s.destino_id is null and s.email = public.meu_email())
    then return null; end if;
    -- Who refuses what came by an address does not tell whose it is.
    update public.compartilhamentos set destino_id = case when aceita then eu else destino_id end,
      estado = case when aceita then 'aceito' else 'recusado' end where id = qual;
    if aceita and s.experimento_id is not null then perform public.assentar_avulsos(s.experimento_id); end if;
    perform public.anotar(s.organizacao_id, case when aceita then 'share.accepted' else 'share.declined' end,
      jsonb_build_object('compartilhamento', qual),
      case when not aceita and s.destino_id is null then '00000000-0000-0000-0000-000000000000'::uuid end);
    if s.destino_id is null or aceita then
      perform public.anotar(eu, case when aceita then 'share.accepted' else 'share.declined' end,
        jsonb_build_object('compartilhamento', qual));
    end if;
    return s.organizacao_id;
  end $$;

-- Ends a share, whichever side of it the acting organisation is; null when it is of neither.
create function encerrar_compartilhamento(qual uuid) returns uuid language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    s public.compartilhamentos;
    eu uuid := public.organizacao_gerida();
  begin
    select * into s from public.compartilhamentos where id = qual for update;
    if eu is null or s.id is null or s.estado not in ('pendente', 'aceito')
      or not (s.organizacao_id = eu or s.destino_id = eu and s.estado = 'aceito')
    then return null; end if;
    update public.compartilhamentos set estado = 'revogado' where id = qual;
    if s.experimento_id is not null then perform public.assentar_avulsos(s.experimento_id); end if;
    perform public.anotar(s.organizacao_id,
      case when s.organizacao_id = eu then 'share.revoked' else 'share.left' end,
      jsonb_build_object('compartilhamento', qual));
    if s.organizacao_id <> eu then
      perform public.anotar(eu, 'share.left', jsonb_build_object('compartilhamento', qual));
    end if;
    return s.organizacao_id;
  end $$;

-- The trials of a share that are there now, for who may see it: of an offer not accepted, to its sender alone.
create function tamanho_do_compartilhamento(qual uuid) returns bigint language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select case
      when s.organizacao_id <> public.organizacao_atual() and (s.estado <> 'aceito' or s.ate < public.hoje()) then null
      when s.alvo = 'experimento' then (
        select count(*) from public.experimentos e
        where e.id = s.experimento_id and e.deleted_at is null
          and (s.organizacao_id = public.organizacao_atual() or coalesce(e.embargo_ate <= public.hoje(), true)))
      else (
        select count(*) from public.experimentos e join public.acervos a on a.id = e.acervo_id
        where a.organizacao_id = s.organizacao_id and e.deleted_at is null
          and (s.alvo = 'tudo' or s.colecao_id = any (a.colecoes))
          and (not a.embargo or s.organizacao_id = public.organizacao_atual()))
    end
    from public.compartilhamentos s
    where s.id = qual and (s.organizacao_id = public.organizacao_atual() or s.destino_id = public.organizacao_atual())
  $$;

-- An invitation that still holds, by the hash of its token, or by its id for the owner of its address.
create function convite_aberto(hash bytea, qual uuid) returns setof convites language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select c.* from public.convites c join public.organizacoes o on o.id = c.organizacao_id and o.fecha_em is null
    where c.encerrado_em is null and c.expira_em > now()
      and (c.token_hash = hash or c.id = qual and c.email = public.meu_email())
  $$;
create function nome_do_convite(hash bytea, qual uuid) returns text language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select o.nome from public.convite_aberto(hash, qual) c join public.organizacoes o on o.id = c.organizacao_id
  $$;
-- Those that wait for the acting person.
create function meus_convites() returns table (id uuid, organizacao text, papel text, expira_em timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select c.id, o.nome, c.papel, c.expira_em
    from public.convites c join public.organizacoes o on o.id = c.organizacao_id and o.fecha_em is null
    where c.email = public.meu_email() and c.encerrado_em is null and c.expira_em > now() order by c.created_at
  $$;
-- Takes the acting person in, or ends the invitation; null when it holds no more.
create function responder_convite(hash bytea, qual uuid, aceita boolean) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare c public.convites;
  begin
    select * into c from public.convites
      where id = (select id from public.convite_aberto(hash, qual)) for update;
    if c.id is null or c.encerrado_em is not null
      or c.email is distinct from (select email from auth.users where id = public.pessoa_atual())
    then return null; end if;
    update public.convites set encerrado_em = now() where id = c.id;
    if aceita then
      insert into public.membros (organizacao_id, pessoa_id, papel)
        values (c.organizacao_id, public.pessoa_atual(), c.papel)
        on conflict (pessoa_id, organizacao_id) do nothing;
      perform public.anotar(c.organizacao_id, 'member.joined',
        jsonb_build_object('papel', c.papel, 'pessoa', public.pessoa_atual()), c.organizacao_id);
    end if;
    return c.organizacao_id;
  end $$;

-- A new organisation of the acting person; only where there may be several.
create function criar_organizacao(como text, que text) returns uuid language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare nova uuid;
  begin
    if public.pessoa_atual() is null or not exists (select from public.instalacao where organizacoes = 'varias') then
      return null;
    end if;
    insert into public.organizacoes (nome, tipo) values (como, que) returning id into nova;
    insert into public.membros (organizacao_id, pessoa_id, papel) values (nova, public.pessoa_atual(), 'dono');
    perform public.anotar(nova, 'organization.made', '{}', nova);
    return nova;
  end $$;

-- Nobody is without an organisation, at the commit: where there are several, who is in none has a space of their own.
create function dar_espaco(pessoa uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare nova uuid;
  begin
    if exists (select from public.membros where pessoa_id = pessoa)
      or not exists (select from auth.users where id = pessoa)
      or not exists (select from public.instalacao where organizacoes = 'varias')
    then return; end if;
    insert into public.organizacoes (nome, tipo)
      select left('Espaço de ' || coalesce(nullif(btrim(name), ''), 'Usuário'), 120), 'pessoal'
      from auth.users where id = pessoa returning id into nova;
    insert into public.membros (organizacao_id, pessoa_id, papel) values (nova, pessoa, 'dono');
  end $$;
create function dar_espaco_a_conta() returns trigger language plpgsql as $$
begin
  perform dar_espaco(new.id);
  return null;
end $$;
create constraint trigger dar_espaco_a_conta after insert on auth.users
  deferrable initially deferred for each row execute function dar_espaco_a_conta();
create function dar_espaco_a_quem_sai() returns trigger language plpgsql as $$
begin
  perform dar_espaco(old.pessoa_id);
  return null;
end $$;
create constraint trigger dar_espaco_a_quem_sai after delete on membros
  deferrable initially deferred for each row execute function dar_espaco_a_quem_sai();

-- An organisation with members has an owner.
create function manter_dono() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    if old.papel <> 'dono' or (tg_op = 'UPDATE' and new.papel = 'dono') then return null; end if;
    -- One after the other: two owners who leave at once would each see the other.
    perform from public.organizacoes where id = old.organizacao_id for update;
    if exists (select from public.membros where organizacao_id = old.organizacao_id)
      and not exists (select from public.membros where organizacao_id = old.organizacao_id and papel = 'dono')
      and exists (select from public.instalacao where organizacoes = 'varias')
    then
      raise exception using errcode = 'EN001', message = 'the last owner of an organisation with members';
    end if;
    return null;
  end $$;
create trigger manter_dono after update or delete on membros for each row execute function manter_dono();

-- Whether an organisation has anything that was entered.
create function tem_registros(organizacao uuid) returns boolean language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select exists (select from public.experimentos where organizacao_id = organizacao)
      or exists (select from public.documentos where organizacao_id = organizacao)
  $$;

-- One organisation for everybody, or several; false when there is no way back.
create function mudar_instalacao(modo text) returns boolean language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    uma uuid;
    com_registros uuid[];
  begin
    perform from public.instalacao for update;
    if modo = 'uma' and exists (select from public.instalacao where organizacoes = 'varias') then
      -- What is written meanwhile waits, and is then of an organisation that is there no more.
      perform from public.organizacoes order by id for update;
      com_registros := array(select id from public.organizacoes where public.tem_registros(id));
      if cardinality(com_registros) > 1 then return false; end if;
      uma := coalesce(com_registros[1], (select organizacao_id from public.instalacao));
      update public.instalacao set organizacoes = 'uma', organizacao_id = uma;
      delete from public.organizacoes where id <> uma;
      insert into public.membros (organizacao_id, pessoa_id, papel)
        select uma, id, case app_role when 'admin' then 'dono' else 'pesquisador' end from auth.users
        on conflict (pessoa_id, organizacao_id) do update set papel = excluded.papel;
      update public.organizacoes set fecha_em = null where id = uma;
    else
      update public.instalacao set organizacoes = modo;
    end if;
    return true;
  end $$;
revoke execute on function mudar_instalacao(text) from public;
create function pedir_instalacao(modo text) returns boolean language sql volatile security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select public.mudar_instalacao(modo) from auth.users
    where id = public.pessoa_atual() and app_role = 'admin' and blocked_at is null
  $$;
-- How many organisations there are, and the name of the first, for who administers the installation.
create function contar_organizacoes() returns table (total bigint, nome text) language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select (select count(*) from public.organizacoes),
      (select case i.organizacoes when 'uma' then o.nome else '' end
        from public.organizacoes o join public.instalacao i on i.organizacao_id = o.id)
    where exists (select from auth.users where id = public.pessoa_atual() and app_role = 'admin')
  $$;

-- In the mode 'uma' alone does ownership come and go with the role of administrator.
create or replace function filiar() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    insert into public.membros (organizacao_id, pessoa_id, papel)
      select i.organizacao_id, new.id, case new.app_role when 'admin' then 'dono' else 'pesquisador' end
      from public.instalacao i where i.organizacoes = 'uma'
      on conflict (pessoa_id, organizacao_id) do update set papel = excluded.papel;
    return null;
  end $$;

-- Gives trials of one organisation to another, with all that hangs on them; answers which.
create function mover_experimentos(quais uuid[], de uuid, para uuid) returns uuid[] language plpgsql
  as $$
  declare
    movidos uuid[];
    um uuid;
  begin
    movidos := array(
      select id from experimentos where id = any (quais) and organizacao_id = de order by id for update);
    -- What the old owner opened of them ends with its ownership.
    update compartilhamentos set estado = 'revogado'
      where experimento_id = any (movidos) and estado in ('pendente', 'aceito');
    update links_publicos set revogado_em = now() where experimento_id = any (movidos) and revogado_em is null;
    delete from colecao_experimentos where experimento_id = any (movidos);
    update alteracoes set em_nome_de = de where experimento_id = any (movidos) and em_nome_de is null;
    -- A code that the new owner uses already is given up.
    update experimentos e set codigo = null, codigo_busca = null
      where e.id = any (movidos) and e.codigo_busca is not null and exists (
        select from experimentos o
        where o.organizacao_id = para and o.codigo_busca = e.codigo_busca and o.deleted_at is null);
    update experimentos set organizacao_id = para, created_by = null, deleted_by = null, versao = versao + 1,
      updated_at = now() where id = any (movidos);
    update documentos set organizacao_id = para, created_by = null where experimento_id = any (movidos);
    delete from idempotencia where experimento_id = any (movidos);
    -- Their names are read as they were.
    insert into grafias (organizacao_id, tabela, nome_id, nome)
      select para, g.tabela, g.nome_id, g.nome from grafias g
      where g.organizacao_id = de and case g.tabela
        when 'modalidades' then exists (
          select from tratamentos u where u.experimento_id = any (movidos) and u.modalidade_id = g.nome_id)
        when 'produtos' then exists (
          select from produtos_aplicados u where u.experimento_id = any (movidos) and u.produto_id = g.nome_id)
        else exists (
          select from experimentos e where e.id = any (movidos) and g.nome_id = case g.tabela
            when 'culturas' then e.cultura_id when 'regioes' then e.regiao_id
            when 'fabricantes' then e.fabricante_id when 'consultorias' then e.consultoria_id
            else e.cidade_id end)
        end
      on conflict do nothing;
    foreach um in array movidos loop perform classificar(um); end loop;
    return movidos;
  end $$;
revoke execute on function mover_experimentos(uuid[], uuid, uuid) from public;

-- Moves what was offered to the acting organisation, of which the acting person is an owner; null when it was not.
create function aceitar_transferencia(qual uuid) returns uuid[] language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    t public.transferencias;
    eu uuid := public.organizacao_dona();
    movidos uuid[];
  begin
    select * into t from public.transferencias where id = qual for update;
    if eu is null or t.id is null or t.destino_id <> eu or t.estado <> 'pendente' or t.expira_em <= now()
      or exists (select from public.organizacoes where id in (t.organizacao_id, eu) and fecha_em is not null)
    then return null; end if;
    movidos := public.mover_experimentos(t.experimentos, t.organizacao_id, eu);
    update public.transferencias set estado = 'aceita' where id = qual;
    perform public.anotar(t.organizacao_id, 'transfer.accepted',
      jsonb_build_object('transferencia', qual, 'n', cardinality(movidos)));
    perform public.anotar(eu, 'transfer.accepted',
      jsonb_build_object('transferencia', qual, 'n', cardinality(movidos)));
    return movidos;
  end $$;

-- What the acting person alone has, in organisations that have no other member: how many trials.
create function registros_sem_outros() returns bigint language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select count(*) from public.experimentos e
    where e.deleted_at is null and e.organizacao_id in (
      select m.organizacao_id from public.membros m where m.pessoa_id = public.pessoa_atual()
        and not exists (
          select from public.membros o
          where o.organizacao_id = m.organizacao_id and o.pessoa_id <> m.pessoa_id))
  $$;
-- Leaves that to an organisation that the person may write for, or destroys it, and ends the organisations; and the
-- person's files that hang on no trial, wherever they are. False when it is not theirs to leave it there.
create function deixar_registros(destino uuid) returns boolean language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    eu uuid := public.pessoa_atual();
    sozinhas uuid[] := array(
      select m.organizacao_id from public.membros m where m.pessoa_id = eu and not exists (
        select from public.membros o where o.organizacao_id = m.organizacao_id and o.pessoa_id <> eu));
    uma uuid;
  begin
    if not exists (select from public.instalacao where organizacoes = 'varias') then return true; end if;
    if destino is not null and (destino = any (sozinhas) or not exists (
      select from public.membros m join public.organizacoes o on o.id = m.organizacao_id and o.fecha_em is null
      where m.organizacao_id = destino and m.pessoa_id = eu and m.papel <> 'leitor'))
    then return false; end if;
    delete from public.documentos where experimento_id is null and created_by = eu;
    foreach uma in array sozinhas loop
      if destino is not null then
        perform public.mover_experimentos(
          array(select id from public.experimentos where organizacao_id = uma), uma, destino);
      end if;
      delete from public.documentos where organizacao_id = uma;
      delete from public.experimentos where organizacao_id = uma;
      if uma <> (select organizacao_id from public.instalacao) then
        delete from public.organizacoes where id = uma;
      end if;
    end loop;
    return true;
  end $$;
-- Whose people changed a trial before it changed hands: their names are not the new owner's to read.
alter table alteracoes add column em_nome_de uuid;

-- A public link that holds, by the hash of its token: the trial with what the link shows.
create function link_aberto(hash bytea)
  returns table (id uuid, experimento_id uuid, organizacao_id uuid, organizacao text, custos boolean,
    documentos boolean, senha_hash text)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select l.id, e.id, o.id, o.nome, l.custos, l.documentos, l.senha_hash
    from public.links_publicos l
    join public.experimentos e on e.id = l.experimento_id and e.deleted_at is null
      and (e.embargo_ate is null or e.embargo_ate <= public.hoje()) and e.organizacao_id = l.organizacao_id
    join public.organizacoes o on o.id = l.organizacao_id and o.fecha_em is null
    where l.token_hash = hash and l.revogado_em is null and l.ate >= public.hoje()
  $$;
create function contar_abertura(qual uuid) returns void language sql volatile security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    with opened as (
      update public.links_publicos set aberturas = aberturas + 1, aberto_em = public.hoje() where id = qual
      returning organizacao_id, experimento_id, aberturas
    )
    select public.anotar(organizacao_id, 'link.opened',
      jsonb_build_object('link', qual, 'experimento', experimento_id)) from opened
    where aberturas = 1
  $$;

-- A recipient opened the report of a shared trial: told once a day, by organisation.
create function anotar_leitura(documento uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    dona uuid;
    ensaio uuid;
  begin
    select e.organizacao_id, e.id into dona, ensaio
      from public.documentos d join public.experimentos e on e.id = d.experimento_id where d.id = documento;
    if dona is null or dona = public.organizacao_atual() or exists (
      select from public.atividades a where a.organizacao_id = dona and a.acao = 'document.opened'
        and a.em_nome_de = public.organizacao_atual() and a.detalhes ->> 'experimento' = ensaio::text
        and a.quando > now() - interval '1 day' and (a.quando at time zone 'America/Sao_Paulo')::date = public.hoje())
    then return; end if;
    perform public.anotar(dona, 'document.opened', jsonb_build_object('experimento', ensaio));
  end $$;

-- Closes the acting organisation, of which the acting person is an owner: whatever it opened to others or received
-- ends. Or opens it again, alone.
create function fechar_organizacao(fecha boolean) returns boolean language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    eu uuid := public.organizacao_dona();
    um uuid;
  begin
    if eu is null then return false; end if;
    if fecha then
      update public.organizacoes set fecha_em = now() where id = eu and fecha_em is null;
      for um in
        with ended as (
          update public.compartilhamentos set estado = 'revogado'
          where (organizacao_id = eu or destino_id = eu) and estado in ('pendente', 'aceito')
          returning experimento_id
        ) select distinct experimento_id from ended where experimento_id is not null
      loop perform public.assentar_avulsos(um); end loop;
      update public.links_publicos set revogado_em = now() where organizacao_id = eu and revogado_em is null;
      update public.convites set encerrado_em = now() where organizacao_id = eu and encerrado_em is null;
      update public.transferencias set estado = 'recusada'
        where estado = 'pendente' and eu in (organizacao_id, destino_id);
    else
      update public.organizacoes set fecha_em = null where id = eu;
    end if;
    perform public.anotar(eu, case when fecha then 'organization.closed' else 'organization.reopened' end);
    return true;
  end $$;

-- A name that somebody typed is theirs until they propose it, or an administrator has decided about it.
-- Numbers of names say nothing of how many others have typed since.
create function numero_livre(tabela regclass, ate integer) returns integer language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  declare
    n integer;
    ha boolean;
  begin
    loop
      n := 1 + ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 7))::bit(28)::integer % ate;
      execute format('select exists (select from %s where id = $1)', tabela) into ha using n;
      if not ha then return n; end if;
    end loop;
  end $$;
do $$
declare
  tabela text;
begin
  foreach tabela in array array['regioes', 'cidades', 'culturas', 'fabricantes', 'produtos', 'consultorias', 'modalidades']
  loop
    -- Of a crop and a set of products one number is made, which has 16 bits for the crop.
    execute format(
      'alter table %I alter column id drop identity, alter column id set default numero_livre(%L, %s)',
      tabela, tabela, case tabela when 'culturas' then 65535 else 268435455 end);
  end loop;
end $$;

alter table fabricantes add column proposto boolean not null default false;
alter table regioes add column proposto boolean not null default false;
alter table culturas add column proposto boolean not null default false;
alter table produtos add column proposto boolean not null default false;
update fabricantes set proposto = true where ativo;
update regioes set proposto = true where ativo;
update culturas set proposto = true where ativo;
update produtos set proposto = true where ativo;

-- What nobody asks for: embargoes and shares that have run out. Answers how many of each.
create function encerrar_prazos() returns table (embargos integer, compartilhamentos integer) language plpgsql
  as $$
  declare um record;
  begin
    embargos := 0;
    compartilhamentos := 0;
    for um in
      update experimentos set embargo_ate = null, versao = versao + 1
      where id in (select id from experimentos where embargo_ate <= hoje() limit 1000) returning id, organizacao_id
    loop
      perform classificar(um.id);
      perform anotar(um.organizacao_id, 'embargo.ended', jsonb_build_object('experimento', um.id));
      embargos := embargos + 1;
    end loop;
    for um in
      update compartilhamentos s set estado = 'vencido' where s.estado = 'aceito' and s.ate < hoje()
      returning s.id, s.organizacao_id, s.experimento_id
    loop
      if um.experimento_id is not null then perform assentar_avulsos(um.experimento_id); end if;
      perform anotar(um.organizacao_id, 'share.expired', jsonb_build_object('compartilhamento', um.id));
      compartilhamentos := compartilhamentos + 1;
    end loop;
    return next;
  end $$;
revoke execute on function encerrar_prazos() from public;
-- Destroys for good what was closed so long ago; its files follow by the sweep.
create function destruir_organizacoes(dias integer) returns integer language plpgsql
  as $$
  declare
    uma uuid;
    n integer := 0;
  begin
    for uma in select id from organizacoes where fecha_em < now() - dias * interval '1 day' for update loop
      -- One that cannot go keeps none of the others.
      begin
        -- There is always one that stands for the installation.
        update instalacao set organizacao_id = (
            select id from organizacoes where id <> uma order by fecha_em is not null, created_at limit 1)
          where organizacao_id = uma and exists (select from organizacoes where id <> uma);
        insert into organizacoes_encerradas (id, created_at, fecha_em)
          select id, created_at, fecha_em from organizacoes where id = uma;
        delete from documentos where organizacao_id = uma;
        delete from experimentos where organizacao_id = uma;
        delete from organizacoes where id = uma;
        n := n + 1;
      exception when others then
        raise warning 'organisation % is not destroyed: %', uma, sqlerrm;
      end;
    end loop;
    return n;
  end $$;
revoke execute on function destruir_organizacoes(integer) from public;

-- The wall.
create policy mudar on membros for update using (organizacao_id = (select organizacao_dona()));
create policy sair on membros for delete using (
  pessoa_id = (select pessoa_atual()) or organizacao_id = (select organizacao_dona())
  or organizacao_id = (select organizacao_gerida()) and papel in ('pesquisador', 'leitor')
);
alter table convites enable row level security;
create policy gerir on convites using (organizacao_id = (select organizacao_gerida()))
  with check (
    organizacao_id = (select organizacao_gerida())
    and (papel in ('pesquisador', 'leitor') or organizacao_id = (select organizacao_dona()))
  );
alter table colecoes enable row level security;
create policy gerir on colecoes
  using (organizacao_id = (select organizacao_gerida()) and tipo <> 'avulsos');
alter table colecao_experimentos enable row level security;
create policy gerir on colecao_experimentos
  using (exists (select from colecoes c where c.id = colecao_experimentos.colecao_id))
  with check (
    exists (select from colecoes c where c.id = colecao_experimentos.colecao_id)
    and exists (
      select from experimentos e
      where e.id = colecao_experimentos.experimento_id and e.organizacao_id = (select organizacao_atual()))
  );
alter table compartilhamentos enable row level security;
create policy ver on compartilhamentos for select using (
  organizacao_id = (select organizacao_atual()) or destino_id = (select organizacao_atual())
  or destino_id is null and email = (select meu_email()) and estado = 'pendente'
);
create policy criar on compartilhamentos for insert with check (
  organizacao_id = (select organizacao_gerida()) and estado = 'pendente'
  and (colecao_id is null or exists (select from colecoes c where c.id = compartilhamentos.colecao_id))
  and (experimento_id is null or exists (
    select from experimentos e
    where e.id = compartilhamentos.experimento_id and e.organizacao_id = (select organizacao_atual())))
);
create policy mudar on compartilhamentos for update using (organizacao_id = (select organizacao_gerida()));
alter table links_publicos enable row level security;
create policy gerir on links_publicos using (organizacao_id = (select organizacao_gerida()))
  with check (
    organizacao_id = (select organizacao_gerida())
    and exists (
      select from experimentos e
      where e.id = links_publicos.experimento_id and e.organizacao_id = links_publicos.organizacao_id)
  );
alter table comentarios enable row level security;
-- Each reads its own organisation's and the owner's; the owner reads all.
create policy ver on comentarios for select using (exists (
  select from experimentos e where e.id = comentarios.experimento_id
    and e.acervo_id = any ((select com_comentarios())::integer[])
    and (e.organizacao_id = (select organizacao_atual())
      or comentarios.organizacao_id in ((select organizacao_atual()), e.organizacao_id))
));
create policy criar on comentarios for insert with check (
  organizacao_id = (select organizacao_atual()) and autor = (select pessoa_atual())
  and exists (select from organizacoes o where o.id = comentarios.organizacao_id and o.fecha_em is null)
  and exists (
    select from experimentos e where e.id = comentarios.experimento_id
      and e.acervo_id = any ((select com_comentarios())::integer[]))
);
create policy apagar on comentarios for delete using (
  autor = (select pessoa_atual()) and organizacao_id = (select organizacao_atual())
  or exists (
    select from experimentos e
    where e.id = comentarios.experimento_id and e.organizacao_id = (select organizacao_dona()))
);
alter table transferencias enable row level security;
create policy ver on transferencias for select using (
  organizacao_id = (select organizacao_dona()) or destino_id = (select organizacao_dona())
);
create policy criar on transferencias for insert with check (
  organizacao_id = (select organizacao_dona()) and estado = 'pendente'
);
create policy mudar on transferencias for update using (
  organizacao_id = (select organizacao_dona()) or destino_id = (select organizacao_dona())
);
alter table atividades enable row level security;
create policy ver on atividades for select using (organizacao_id = (select organizacao_dona()));

alter table grafias enable row level security;
create policy ver on grafias for select using (
  organizacao_id = (select organizacao_atual()) or exists (
    select from acervos a
    where a.organizacao_id = grafias.organizacao_id and a.id = any ((select visiveis())::integer[]))
);
create policy criar on grafias for insert with check (organizacao_id = (select organizacao_escrita()));
-- Who wrote the name before keeps reading it as it was: their spelling is noted with the first other one.
create function guardar_grafia() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    if pg_trigger_depth() > 1 then return null; end if;
    execute format(
      'insert into public.grafias (organizacao_id, tabela, nome_id, nome)
       select distinct e.organizacao_id, $1, t.id, t.%I from public.%I t join public.experimentos e on %s
       where t.id = $2 on conflict do nothing',
      case new.tabela when 'culturas' then 'nome_cultura' else 'nome' end, new.tabela,
      case new.tabela
        when 'culturas' then 'e.cultura_id = t.id'
        when 'regioes' then 'e.regiao_id = t.id'
        when 'fabricantes' then 'e.fabricante_id = t.id'
        when 'consultorias' then 'e.consultoria_id = t.id'
        when 'cidades' then 'e.cidade_id = t.id'
        when 'modalidades' then
          'e.id in (select u.experimento_id from public.tratamentos u where u.modalidade_id = t.id)'
        when 'produtos' then
          'e.id in (select u.experimento_id from public.produtos_aplicados u where u.produto_id = t.id)'
      end) using new.tabela, new.nome_id;
    return null;
  end $$;
create trigger guardar_grafia after insert on grafias for each row execute function guardar_grafia();
alter table visoes enable row level security;
create policy ver on visoes for select using (organizacao_id = (select organizacao_atual()));
do $$
declare tabela text;
begin
  foreach tabela in array array['celulas', 'celulas_modalidade', 'celulas_produto', 'celulas_consultoria', 'margens',
    'margens_produto', 'margens_lugar'] loop
    execute format('drop policy ver on %I', tabela);
    execute format('create policy ver on %I for select using (visao_id = (select visao_atual()))', tabela);
  end loop;
end $$;
drop function ve_tudo();

drop policy ver on acervos;
create policy ver on acervos for select using (
  organizacao_id = (select organizacao_atual()) or id = any ((select visiveis())::integer[])
);
drop policy ver on documentos;
create policy ver on documentos for select using (
  case
    when experimento_id is null then organizacao_id = (select organizacao_atual())
    else exists (
      select from experimentos e
      where e.id = documentos.experimento_id and e.acervo_id = any ((select com_documentos())::integer[]))
  end
);

-- What shows costs and returns only where they may be seen. Requests may not read these columns anywhere else; the
-- views read with a right of their own (database/roles.ts) and are held to the rows' policies all the same.
create schema visto;
create view visto.experimentos as
select e.id, e.consultoria_id, e.fabricante_id, e.bu, e.regiao_id, e.cidade_id, e.cultura_id, e.cultivar, e.ano,
  e.latitude, e.longitude, e.teor_argila, e.teor_materia_organica, e.tipo_estatistica, e.codigo, e.codigo_busca,
  e.produtividade_media, e.n_tratamentos, case when v.documentos then e.documento_id end as documento_id,
  e.created_by, e.versao, e.created_at, e.updated_at, e.deleted_at, e.deleted_by, e.organizacao_id, e.acervo_id,
  e.embargo_ate,
  case when v.custos then e.custo_protocolo end as custo_protocolo,
  case when v.custos then e.custo_total end as custo_total,
  case when v.custos then e.roi end as roi,
  v.custos as ve_custos
from public.experimentos e
cross join lateral (
  select e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_custos())::integer[]) as custos,
    e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_documentos())::integer[]) as documentos
) v;
-- Those alone whose costs are seen, with their values as they stand: what is put in an order by an index.
create view visto.custeados as
select e.id, e.consultoria_id, e.fabricante_id, e.bu, e.regiao_id, e.cidade_id, e.cultura_id, e.cultivar, e.ano,
  e.latitude, e.longitude, e.teor_argila, e.teor_materia_organica, e.tipo_estatistica, e.codigo, e.codigo_busca,
  e.produtividade_media, e.n_tratamentos,
  case when e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_documentos())::integer[]) then e.documento_id end as documento_id,
  e.created_by, e.versao, e.created_at, e.updated_at, e.deleted_at, e.deleted_by, e.organizacao_id, e.acervo_id,
  e.embargo_ate, e.custo_protocolo, e.custo_total, e.roi,
  true as ve_custos
from public.experimentos e where e.acervo_id = any ((select public.com_custos())::integer[]);
create view visto.tratamentos as
select t.experimento_id, t.ordem, t.nome, t.modalidade_id, t.produtividade,
  case when e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_custos())::integer[]) then t.custo end as custo
from public.tratamentos t join public.experimentos e on e.id = t.experimento_id;
create view visto.produtos_aplicados as
select a.experimento_id, a.tratamento, a.ordem, a.produto_id, a.dose, a.unidade,
  case when e.organizacao_id = (select public.organizacao_atual())
    or e.acervo_id = any ((select public.com_custos())::integer[]) then a.custo end as custo
from public.produtos_aplicados a join public.experimentos e on e.id = a.experimento_id;
create view visto.contados as
select k.id, k.consultoria_id, k.fabricante_id, k.bu, k.regiao_id, k.cidade_id, k.cultura_id, k.ano, k.conjunto_id,
  k.amostra, k.com_documento and k.acervo_id = any ((select public.com_documentos())::integer[]) as com_documento,
  k.latitude, k.longitude, k.teor_argila, k.teor_materia_organica, k.produtividade_media,
  k.tipo_estatistica, k.acervo_id,
  case when v.custos then k.custo_protocolo end as custo_protocolo,
  case when v.custos then k.custo_total end as custo_total,
  case when v.custos then k.roi end as roi,
  v.custos as ve_custos
from public.contados k
cross join lateral (select k.acervo_id = any ((select public.com_custos())::integer[]) as custos) v;
create view visto.contados_produtos as
select p.experimento_id, p.produto_id, p.acervo_id,
  case when v.custos then p.n_custo else 0 end as n_custo,
  case when v.custos then p.soma_custo else 0 end as soma_custo
from public.contados_produtos p
cross join lateral (select p.acervo_id = any ((select public.com_custos())::integer[]) as custos) v;

-- Names as the asker's organisation writes them, or else as one does whose trials it sees. In front of the tables
-- themselves wherever there is anything to tell (`entrar`).
create function grafia(de text, qual integer, comum text) returns text language sql stable parallel safe
  as $$
    select coalesce((
      select g.nome from public.grafias g where g.tabela = de and g.nome_id = qual
      order by g.organizacao_id = public.organizacao_atual() desc, g.organizacao_id limit 1
    ), comum)
  $$;
create schema grafado;
create view grafado.regioes with (security_invoker = true) as
select id, case when ativo then nome else public.grafia('regioes', id, nome) end as nome, sigla, busca, ativo, proposto
from public.regioes;
create view grafado.culturas with (security_invoker = true) as
select id, case when ativo then nome_cultura else public.grafia('culturas', id, nome_cultura) end as nome_cultura,
  busca, ativo, proposto
from public.culturas;
create view grafado.fabricantes with (security_invoker = true) as
select id, case when ativo then nome else public.grafia('fabricantes', id, nome) end as nome, busca, ativo, proposto
from public.fabricantes;
create view grafado.produtos with (security_invoker = true) as
select id, case when ativo then nome else public.grafia('produtos', id, nome) end as nome, busca, fabricante_id, ativo,
  proposto
from public.produtos;
create view grafado.consultorias with (security_invoker = true) as
select id, public.grafia('consultorias', id, nome) as nome, busca from public.consultorias;
create view grafado.modalidades with (security_invoker = true) as
select id, public.grafia('modalidades', id, nome) as nome, busca from public.modalidades;
create view grafado.cidades with (security_invoker = true) as
select id, case when codigo_ibge is null then public.grafia('cidades', id, nome) else nome end as nome, estado, busca,
  latitude, longitude, codigo_ibge
from public.cidades;

-- What rest/v1 publishes: names that are offered to everybody, and those of trials that the asker sees.
create or replace view publicado.culturas with (security_invoker = true) as
select c.id, c.nome_cultura from grafado.culturas c
where c.ativo or exists (select from public.experimentos e where e.cultura_id = c.id);
create or replace view publicado.fabricantes with (security_invoker = true) as
select f.id, f.nome, f.ativo from grafado.fabricantes f
where f.ativo or exists (select from public.experimentos e where e.fabricante_id = f.id);
create or replace view publicado.regioes with (security_invoker = true) as
select r.id, r.nome, r.sigla from grafado.regioes r
where r.ativo or exists (select from public.experimentos e where e.regiao_id = r.id);
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
join grafado.culturas c on c.id = e.cultura_id
join grafado.consultorias k on k.id = e.consultoria_id
where e.deleted_at is null and current_setting('ensaio.papel', true) = 'authenticated';
create or replace view publicado.protocolos_experimentos with (security_invoker = true) as
select
  t.experimento_id,
  t.ordem,
  r.nome as regional,
  'BU' || e.bu as bu,
  f.nome as marca,
  e.roi,
  e.custo_protocolo,
  t.nome as tratamento_nome
from public.tratamentos t
join visto.experimentos e on e.id = t.experimento_id
join grafado.regioes r on r.id = e.regiao_id
join grafado.fabricantes f on f.id = e.fabricante_id
where e.deleted_at is null;
do $$
begin
  grant usage on schema grafado to ensaio_rest;
  grant select on all tables in schema grafado to ensaio_rest;
  grant select on public.grafias, public.acervos to ensaio_rest;
  grant usage on schema visto to ensaio_rest;
  grant select on visto.experimentos to ensaio_rest;
  revoke select (roi, custo_protocolo) on public.experimentos from ensaio_rest;
exception when undefined_object then
  raise notice 'rest/v1 goes without a role of its own';
end $$;
