-- A kept report of many trials holds what others had shown when it was made: the trials that were received, or, of very
-- many, their sets; and of which of them costs were seen. It is handed out only while all of that is still seen.
alter table relatorios
  add column recebidos uuid[] not null default '{}',
  add column recebidos_com_custos uuid[] not null default '{}',
  add column acervos integer[] not null default '{}',
  add column acervos_com_custos integer[] not null default '{}';
-- Of those made before nobody knows it.
delete from relatorios r where exists (select from compartilhamentos s where s.destino_id = r.organizacao_id);
