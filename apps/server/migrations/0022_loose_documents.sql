-- Reports of erased accounts that hang on no experiment; their files follow by the sweep.
delete from documentos where experimento_id is null and created_by is null;
