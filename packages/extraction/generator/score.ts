import type { DoseUnit } from '@ensaio/domain'
import type { ExtractedData, ExtractedTreatment } from '../src/result.ts'

/** The right answer of a report. */
export interface Truth extends Omit<ExtractedData, 'tratamentos' | 'estatistica_informada'> {
  tratamentos: TruthTreatment[]
  /** Other right answers of a field. */
  alt?: Partial<Record<string, unknown[]>>
  /** It is not the report of one trial: treatments would be made up. */
  refuse?: boolean
}
export interface TruthTreatment
  extends Omit<ExtractedTreatment, 'produtos_aplicados' | 'analises_adicionais'> {
  /** Other names by which the report calls it. */
  names?: string[]
  produtos_aplicados: { nome: string; dose: number | null; unidade?: DoseUnit | null; custo: number | null }[]
  analises_adicionais: {
    nome: string
    valor: number
    unidade: string | null
    units?: string[]
    names?: string[]
  }[]
}

/** One value of the answer or of the reading. */
export interface Judged {
  /** Of the reading, where it has the value. */
  path: string
  kind: 'field' | 'cell'
  outcome: 'right' | 'wrong' | 'missed' | 'invented'
  expected: unknown
  got: unknown
}

const plain = (value: unknown): string =>
  String(value)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const near = (a: number, b: number, share = 0.005): boolean =>
  Math.abs(a - b) <= Math.max(share * Math.abs(a), 0.011)

/** Share of words that two names have in common, 0..1. */
function alike(a: string, b: string): number {
  const x = plain(a)
    .split(' ')
    .filter((word) => word !== '' && word !== 'e')
  const rest = plain(b)
    .split(' ')
    .filter((word) => word !== '' && word !== 'e')
  const of = x.length + rest.length
  let common = 0
  for (const word of x) {
    const at = rest.indexOf(word)
    if (at < 0) continue
    rest.splice(at, 1)
    common++
  }
  return of === 0 ? 0 : (2 * common) / of
}
const SAME_NAME = 0.8

/** Names of one design; which one a report prints is asked where it matters, in a test of its own. */
const design = (name: string): string =>
  /\bdbc\b|bloco/.test(name)
    ? 'dbc'
    : /\bdic\b|inteiramente/.test(name)
      ? 'dic'
      : /anova|varianc/.test(name)
        ? 'anova'
        : name

export function sameField(field: string, expected: unknown, got: unknown): boolean {
  if (typeof expected === 'number' && typeof got === 'number') {
    if (field === 'ano') return expected === got
    if (/latitude|longitude/.test(field)) return Math.abs(expected - got) < 0.002
    if (/^teor_/.test(field)) return Math.abs(expected - got) <= 0.051
    return near(expected, got, 1e-6)
  }
  const [a, b] = [plain(expected), plain(got)]
  if (a === b) return true
  if (field === 'tipo_estatistica') return design(a) === design(b)
  if (field === 'regional') return a.replace(/^regi(?:onal|ao) /, '') === b.replace(/^regi(?:onal|ao) /, '')
  return /^(?:consultoria|cultivar)$/.test(field) && alike(a, b) >= 0.84
}

/** What a dose is in litres, kilograms or shares, and per what: 500 mL/ha is 0.5 L/ha, never 500 L/ha. */
const BASE: Readonly<Record<DoseUnit, readonly [factor: number, of: string]>> = {
  'L/ha': [1, 'l/ha'],
  'mL/ha': [0.001, 'l/ha'],
  'kg/ha': [1, 'kg/ha'],
  'g/ha': [0.001, 'kg/ha'],
  'mL/100 kg sementes': [0.001, 'l/100kg'],
  'g/100 kg sementes': [0.001, 'kg/100kg'],
  'mL/100 L água': [0.001, 'l/100l'],
  '% v/v': [1, '%'],
}
type Dose = { dose: number | null; unidade?: DoseUnit | null }
/** Where the answer tells no unit, a thousandth and a thousandfold are taken for it. */
function sameDose(expected: Dose, got: Dose): boolean {
  if (expected.dose === null || got.dose === null) return expected.dose === got.dose
  if (!expected.unidade)
    return [1, 1000, 0.001].some((f) => near(expected.dose ?? 0, (got.dose ?? 0) * f, 0.001))
  if (!got.unidade) return false
  const [a, of] = BASE[expected.unidade]
  const [b, per] = BASE[got.unidade]
  return of === per && Math.abs(expected.dose * a - got.dose * b) <= 1e-3 * Math.abs(expected.dose * a) + 1e-9
}

