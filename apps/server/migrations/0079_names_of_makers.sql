-- What runs with the right of its maker looks names up in one place only, all of them in the same way.
alter function olhar_de_novo() set search_path = pg_catalog, public, pg_temp;
