-- An experiment that lost its main document while it has others: the oldest of them is it.
update experimentos e set documento_id = (
  select id from documentos where experimento_id = e.id order by created_at, id limit 1
)
where documento_id is null and exists (select from documentos where experimento_id = e.id);