const sameUnit = (expected: readonly (string | null)[], got: string | null): boolean =>
  expected.some((unit) => unitKey(unit) === unitKey(got))
const unitKey = (unit: string | null): string =>
  plain(unit ?? '')
    .replace(/ 1$/, '')
    .replace(/^(?:unid\w*|un|indice|spad|indice spad|ndvi)$/, '')
    .replaceAll(' ', '')

/** The wild set's scorer takes the words of one way for one another: 'TS' and 'Sementes', 'Drench' and 'Solo'. */
const WAYS = [/incorp/, /sulco/, /sement|\bts\b/, /cobertura/, /foliar|folha/, /solo|drench/]
export const wayOf = (way: string | null | undefined): string => {
  const words = plain(way ?? '')
  const known = WAYS.findIndex((pattern) => pattern.test(words))
  return known < 0 ? words : String(known)
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Compares a reading with the truth, value by value; each treatment with the one that it agrees with most. */
export function judge(truth: Truth, got: ExtractedData): Judged[] {
  const out: Judged[] = []
  for (const [field, expected] of Object.entries(truth)) {
    if (/^(?:tratamentos|alt|refuse)$/.test(field)) continue
    const value = got[field as keyof ExtractedData]
    const right = [expected, ...(truth.alt?.[field] ?? [])].some(
      (one) => !isAbsent(one) && !isAbsent(value) && sameField(field, one, value),
    )
    put(out, { path: field, kind: 'field', expected, got: value, right })
  }
  const rows = got.tratamentos
  const partners = assign(
    truth.tratamentos.map((a, i) =>
      rows.map((b, j) => judgeTreatment(a, b, { i, j }).filter(({ outcome }) => outcome === 'right').length),
    ),
  )
  truth.tratamentos.forEach((treatment, i) => {
    const j = partners[i] ?? -1
    out.push(...judgeTreatment(treatment, rows[j], { i, j }))
  })
  rows.forEach((row, j) => {
    if (!partners.includes(j)) out.push(...judgeTreatment(undefined, row, { i: 1, j }))
  })
  return out
}

type Value = { path: string; kind: Judged['kind']; expected: unknown; got: unknown; right: boolean }

function put(out: Judged[], { right, ...value }: Value): void {
  const [absent, silent] = [isAbsent(value.expected), isAbsent(value.got)]
  if (absent && silent) return
  const outcome = right ? 'right' : absent ? 'invented' : silent ? 'missed' : 'wrong'
  out.push({ ...value, outcome })
}

function judgeTreatment(
  a: TruthTreatment | undefined,
  b: ExtractedTreatment | undefined,
  { i, j }: { i: number; j: number },
): Judged[] {
  const out: Judged[] = []
  const at = `tratamentos[${j}]`
  const compare = (path: string, expected: unknown, value: unknown, right: boolean): void =>
    put(out, { path: `${at}.${path}`, kind: 'cell', expected, got: value, right })
  const control = i === 0
  compare('nome', a?.nome, b?.nome, a !== undefined && b !== undefined && sameName(a, b.nome, control))
  // The control's way may be absent or 'Controle'.
  if (!control)
    compare('modalidade', a?.modalidade, b?.modalidade, wayOf(a?.modalidade) === wayOf(b?.modalidade))
  const bothNumbers = (x: unknown, y: unknown, share?: number): boolean =>
    typeof x === 'number' && typeof y === 'number' && near(x, y, share)
  compare(
    'produtividade',
    a?.produtividade,
    b?.produtividade,
    bothNumbers(a?.produtividade, b?.produtividade),
  )
  // What the control costs is seldom printed; the answers say 0 where it is not.
  if (!(control && !a?.custo && !b?.custo))
    compare('custo', a?.custo, b?.custo, bothNumbers(a?.custo, b?.custo, 0))
  const products = [...(b?.produtos_aplicados ?? [])]
  const place = <T>(list: readonly T[] | undefined, one: T | undefined): number =>
    one && list ? list.indexOf(one) : -1
  for (const product of a?.produtos_aplicados ?? []) {
    const match = take(products, (p) => alike(product.nome, p.nome), 0.6)
    const path = `produtos_aplicados[${place(b?.produtos_aplicados, match)}]`
    compare(
      `${path}.nome`,
      product.nome,
      match?.nome,
      !!match && alike(product.nome, match.nome) >= SAME_NAME,
    )
    compare(`${path}.dose`, product.dose, match?.dose, !!match && sameDose(product, match))
    // Of one product alone, its cost is the treatment's.
    const same = product.custo ?? (a?.produtos_aplicados.length === 1 ? a.custo : null)
    if (!(product.custo === null && match?.custo !== undefined && bothNumbers(same, match.custo, 0)))
      compare(`${path}.custo`, product.custo, match?.custo, bothNumbers(product.custo, match?.custo, 0))
  }
  for (const extra of products) {
    const path = `produtos_aplicados[${place(b?.produtos_aplicados, extra)}]`
    compare(`${path}.nome`, null, extra.nome, false)
    compare(`${path}.dose`, null, extra.dose, false)
    compare(`${path}.custo`, null, extra.custo, false)
  }
  const analyses = [...(b?.analises_adicionais ?? [])]
  for (const analysis of a?.analises_adicionais ?? []) {
    const match = take(
      analyses,
      (x) =>
        Math.max(...[analysis.nome, ...(analysis.names ?? [])].map((name) => alike(name, x.nome))) +
        (near(analysis.valor, x.valor, 0.001) ? 0.2 : 0),
      0.5,
    )
    const path = `analises_adicionais[${place(b?.analises_adicionais, match)}]`
    compare(`${path}.valor`, analysis.valor, match?.valor, bothNumbers(analysis.valor, match?.valor, 0.001))
    if (match)
      compare(
        `${path}.unidade`,
        unitKey(analysis.unidade) || null,
        unitKey(match.unidade) || null,
        sameUnit([analysis.unidade, ...(analysis.units ?? [])], match.unidade),
      )
  }
  for (const extra of analyses) {
    // Figures of the yield said another way are not held against it.
    if (/increment|ganho|\bvs\b|delta|receita/.test(plain(extra.nome))) continue
    compare(`analises_adicionais[${place(b?.analises_adicionais, extra)}].valor`, null, extra.valor, false)
  }
  return out
}

function sameName(truth: TruthTreatment, name: string, control: boolean): boolean {
  if (control && /testemunha|controle/.test(plain(name))) return true
  const products = truth.produtos_aplicados.map((product) => product.nome).join(' + ')
  return [truth.nome, products, ...(truth.names ?? [])].some(
    (one) => one !== '' && alike(one, name) >= SAME_NAME,
  )
}

/** Takes the one out of the list that is most alike, where one is alike enough. */
function take<T>(list: T[], likeness: (one: T) => number, least: number): T | undefined {
  let best = -1
  let most = least
  list.forEach((one, i) => {
    const value = likeness(one)
    if (value < most || (value === most && best >= 0)) return
    best = i
    most = value
  })
  return best < 0 ? undefined : list.splice(best, 1)[0]
}

/** For each row the column with which all of them together gain most; -1: none that gains anything. Kuhn and Munkres. */
export function assign(gains: readonly (readonly number[])[]): number[] {
  const rows = gains.length
  const size = Math.max(rows, gains[0]?.length ?? 0)
  const cost = (r: number, c: number): number => -(gains[r - 1]?.[c - 1] ?? 0)
  const u = new Array<number>(size + 1).fill(0)
  const v = new Array<number>(size + 1).fill(0)
  const rowOf = new Array<number>(size + 1).fill(0)
  for (let r = 1; r <= size; r++) {
    const way = new Array<number>(size + 1).fill(0)
    const slack = new Array<number>(size + 1).fill(Infinity)
    const used = new Array<boolean>(size + 1).fill(false)
    rowOf[0] = r
    let column = 0
    do {
      used[column] = true
      const row = rowOf[column] ?? 0
      let [delta, next] = [Infinity, 0]
      for (let c = 1; c <= size; c++) {
        if (used[c]) continue
        const reduced = cost(row, c) - (u[row] ?? 0) - (v[c] ?? 0)
        if (reduced < (slack[c] ?? Infinity)) {
          slack[c] = reduced
          way[c] = column
        }
        if ((slack[c] ?? Infinity) < delta) {
          delta = slack[c] ?? Infinity
          next = c
        }
      }
      for (let c = 0; c <= size; c++) {
        if (used[c]) {
          u[rowOf[c] ?? 0] = (u[rowOf[c] ?? 0] ?? 0) + delta
          v[c] = (v[c] ?? 0) - delta
        } else slack[c] = (slack[c] ?? 0) - delta
      }
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      const before = way[column] ?? 0
      rowOf[column] = rowOf[before] ?? 0
      column = before
    }
  }
  const out = new Array<number>(rows).fill(-1)
  for (let c = 1; c <= size; c++) {
    const r = (rowOf[c] ?? 0) - 1
    if (r >= 0 && r < rows && (gains[r]?.[c - 1] ?? 0) > 0) out[r] = c - 1
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
