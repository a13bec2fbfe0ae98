import { type ExtractionResult, REVIEW_CONFIDENCE } from '@ensaio/domain'

/** From this share on nearly everything was read. */
const NEARLY_ALL = 0.95
/** A table in which less than this share is sure is worth a look. */
const LEAST_SURE = 0.7

/** 'Li 9 de 10 valores com segurança; confira a tabela 2': the share that is expected to be found and right. */
export function confidenceInWords({ metadata }: ExtractionResult): string {
  const { confidence, held } = metadata
  if (held) return 'Li só o que é certo; os tratamentos não foram lidos'
  const tenths = Math.max(1, Math.min(10, Math.round(confidence * 10)))
  const read =
    confidence >= NEARLY_ALL
      ? 'Li quase todos os valores com segurança'
      : `Li ${tenths} de 10 valores com segurança`
  const tables = doubtfulTables(metadata)
  if (tables.length === 0) return confidence < REVIEW_CONFIDENCE ? `${read}; confira os tratamentos` : read
  const named = tables.map((number) => String(number))
  const last = named.pop()
  return `${read}; confira ${named.length > 0 ? `as tabelas ${named.join(', ')} e ${last}` : `a tabela ${last}`}`
}

function doubtfulTables({ tables = [], fields }: ExtractionResult['metadata']): number[] {
  return tables.flatMap(({ used, page, bbox: [x0, y0, x1, y1] }, at) => {
    if (!used) return []
    const inside = Object.values(fields).filter((evidence) => {
      const [a, b, c, d] = evidence.bbox
      const [x, y] = [(a + c) / 2, (b + d) / 2]
      return evidence.page === page && x >= x0 && x <= x1 && y >= y0 && y <= y1
    })
    const sure = inside.filter(({ confidence }) => confidence >= REVIEW_CONFIDENCE).length
    return inside.length > 0 && sure < LEAST_SURE * inside.length ? [at + 1] : []
  })
}
