import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

const PAGE = 500
/** A sheet or an analysis may be megabytes. */
const PAGES: Partial<Record<string, number>> = { fichas: 20, analises: 4 }
const NAME = (person: RawBuilder<unknown>) => sql`(select u.name from auth.users u where u.id = ${person})`

/** What an organisation has besides its trials as they stand, each with a key that puts its rows in order. */
const KEPT = {
  historico: sql`
    select a.id::text as chave, jsonb_build_object('experimento', a.experimento_id, 'quando', a.quando,
      'acao', a.acao, 'quem', case when a.em_nome_de is null then ${NAME(sql`a.quem`)} else nome_de(a.em_nome_de) end,
      'antes', a.antes, 'depois', a.depois) as linha
    from alteracoes a join experimentos e on e.id = a.experimento_id and e.organizacao_id = organizacao_atual()`,
  fichas: sql`
    select f.experimento_id::text as chave, f.corpo || jsonb_build_object('experimento', f.experimento_id,
      'versao', f.versao, 'alterada_em', f.alterada_em, 'alterada_por', ${NAME(sql`f.alterada_por`)},
      'produtividade_informada', f.informadas, 'exclusoes', coalesce((
        select jsonb_agg(x || jsonb_build_object('quem', ${NAME(sql`(x ->> 'quem')::uuid`)}) order by n)
        from jsonb_array_elements(f.corpo -> 'exclusoes') with ordinality as de (x, n)), '[]'),
      'valores', coalesce((
        select jsonb_agg(jsonb_build_object('variavel', v.variavel, 'avaliacao', v.avaliacao, 'valores', v.valores)
          order by v.ordem)
        from valores v where v.experimento_id = f.experimento_id), '[]')) as linha
    from fichas f join experimentos e on e.id = f.experimento_id and e.organizacao_id = organizacao_atual()
      and e.deleted_at is null`,
  analises: sql`
    select a.id::text as chave, jsonb_build_object('id', a.id, 'experimento', a.experimento_id, 'ordem', a.ordem,
      'variavel', a.variavel, 'avaliacao', a.avaliacao, 'opcoes', a.opcoes, 'teste', a.teste, 'titulo', a.titulo,
      'conclusao', a.conclusao, 'dados_versao', a.dados_versao, 'motor', a.motor, 'quem', ${NAME(sql`a.quem`)},
      'quando', a.quando, 'retirada_em', a.retirada_em, 'retirada_por', ${NAME(sql`a.retirada_por`)},
      'retirada_motivo', a.retirada_motivo, 'analise', a.resposta) as linha
    from analises a join experimentos e on e.id = a.experimento_id and e.organizacao_id = organizacao_atual()
      and e.deleted_at is null`,
  cenarios: sql`
    select c.experimento_id::text as chave, c.corpo || jsonb_build_object('experimento', c.experimento_id,
      'versao', c.versao, 'quem', ${NAME(sql`c.alterado_por`)}, 'quando', c.alterado_em) as linha
    from cenarios c join experimentos e on e.id = c.experimento_id and e.organizacao_id = organizacao_atual()
      and e.deleted_at is null`,
  fotos: sql`
    select f.id::text as chave, jsonb_build_object('id', f.id, 'experimento', f.experimento_id, 'parcela', f.parcela,
      'variavel', f.variavel, 'avaliacao', f.avaliacao, 'quando', f.quando, 'posicao', f.posicao,
      'descricao', f.descricao, 'quem', coalesce(f.coletor, ${NAME(sql`f.pessoa_id`)}), 'sha256', f.sha256) as linha
    from fotos f join experimentos e on e.id = f.experimento_id and e.organizacao_id = organizacao_atual()
      and e.deleted_at is null
    where f.armazenado is not null`,
  comentarios: sql`
    select c.id::text as chave, jsonb_build_object('experimento', c.experimento_id, 'quando', c.quando,
      'autor', case when c.organizacao_id = organizacao_atual() then ${NAME(sql`c.autor`)} end,
      'organizacao', nome_de(c.organizacao_id), 'texto', c.texto) as linha
    from comentarios c join experimentos e on e.id = c.experimento_id and e.organizacao_id = organizacao_atual()`,
  colecoes: sql`
    select c.chave::text as chave, jsonb_build_object('nome', c.nome, 'tipo', c.tipo, 'filtro', c.filtro,
      'created_at', c.created_at, 'experimentos', array(
        select x.experimento_id from colecao_experimentos x where x.colecao_id = c.id order by 1)) as linha
    from colecoes c where c.organizacao_id = organizacao_atual()`,
  compartilhamentos: sql`
    select s.id::text as chave, jsonb_build_object('nome', s.nome, 'alvo', s.alvo,
      'para', coalesce(nome_de(s.destino_id), s.email), 'custos', s.custos, 'documentos', s.documentos,
      'comentarios', s.comentarios, 'ate', s.ate, 'estado', s.estado, 'created_at', s.created_at) as linha
    from compartilhamentos s where s.organizacao_id = organizacao_atual()`,
  links: sql`
    select l.id::text as chave, jsonb_build_object('experimento', l.experimento_id, 'ate', l.ate,
      'custos', l.custos, 'documentos', l.documentos, 'created_at', l.created_at, 'aberturas', l.aberturas,
      'revogado_em', l.revogado_em) as linha
    from links_publicos l where l.organizacao_id = organizacao_atual()`,
} satisfies Readonly<Record<string, RawBuilder<unknown>>>
export type Kept = keyof typeof KEPT
export const KEPT_KINDS = Object.keys(KEPT) as Kept[]

/** The next rows of one kind after a key, and the key to go on from; null at the end. */
export async function keptAfter(
  handle: Handle,
  kind: Kept,
  after: string,
): Promise<{ rows: unknown[]; next: string | null }> {
  const page = PAGES[kind] ?? PAGE
  const { rows } = await sql<{ chave: string; linha: unknown }>`
    select k.chave, k.linha from (${KEPT[kind]}) k where k.chave > ${after} order by k.chave limit ${page}
  `.execute(handle)
  return {
    rows: rows.map(({ linha }) => linha),
    next: rows.length === page ? (rows.at(-1)?.chave ?? null) : null,
  }
}

/** How many trials the acting organisation has. */
export async function ownTrials(handle: Handle): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from experimentos where organizacao_id = organizacao_atual() and deleted_at is null
  `.execute(handle)
  return rows[0]?.n ?? 0
}
