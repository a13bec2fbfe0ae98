-- Saved views, alerts on them, and what they told their people.
create table vistas (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null default organizacao_atual() references organizacoes on delete cascade,
  -- Whose it is; null: of the organisation.
  dono uuid references auth.users on delete cascade,
  nome text not null,
  nome_busca text not null,
  -- What the address holds: lists of values by parameter.
  estado jsonb not null,
  criada_por uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index vistas_nome on vistas (organizacao_id, dono, nome_busca) nulls not distinct;
create index vistas_dono on vistas (dono);
create index vistas_criada_por on vistas (criada_por);

create table preferencias (
  organizacao_id uuid not null references organizacoes on delete cascade,
  pessoa_id uuid not null references auth.users on delete cascade,
  vista_padrao uuid references vistas on delete set null,
  resumo_semanal boolean not null default false,
  resumo_em timestamptz,
  primary key (organizacao_id, pessoa_id)
);
create index preferencias_pessoa on preferencias (pessoa_id);
create index preferencias_vista on preferencias (vista_padrao);
create index preferencias_resumo on preferencias (resumo_em) where resumo_semanal;
-- What a view showed a person when the digest last told it.
create table vista_semanas (
  vista_id uuid not null references vistas on delete cascade,
  pessoa_id uuid not null references auth.users on delete cascade,
  total integer not null,
  media double precision,
  primary key (vista_id, pessoa_id)
);
create index vista_semanas_pessoa on vista_semanas (pessoa_id);

create table alertas (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null default organizacao_atual() references organizacoes on delete cascade,
  pessoa_id uuid not null references auth.users on delete cascade,
  vista_id uuid not null references vistas on delete cascade,
  frequencia text not null check (frequencia in ('na_hora', 'por_dia', 'por_semana')),
  condicao jsonb,
  -- Exact fields of the view's filter, 'cultura:soja'; a trial that passes has them all. By the first it is found.
  exatos text[] not null,
  gancho text generated always as (coalesce(exatos[1], '')) stored,
  pausado text,
  falhas integer not null default 0,
  enviado_em timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index alertas_gancho on alertas (organizacao_id, gancho) where pausado is null;
create index alertas_pessoa on alertas (pessoa_id);
create index alertas_vista on alertas (vista_id);

-- Once for each trial and alert.
create table avisos (
  alerta_id uuid not null references alertas on delete cascade,
  experimento_id uuid not null references experimentos on delete cascade,
  organizacao_id uuid not null,
  pessoa_id uuid not null,
  quando timestamptz not null default clock_timestamp(),
  lido boolean not null default false,
  -- Of the letter that tells it: all of one letter have the same.
  enviado_em timestamptz,
  primary key (alerta_id, experimento_id)
);
create index avisos_experimento on avisos (experimento_id);
create index avisos_pessoa on avisos (pessoa_id, organizacao_id, quando desc);
create index avisos_por_enviar on avisos (alerta_id, quando) where enviado_em is null;

-- What may be new to somebody, until it has been looked at.
create table novidades (
  id bigint generated always as identity primary key,
  -- A change that was written down; a set that an organisation sees from now on; a trial that came into another set.
  alteracao_id bigint,
  experimento_id uuid,
  organizacao_id uuid,
  acervo_id integer,
  -- Who saw the trial where it was before.
  viam uuid[] not null default '{}',
  vista boolean not null default false,
  quando timestamptz not null default clock_timestamp()
);
create index novidades_por_ver on novidades (id) where not vista;
create index novidades_experimento on novidades (experimento_id) where experimento_id is not null;

create function anotar_alteracoes() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    if exists (select from public.alertas) then
      insert into public.novidades (alteracao_id, experimento_id)
        select id, experimento_id from novas where acao in ('criado', 'alterado', 'restaurado');
    end if;
    return null;
  end $$;
create trigger novidades_alteracoes after insert on alteracoes referencing new table as novas
  for each statement execute function anotar_alteracoes();
create function anotar_mudanca_de_acervo() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    if exists (select from public.alertas) then
      insert into public.novidades (experimento_id, acervo_id, viam)
        select new.id, new.acervo_id,
          array(select v.organizacao_id from public.visibilidade v where v.acervos @> array[old.acervo_id]);
    end if;
    return null;
  end $$;
create trigger novidades_acervo after update of acervo_id on experimentos for each row
  when (old.acervo_id is distinct from new.acervo_id) execute function anotar_mudanca_de_acervo();
create function anotar_visibilidade() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    if exists (select from public.alertas where organizacao_id = new.organizacao_id) then
      insert into public.novidades (organizacao_id, acervo_id)
        select new.organizacao_id, a.id from public.acervos a
        where a.id = any (new.acervos) and a.id <> all (old.acervos) and a.organizacao_id <> new.organizacao_id;
    end if;
    return null;
  end $$;
create trigger novidades_visibilidade after update of acervos on visibilidade for each row
  when (old.acervos is distinct from new.acervos) execute function anotar_visibilidade();

-- Views and alerts of a person end with their membership.
create function encerrar_vistas() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    delete from public.vistas where dono = old.pessoa_id and organizacao_id = old.organizacao_id;
    delete from public.alertas where pessoa_id = old.pessoa_id and organizacao_id = old.organizacao_id;
    delete from public.preferencias where pessoa_id = old.pessoa_id and organizacao_id = old.organizacao_id;
    return null;
  end $$;
create trigger encerrar_vistas after delete on membros for each row execute function encerrar_vistas();

alter table vistas enable row level security;
create policy ver on vistas for select using (
  organizacao_id = (select organizacao_atual()) and (dono is null or dono = (select pessoa_atual())));
create policy criar on vistas for insert with check (
  organizacao_id = (select organizacao_atual())
  and (dono = (select pessoa_atual()) or dono is null and organizacao_id = (select organizacao_gerida())));
create policy mudar on vistas for update using (
  organizacao_id = (select organizacao_atual())
  and (dono = (select pessoa_atual()) or dono is null and organizacao_id = (select organizacao_gerida())));
create policy apagar on vistas for delete using (
  organizacao_id = (select organizacao_atual())
  and (dono = (select pessoa_atual()) or dono is null and organizacao_id = (select organizacao_gerida())));
do $$
declare tabela text;
begin
  foreach tabela in array array['preferencias', 'alertas', 'avisos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('create policy proprios on %I using (
      organizacao_id = (select organizacao_atual()) and pessoa_id = (select pessoa_atual()))', tabela);
  end loop;
end $$;
