-- The dashboard's figures, kept instead of recomputed. A cell is one combination of the keys that the exact
-- filters use; an experiment lies in exactly one. Means and squared deviations rather than sums of squares, so
-- that nothing cancels out.
create table celulas (
  cultura_id integer not null,
  ano smallint not null,
  regiao_id integer not null,
  fabricante_id integer not null,
  bu smallint not null,
  n integer not null,
  -- kg/ha
  media double precision not null,
  desvios2 double precision not null,
  n_roi integer not null,
  soma_roi double precision not null,
  n_argila integer not null,
  -- The consultancies, one bit each by their number: the distinct count of any union is exact.
  consultorias bit(4096) not null,
  primary key (cultura_id, ano, regiao_id, fabricante_id, bu)
);

-- Treatments but for the controls.
create table celulas_modalidade (
  cultura_id integer not null,
  ano smallint not null,
  regiao_id integer not null,
  fabricante_id integer not null,
  bu smallint not null,
  modalidade_id integer not null,
  n integer not null,
  media double precision not null,
  desvios2 double precision not null,
  n_roi integer not null,
  soma_roi double precision not null,
  primary key (cultura_id, ano, regiao_id, fabricante_id, bu, modalidade_id)
);

create table celulas_produto (
  cultura_id integer not null,
  ano smallint not null,
  regiao_id integer not null,
  fabricante_id integer not null,
  bu smallint not null,
  produto_id integer not null,
  experimentos integer not null,
  n_custo integer not null,
  soma_custo double precision not null,
  n_roi integer not null,
  soma_roi double precision not null,
  primary key (cultura_id, ano, regiao_id, fabricante_id, bu, produto_id)
);

-- Cells that a write has touched; appended only, so that writers never wait for each other here.
create table celulas_sujas (
  cultura_id integer not null,
  ano smallint not null,
  regiao_id integer not null,
  fabricante_id integer not null,
  bu smallint not null
);

create function sujar_novas() returns trigger language plpgsql as $$
begin
  insert into celulas_sujas select distinct cultura_id, ano, regiao_id, fabricante_id, bu from novas;
  return null;
end $$;
create function sujar_antigas() returns trigger language plpgsql as $$
begin
  insert into celulas_sujas select distinct cultura_id, ano, regiao_id, fabricante_id, bu from antigas;
  return null;
end $$;
create function sujar_ambas() returns trigger language plpgsql as $$
begin
  insert into celulas_sujas
    select cultura_id, ano, regiao_id, fabricante_id, bu from novas
    union select cultura_id, ano, regiao_id, fabricante_id, bu from antigas;
  return null;
end $$;
create trigger celulas_insert after insert on experimentos
  referencing new table as novas for each statement execute function sujar_novas();
create trigger celulas_delete after delete on experimentos
  referencing old table as antigas for each statement execute function sujar_antigas();
create trigger celulas_update after update on experimentos
  referencing new table as novas old table as antigas for each statement execute function sujar_ambas();

-- A write that touches only treatments or products.
create function sujar_por_experimento() returns trigger language plpgsql as $$
begin
  insert into celulas_sujas
    select distinct e.cultura_id, e.ano, e.regiao_id, e.fabricante_id, e.bu
    from experimentos e where e.id in (select experimento_id from mudadas);
  return null;
end $$;
create trigger celulas_insert after insert on tratamentos
  referencing new table as mudadas for each statement execute function sujar_por_experimento();
create trigger celulas_update after update on tratamentos
  referencing new table as mudadas for each statement execute function sujar_por_experimento();
create trigger celulas_delete after delete on tratamentos
  referencing old table as mudadas for each statement execute function sujar_por_experimento();
create trigger celulas_insert after insert on produtos_aplicados
  referencing new table as mudadas for each statement execute function sujar_por_experimento();
create trigger celulas_update after update on produtos_aplicados
  referencing new table as mudadas for each statement execute function sujar_por_experimento();
create trigger celulas_delete after delete on produtos_aplicados
  referencing old table as mudadas for each statement execute function sujar_por_experimento();

-- What was there before the cells were.
insert into celulas_sujas
  select distinct cultura_id, ano, regiao_id, fabricante_id, bu from experimentos where deleted_at is null;

-- The cells' own index: recomputing one reads only its experiments.
create index experimentos_celula on experimentos (cultura_id, ano, regiao_id, fabricante_id, bu)
  where deleted_at is null;
