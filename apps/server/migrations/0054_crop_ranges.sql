-- The ranges of yields that advice compares with, once administrators have changed them; without a row the shipped ones
-- hold. Each names where it was read. One number for all rows: a light counted with another is counted anew.
create table faixas_cultura (
  cultura text primary key,
  media float8 not null check (media > 0),
  safra text not null,
  fonte text not null,
  endereco text,
  -- 'aaaa' or 'aaaa-mm-dd'; null for what has no date.
  publicada text,
  lida_em date not null default (now() at time zone 'America/Sao_Paulo')::date,
  abaixo float8 not null check (abaixo > 0),
  acima float8 not null,
  impossivel float8 not null,
  ligada boolean not null,
  versao integer not null,
  check (abaixo < acima and acima < impossivel)
);

-- Which rules found something in the trial, a bit each in the order of the codes: how often a rule is answered is a
-- share of these.
alter table experimentos add column achados integer not null default 0;
