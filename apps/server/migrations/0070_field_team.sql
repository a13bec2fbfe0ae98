-- Who records in a trial without being one who edits it: members of its organisation, also those who only read.
create table equipe_campo (
  experimento_id uuid not null references experimentos on delete cascade,
  organizacao_id uuid not null references organizacoes on delete cascade,
  pessoa_id uuid not null,
  desde timestamptz not null default now(),
  primary key (experimento_id, pessoa_id),
  -- Who leaves the organisation leaves its teams.
  foreign key (pessoa_id, organizacao_id) references membros (pessoa_id, organizacao_id) on delete cascade
);
create index equipe_campo_pessoa on equipe_campo (pessoa_id, organizacao_id);

-- Temporary hands without an account: a code of one use, then a phone's own key until a day. Neither is kept, only
-- its hash.
create table convites_campo (
  id uuid primary key default gen_random_uuid(),
  experimento_id uuid not null references experimentos on delete cascade,
  organizacao_id uuid not null references organizacoes on delete cascade,
  -- In whose name they record.
  pessoa_id uuid not null references auth.users on delete cascade,
  codigo_hash bytea not null unique,
  criado_em timestamptz not null default now(),
  -- Of the code, and of the phone's key.
  expira_em timestamptz not null,
  ate timestamptz not null,
  usado_em timestamptz,
  nome text,
  chave_hash bytea unique,
  -- Given by the server: nobody sends as a phone of somebody else.
  aparelho uuid unique,
  revogado_em timestamptz
);
create index convites_campo_experimento on convites_campo (experimento_id, criado_em);
create index convites_campo_organizacao on convites_campo (organizacao_id);
create index convites_campo_pessoa on convites_campo (pessoa_id);

do $$
declare tabela text;
begin
  foreach tabela in array array['equipe_campo', 'convites_campo'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('create policy ver on %I for select using (organizacao_id = (select organizacao_atual()))', tabela);
    execute format('create policy criar on %1$I for insert with check (
      organizacao_id = (select organizacao_escrita()) and exists (select from experimentos e
        where e.id = %1$I.experimento_id and e.organizacao_id = %1$I.organizacao_id))', tabela);
    execute format('create policy mudar on %I for update using (organizacao_id = (select organizacao_escrita()))', tabela);
    execute format('create policy apagar on %I for delete using (organizacao_id = (select organizacao_escrita()))', tabela);
  end loop;
end $$;

-- A reader of the field team writes inside the transaction that says for which trial, and nowhere else.
create or replace function organizacao_escrita() returns uuid language sql stable
  as $$
    select m.organizacao_id from membros m join organizacoes o on o.id = m.organizacao_id
    where m.organizacao_id = organizacao_atual() and m.pessoa_id = pessoa_atual() and o.fecha_em is null
      and (m.papel <> 'leitor' or exists (
        select from equipe_campo q
        where q.experimento_id = nullif(current_setting('ensaio.equipe', true), '')::uuid
          and q.pessoa_id = m.pessoa_id and q.organizacao_id = m.organizacao_id))
  $$;

-- Takes a code for the phone that holds a key, once; the same phone may ask again where the answer was lost.
create function resgatar_convite(codigo_dado bytea, chave_dada bytea, quem_usa text)
  returns table (id uuid, experimento_id uuid, organizacao_id uuid, varias boolean, convidou text, aparelho uuid,
    nome text, ate timestamptz)
  language sql volatile security definer rows 1
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    update public.convites_campo c set usado_em = coalesce(c.usado_em, now()), nome = coalesce(c.nome, quem_usa),
      chave_hash = chave_dada, aparelho = coalesce(c.aparelho, gen_random_uuid())
    from auth.users u, public.experimentos e, public.filiacao(u.id, e.organizacao_id, null) f
    where c.codigo_hash = codigo_dado and c.revogado_em is null and c.expira_em > now()
      and (c.usado_em is null or c.chave_hash = chave_dada)
      and not exists (select from public.convites_campo o where o.chave_hash = chave_dada and o.id <> c.id)
      and u.id = c.pessoa_id and u.blocked_at is null
      and e.id = c.experimento_id and e.organizacao_id = c.organizacao_id and e.deleted_at is null
    returning c.id, c.experimento_id, c.organizacao_id, f.varias, u.name, c.aparelho, c.nome, c.ate
  $$;

-- Who asks by a phone's key; over where it was revoked, its day has come, or who invited is no member any more.
create function convidado(chave_dada bytea)
  returns table (id uuid, experimento_id uuid, aparelho uuid, nome text, encerrado boolean, pessoa_id uuid,
    convidou text, papel_conta text, organizacao_id uuid, papel text, fechada boolean, varias boolean)
  language sql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select c.id, c.experimento_id, c.aparelho, c.nome,
      c.revogado_em is not null or c.ate <= now() or u.blocked_at is not null or f.papel is null or exists (
        select from public.aparelhos a
        where a.pessoa_id = c.pessoa_id and a.id = c.aparelho and a.revogado_em is not null),
      u.id, u.name, u.app_role, c.organizacao_id, f.papel, f.fechada, f.varias
    from public.convites_campo c join auth.users u on u.id = c.pessoa_id
    left join lateral public.filiacao(u.id, c.organizacao_id, null) f on true
    where c.chave_hash = chave_dada
  $$;

-- What phones of the old owner still hold is not the new one's, nor is who records there.
create or replace function esquecer_pacotes() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
  begin
    delete from public.pacotes_campo where experimento_id = new.id;
    delete from public.equipe_campo where experimento_id = new.id;
    delete from public.convites_campo where experimento_id = new.id;
    return null;
  end $$;

-- What the phones of invitations say, to who sees the invitation: they are devices of who invited.
create function contatos_de_convites(ensaio uuid)
  returns table (convite uuid, contato_em timestamptz, pendentes integer)
  language sql stable security definer rows 100
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select c.id, a.contato_em, a.pendentes
    from public.convites_campo c join public.aparelhos a on a.pessoa_id = c.pessoa_id and a.id = c.aparelho
    where c.experimento_id = ensaio and c.organizacao_id = public.organizacao_atual()
  $$;
