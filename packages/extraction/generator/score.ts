import type { ExtractedData, ExtractedTreatment } from '../src/result.ts'

/** The right answer of a report: as the samples' JSON files have it. */
export interface Truth extends Omit<ExtractedData, 'tratamentos'> {
  tratamentos: TruthTreatment[]
}
export interface TruthTreatment extends Omit<ExtractedTreatment, 'produtos_aplicados'> {
  produtos_aplicados: { nome: string; dose: number | null; custo: number | null }[]
}

/** One value of the answer or of the reading. */
export interface Judged {
  path: string
  kind: 'field' | 'cell'
  outcome: 'right' | 'wrong' | 'missed' | 'invented'
  expected: unknown
  got: unknown
}

const plain = (value: unknown): string =>
  String(value)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const design = (name: string): string => (name === 'dbc' ? 'blocos casualizados' : name)

function equal(expected: unknown, got: unknown, path: string): boolean {
  if (typeof expected === 'number' && typeof got === 'number') {
    if (/dose$/.test(path)) return [1, 1000, 0.001].some((f) => near(expected, got * f))
    if (path === 'ano') return Math.abs(expected - got) < 0.5
    if (/latitude|longitude/.test(path)) return Math.abs(expected - got) < 0.002
    return near(expected, got)
  }
  const a = plain(expected)
  const b = plain(got)
  if (a === b) return true
  // One design under two names: which one a report prints is asked where it matters, in a test of its own.
  if (path === 'tipo_estatistica') return design(a) === design(b)
  if (!/nome|consultoria|cultivar|regional/.test(path)) return false
  const x = new Set(a.split(' ').filter((w) => w !== 'e'))
  const y = new Set(b.split(' ').filter((w) => w !== 'e'))
  const common = [...x].filter((w) => y.has(w)).length
  return common / Math.max(x.size, y.size) > 0.84
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(0.006 * Math.abs(a), 1e-6)

/** Compares a reading with the truth, value by value. */
export function judge(truth: Truth, got: ExtractedData): Judged[] {
  const out: Judged[] = []
  const compare = (path: string, kind: Judged['kind'], expected: unknown, value: unknown): void => {
    const absent = expected === null || expected === undefined
    const silent = value === null || value === undefined
    if (absent && silent) return
    const outcome = absent
      ? 'invented'
      : silent
        ? 'missed'
        : equal(expected, value, path.replace(/^.*\./, ''))
          ? 'right'
          : 'wrong'
    out.push({ path, kind, outcome, expected, got: value })
  }
  for (const [field, expected] of Object.entries(truth))
    if (field !== 'tratamentos') compare(field, 'field', expected, got[field as keyof ExtractedData])
  const count = Math.max(truth.tratamentos.length, got.tratamentos.length)
  for (let i = 0; i < count; i++) {
    const a = truth.tratamentos[i]
    const b = got.tratamentos[i]
    const path = `tratamentos[${i}]`
    for (const key of ['nome', 'modalidade', 'produtividade', 'custo'] as const) {
      // The control's modality may be absent or 'Controle'.
      if (key === 'modalidade' && i === 0) continue
      // What the control costs is seldom printed; the answers say 0 where it is not.
      if (key === 'custo' && i === 0 && !a?.custo && b?.custo === null) continue
      compare(`${path}.${key}`, 'cell', a?.[key], b?.[key])
    }
    const products = [...(b?.produtos_aplicados ?? [])]
    a?.produtos_aplicados.forEach((product) => {
      const at = products.findIndex((p) => equal(product.nome, p.nome, 'nome'))
      const match = at >= 0 ? products.splice(at, 1)[0] : undefined
      const index = match ? (b?.produtos_aplicados.indexOf(match) ?? 0) : -1
      const base = `${path}.produtos_aplicados[${index}]`
      compare(`${base}.nome`, 'cell', product.nome, match?.nome)
      compare(`${base}.dose`, 'cell', product.dose, match?.dose)
      compare(`${base}.custo`, 'cell', product.custo, match?.custo)
    })
    for (const extra of products) {
      const base = `${path}.produtos_aplicados[${b?.produtos_aplicados.indexOf(extra)}]`
      compare(`${base}.nome`, 'cell', null, extra.nome)
      compare(`${base}.dose`, 'cell', null, extra.dose)
    }
    const analyses = [...(b?.analises_adicionais ?? [])]
    a?.analises_adicionais.forEach((analysis) => {
      let at = analyses.findIndex(
        (x) => equal(analysis.nome, x.nome, 'nome') && equal(analysis.valor, x.valor, 'valor'),
      )
      if (at < 0) at = analyses.findIndex((x) => equal(analysis.nome, x.nome, 'nome'))
      const match = at >= 0 ? analyses.splice(at, 1)[0] : undefined
      const index = match ? (b?.analises_adicionais.indexOf(match) ?? 0) : -1
      compare(`${path}.analises_adicionais[${index}].valor`, 'cell', analysis.valor, match?.valor)
    })
    for (const extra of analyses)
      compare(
        `${path}.analises_adicionais[${b?.analises_adicionais.indexOf(extra)}].valor`,
        'cell',
        null,
        extra.valor,
      )
  }
  return out
}

/** F1 of the values of one kind. */
export function f1(judged: readonly Judged[]): number {
  const count = (outcome: Judged['outcome']): number => judged.filter((j) => j.outcome === outcome).length
  const right = count('right')
  const wrong = count('wrong')
  const denominator = 2 * right + 2 * wrong + count('missed') + count('invented')
  return denominator === 0 ? 1 : (2 * right) / denominator
}
