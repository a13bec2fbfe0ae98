-- Assessed without knowing which plot has which treatment: phones get letters in the place of names.
alter table fichas add column as_cegas boolean not null default false;
