-- A visitor sees the brands that are offered; one that somebody typed, only who is signed in.
create or replace view publicado.fabricantes as
select id, nome, ativo from public.fabricantes
where ativo or current_setting('ensaio.papel', true) = 'authenticated';
