-- What was shared this week is new to whoever received it, however old the trial is.
alter table compartilhamentos add column aceito_em timestamptz;
create function notar_aceite() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp
  as $$ begin new.aceito_em := now(); return new; end $$;
create trigger notar_aceite before update of estado on compartilhamentos for each row
  when (new.estado = 'aceito' and old.estado <> 'aceito') execute function notar_aceite();

-- Trials that shares accepted since then opened to the acting organisation, whether or not it still sees them.
create function recebidos_desde(desde timestamptz) returns setof uuid language sql stable security definer
  set search_path = pg_catalog, public, pg_temp set ensaio.dono = 'on'
  as $$
    select s.experimento_id from public.compartilhamentos s
    where s.destino_id = public.organizacao_atual() and s.estado = 'aceito' and s.aceito_em >= desde
      and s.alvo = 'experimento'
    union
    select e.id from public.compartilhamentos s
    join public.acervos a on a.organizacao_id = s.organizacao_id
      and (s.alvo = 'tudo' or s.alvo = 'colecao' and s.colecao_id = any (a.colecoes))
    join public.experimentos e on e.acervo_id = a.id
    where s.destino_id = public.organizacao_atual() and s.estado = 'aceito' and s.aceito_em >= desde
  $$;
