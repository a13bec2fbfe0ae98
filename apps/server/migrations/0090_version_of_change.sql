-- The version of the trial that a change made; not known of those from before.
alter table alteracoes add column versao integer check (versao > 0);
