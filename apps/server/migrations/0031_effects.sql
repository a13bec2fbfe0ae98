-- What a synthesis of many trials reads of each: adjusted means of its treatments with their error, from its plots or
-- rebuilt from its report, written with what they rest on; and the syntheses that people recorded.
create table efeitos (
  experimento_id uuid not null references experimentos on delete cascade,
  variavel text not null,
  nome text not null,
  -- Case and accents apart: a variable of many trials is asked for by its name.
  busca text not null,
  produtividade boolean not null,
  unidade text not null,
  -- Moisture that a yield is corrected to, %; null where it is not told.
  umidade float8,
  origem text not null check (origem in ('parcelas', 'reconstruida', 'ausente')),
  testemunha smallint,
  n_parcelas integer not null,
  repeticoes float8,
  -- Coefficient of variation, %.
  cv float8,
  -- As the kernel wrote it, its digits included: treatments, means, gl, and the covariance as short as it goes.
  dados json not null,
  -- Of the sheet, null where it is rebuilt; and of the kernel.
  ficha_versao integer,
  motor text not null,
  primary key (experimento_id, variavel)
);
-- Trials whose effects are to be computed yet: what was there before, and what took too long when it was written.
create table efeitos_pendentes (
  experimento_id uuid primary key references experimentos on delete cascade,
  desde timestamptz not null default now(),
  tentativas smallint not null default 0
);
insert into efeitos_pendentes (experimento_id)
  select id from experimentos where ficha_versao is not null or estatistica_informada is not null;

do $$
declare tabela text;
begin
  foreach tabela in array array['efeitos', 'efeitos_pendentes'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format(
      'create policy ver on %1$I for select using (
         exists (select from experimentos e where e.id = %1$I.experimento_id))', tabela);
    execute format(
      'create policy criar on %1$I for insert with check (exists (
         select from experimentos e
         where e.id = %1$I.experimento_id and e.organizacao_id = (select organizacao_escrita())))', tabela);
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

create trigger sujar_insert after insert on efeitos
  referencing new table as mudadas for each statement execute function sujar_partes();
create trigger sujar_update after update on efeitos
  referencing new table as mudadas for each statement execute function sujar_partes();
create trigger sujar_delete after delete on efeitos
  referencing old table as mudadas for each statement execute function sujar_partes();

-- A synthesis as a person recorded it: what was asked, what was answered, of which versions of which trials.
create table sinteses (
  id uuid primary key default gen_random_uuid(),
  organizacao_id uuid not null default organizacao_padrao() references organizacoes on delete cascade,
  quem uuid references auth.users on delete set null,
  titulo text not null,
  conclusao text not null,
  compartilhada boolean not null,
  opcoes jsonb not null,
  -- As it was answered, its order included.
  resposta json not null,
  -- Trials whose numbers are in it, each with its own version and its sheet's.
  experimentos uuid[] not null,
  versoes jsonb not null,
  motor text not null,
  chave text,
  quando timestamptz not null default clock_timestamp()
);
create unique index sinteses_chave on sinteses (organizacao_id, quem, chave) where chave is not null;
create index sinteses_organizacao on sinteses (organizacao_id, quando desc);
create index sinteses_quem on sinteses (quem);
alter table sinteses enable row level security;
create policy ver on sinteses for select using (
  organizacao_id = (select organizacao_atual()) and (quem = (select pessoa_atual()) or compartilhada));
create policy criar on sinteses for insert with check (
  organizacao_id = (select organizacao_escrita()) and quem = (select pessoa_atual()));
create policy apagar on sinteses for delete using (
  organizacao_id = (select organizacao_escrita()) and quem = (select pessoa_atual()));
