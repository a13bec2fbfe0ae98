-- Every chart under a crop and a product together: the figures of a product set within a crop, kept under the filter 11
-- (kept-numbers.ts). Their key is the set's number times 65536 plus the crop's.
alter table margens alter column chave type bigint;
alter table margens_produto alter column chave type bigint;

insert into margens
select 11, m.conjunto_id * 65536::bigint + m.cultura_id, d.por, d.valor, count(*), sum(m.p), sum(m.p * m.p),
  count(m.roi), sum(coalesce(m.roi, 0)::numeric), count(m.teor_argila)
from (select *, produtividade_media::numeric as p from contados offset 0) m
cross join lateral (values
  (1, m.cultura_id), (2, m.ano), (3, m.regiao_id), (4, m.fabricante_id), (5, m.bu), (6, m.consultoria_id),
  (10, m.com_documento::integer)
) d (por, valor)
group by 2, 3, 4;

insert into margens
select 11, m.conjunto_id * 65536::bigint + m.cultura_id, 8, t.modalidade_id, sum(t.n), sum(t.soma), sum(t.soma2),
  sum(t.n * (m.roi is not null)::integer), sum(t.n * coalesce(m.roi, 0)::numeric), 0
from contados_modalidades t join contados m on m.id = t.experimento_id
group by 2, 4;

insert into margens_produto
select 11, m.conjunto_id * 65536::bigint + m.cultura_id, p.produto_id, m.fabricante_id, count(*), sum(p.n_custo),
  sum(p.soma_custo), count(m.roi), sum(coalesce(m.roi, 0)::numeric)
from contados_produtos p join contados m on m.id = p.experimento_id
group by 2, 3, 4;
