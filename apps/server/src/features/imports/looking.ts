import { type ImportForm, searchable, type WorkbookCell, type WorkbookHead } from '@ensaio/domain'
import {
  addToProfile,
  draftOf,
  finishTrial,
  formOf,
  grouper,
  type ImportPlan,
  isAbsent,
  isTrialField,
  isUnitRow,
  joinedSheet,
  type KnownNames,
  type LookedSheet,
  makePlan,
  nearName,
  newProfile,
  type SheetRow,
  titleRowOf,
  titlesNamed,
} from '@ensaio/domain/imports'
import type { Handle } from '../../database/handle.ts'
import {
  type Chosen,
  codesIn,
  rowsAfter,
  type StoredImport,
  type StoredPlan,
  type StoredRow,
} from './imports.repository.ts'
import { municipalities, namesInUse, trialsByKeys } from './trials.repository.ts'

const ROWS_AT_ONCE = 1000
const MOST_TRIALS = 10_000
const HEAD_ROWS = 60

/** Lets whatever else waits have its turn. */
export const breathe = () => new Promise((done) => setImmediate(done))

let cities: Promise<ReadonlyMap<string, { nome: string; estado: string }[]>> | null = null
const citiesOf = (handle: Handle) => {
  cities ??= municipalities(handle).then(
    (all) => {
      const byName = new Map<string, { nome: string; estado: string }[]>()
      for (const { nome, estado, busca } of all)
        byName.set(busca, [...(byName.get(busca) ?? []), { nome, estado }])
      return byName
    },
    (error: unknown) => {
      cities = null
      throw error
    },
  )
  return cities
}

const NAMES_LIFE_MS = 30_000
const MOST_KEPT = 200
const MOST_SLIPS = 2_000
const keptNames = new Map<string, { until: number; names: Promise<KnownNames> }>()

/** What an organisation may know of names; kept a while, since cells are corrected one after the other. */
export function knownNames(handle: Handle, organization: string): Promise<KnownNames> {
  const kept = keptNames.get(organization)
  if (kept && kept.until > Date.now()) return kept.names
  if (keptNames.size >= MOST_KEPT) keptNames.clear()
  const names = readNames(handle)
  keptNames.set(organization, { until: Date.now() + NAMES_LIFE_MS, names })
  names.catch(() => keptNames.delete(organization))
  return names
}

async function readNames(handle: Handle): Promise<KnownNames> {
  const [places, names] = await Promise.all([citiesOf(handle), namesInUse(handle)])
  const spellings = new Map(
    Object.entries(names).map(([kind, all]) => [kind, new Map(all.map((name) => [searchable(name), name]))]),
  )
  const byState = new Map<string, string[]>()
  for (const { nome, estado } of [...places.values()].flat())
    byState.set(estado, [...(byState.get(estado) ?? []), nome])
  // One slip stands in many rows.
  const near = new Map<string, string | undefined>()
  return {
    spelling: (kind, plain) => spellings.get(kind)?.get(plain),
    all: (kind) => names[kind],
    cities: (plain) => places.get(plain) ?? [],
    nearCity(text, state) {
      const key = `${state} ${text.slice(0, 60)}`
      if (!near.has(key)) {
        if (near.size >= MOST_SLIPS) near.clear()
        near.set(key, nearName(text, byState.get(state) ?? []))
      }
      return near.get(key)
    },
  }
}

/** The plan that stands, without another look at the file. */
export function standingPlan(
  { escolhas }: Pick<StoredImport, 'escolhas'>,
  plano: StoredPlan,
  names: KnownNames,
): ImportPlan {
  const { padroes, safra } = { ...CHOSEN, ...escolhas }
  return { forma: plano.forma, colunas: plano.colunas, padroes, safra, names }
}

/** Rows of the sheets, batch by batch, merged cells filled in where the trial's columns want them. */
async function* batches(handle: Handle, id: string, sheets: readonly number[]): AsyncGenerator<StoredRow[]> {
  let after = { folha: -1, linha: 0 }
  while (true) {
    const rows = await rowsAfter(handle, id, { sheets, after, limit: ROWS_AT_ONCE })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = { folha: last.folha, linha: last.linha }
  }
}

export const CHOSEN: Chosen = {
  ...{ folha: null, linha_titulos: null, forma: null, codificacao: null, separador: null, modelo: null },
  ...{ vazias_apagam: false, ignorar_ocultas: false },
  ...{ mapa: {}, titulos: {}, decimal: {}, padroes: {}, safra: 'colheita' },
}

interface Sheets {
  forma: ImportForm | null
  folha: string | null
  parts: { folha: number; nome: string | null }[]
}

/** Which sheets take part: the chosen one, those that are joined by their names, else the one that tells the most titles. */
async function sheetsOf(handle: Handle, id: string, head: WorkbookHead, chosen: Chosen): Promise<Sheets> {
  const joined = head.folhas.flatMap(({ nome }, folha) =>
    joinedSheet(nome) === null ? [] : [{ folha, nome }],
  )
  const hasTrials = joined.some(({ nome }) => joinedSheet(nome) === 'Experimentos') && joined.length >= 2
  if (chosen.forma === 'folhas' || (chosen.forma === null && chosen.folha === null && hasTrials))
    return { forma: 'folhas', folha: null, parts: joined }
  const at = chosen.folha === null ? -1 : head.folhas.findIndex(({ nome }) => nome === chosen.folha)
  const folha = at !== -1 ? at : await likeliestSheet(handle, id, head)
  return { forma: chosen.forma, folha: head.folhas[folha]?.nome ?? null, parts: [{ folha, nome: null }] }
}

/** Three known titles make a table of trials; fewer may stand on a cover, too. */
const LEAST_TITLES = 3
/** More sheets are not looked at. */
const MOST_SHEETS = 40

/** The visible sheet that tells the most titles; where none tells enough, the first with more than one row. */
async function likeliestSheet(handle: Handle, id: string, head: WorkbookHead): Promise<number> {
  const filled = head.folhas.flatMap(({ linhas, oculta }, folha) => (linhas > 0 && !oculta ? [folha] : []))
  let best = { folha: -1, titles: LEAST_TITLES - 1 }
  for (const folha of filled.slice(0, MOST_SHEETS)) {
    const rows = await rowsAfter(handle, id, {
      sheets: [folha],
      after: { folha, linha: 0 },
      limit: HEAD_ROWS,
    })
    const titles = titlesNamed(rows.map(({ celulas }) => celulas))
    if (titles > best.titles) best = { folha, titles }
  }
  if (best.folha !== -1) return best.folha
  return filled.find((folha) => (head.folhas[folha]?.linhas ?? 0) > 1) ?? filled[0] ?? 0
}

const hiddenOf = (head: WorkbookHead, folha: number) => new Set(head.folhas[folha]?.linhas_ocultas ?? [])

/** Looks the file through: titles, what stands in each column, and what it is taken for. */
export async function planFor(
  handle: Handle,
  stored: Pick<StoredImport, 'id' | 'cabeca' | 'escolhas'>,
  names: KnownNames,
): Promise<StoredPlan & { plan: ImportPlan; filled: number }> {
  const chosen: Chosen = { ...CHOSEN, ...stored.escolhas }
  const head = stored.cabeca
  if (!head) throw new Error('an import without a head')
  const { parts, folha, forma } = await sheetsOf(handle, stored.id, head, chosen)
  const looked: LookedSheet[] = []
  const inicio: Record<number, number> = {}
  let titleRow = 1
  let filled = 0
  for (const part of parts) {
    const sheet = await lookThrough(handle, stored.id, { ...part, head, chosen })
    looked.push(sheet)
    inicio[part.folha] = sheet.from
    filled += sheet.filled
    if (part === parts[0]) titleRow = sheet.titleRow
  }
  const taken = forma ?? formOf(looked[0]?.titles ?? [])
  const made = makePlan({ forma: taken, sheets: looked, choices: chosen, names })
  const updates = made.faltam.length > 0 && (await onlyUpdates(handle, stored.id, made.plan, inicio))
  return {
    forma: taken,
    folha,
    linha_titulos: titleRow,
    inicio,
    colunas: [...made.plan.colunas],
    mapa: made.columns,
    // Who only updates gives a key and what is to change.
    faltam: updates ? [] : made.faltam,
    plan: made.plan,
    filled,
  }
}

/** More codes are not looked up before the columns are settled. */
const MOST_CODES = 5_000

/** Whether every code that the file names is one of a trial that is there. */
async function onlyUpdates(
  handle: Handle,
  id: string,
  { colunas }: ImportPlan,
  inicio: Record<number, number>,
): Promise<boolean> {
  const column = colunas.find(({ campo }) => campo === 'codigo')
  if (!column) return false
  const from = inicio[column.folha] ?? 1
  const codes = await codesIn(handle, id, {
    folha: column.folha,
    coluna: column.index,
    from,
    limit: MOST_CODES,
  })
  if (codes.length === 0 || codes.length === MOST_CODES) return false
  const wanted = new Set(codes.map((code) => searchable(code)))
  const known = await trialsByKeys(handle, { ids: [], codes: [...wanted] })
  return known.length === wanted.size
}

async function lookThrough(
  handle: Handle,
  id: string,
  { folha, nome, head, chosen }: { folha: number; nome: string | null; head: WorkbookHead; chosen: Chosen },
): Promise<LookedSheet & { from: number; titleRow: number; filled: number }> {
  const upper = await rowsAfter(handle, id, { sheets: [folha], after: { folha, linha: 0 }, limit: HEAD_ROWS })
  const single = nome === null
  const guessed = titleRowOf(upper.map(({ celulas }) => celulas))
  const first = single && guessed === -1 ? 0 : (upper[Math.max(0, guessed)]?.linha ?? 1)
  // 0: there are none.
  const titleRow = (single ? chosen.linha_titulos : null) ?? first
  const titles = upper.find(({ linha }) => linha === titleRow)?.celulas ?? []
  const below = titleRow === 0 ? [] : (upper.find(({ linha }) => linha === titleRow + 1)?.celulas ?? [])
  const from = titleRow + (isUnitRow({ below }) ? 2 : 1)
  const columns = Math.min(200, head.folhas[folha]?.colunas ?? titles.length)
  const profiles = Array.from({ length: columns }, newProfile)
  const hidden = chosen.ignorar_ocultas ? hiddenOf(head, folha) : new Set<number>()
  const hiddenColumns = new Set(chosen.ignorar_ocultas ? (head.folhas[folha]?.colunas_ocultas ?? []) : [])
  let filled = 0
  for await (const rows of batches(handle, id, [folha])) {
    for (const { linha, celulas } of rows) {
      if (linha < from || hidden.has(linha - 1) || celulas[0] === EXAMPLE) continue
      filled += 1
      for (const [at, profile] of profiles.entries())
        if (!hiddenColumns.has(at)) addToProfile(profile, celulas[at])
    }
    await breathe()
  }
  return {
    folha,
    nome,
    // A hidden column that is ignored is none: neither title nor values.
    titles: Array.from({ length: columns }, (_, at) => (hiddenColumns.has(at) ? undefined : titles[at])),
    below,
    profiles,
    from,
    titleRow,
    filled,
  }
}

/** What marks a row of the template that shows how it is done. */
export const EXAMPLE = 'EXEMPLO'

/** The cells of a row as they count: merged ones hold their value in every row where the trial's columns want it. */
export function merger(head: WorkbookHead, plan: Pick<ImportPlan, 'colunas'>) {
  const trial = new Set(
    plan.colunas.filter(({ campo }) => isTrialField(campo)).map(({ folha, index }) => `${folha} ${index}`),
  )
  const merges = new Map<string, { linha: number; linhas: number }[]>()
  for (const [folha, { mescladas }] of head.folhas.entries())
    for (const { linha, coluna, linhas } of mescladas) {
      const column = `${folha} ${coluna}`
      if (!trial.has(column)) continue
      const own = merges.get(column)
      if (own) own.push({ linha, linhas })
      else merges.set(column, [{ linha, linhas }])
    }
  for (const own of merges.values()) own.sort((one, other) => one.linha - other.linha)
  /** The row that a cell has its value from, where it is not its own; null of any other. */
  const topOf = (column: string, linha: number): number | null => {
    const own = merges.get(column)
    if (!own) return null
    let [low, high] = [0, own.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((own[middle]?.linha ?? 0) < linha) low = middle + 1
      else high = middle
    }
    const above = own[low - 1]
    return above && linha < above.linha + Math.min(above.linhas, MOST_MERGED_ROWS) ? above.linha : null
  }
  const values = new Map<string, WorkbookCell>()
  return (row: StoredRow): SheetRow => {
    if (merges.size === 0) return row
    const celulas = [...row.celulas]
    const width = Math.max(celulas.length, head.folhas[row.folha]?.colunas ?? 0)
    for (let at = 0; at < width; at++) {
      const column = `${row.folha} ${at}`
      const top = topOf(column, row.linha - 1)
      if (top !== null) celulas[at] ??= values.get(`${column} ${top}`) ?? null
      else if (merges.has(column)) values.set(`${column} ${row.linha - 1}`, celulas[at] ?? null)
    }
    return { ...row, celulas }
  }
}
/** A column merged as a whole is no trial's. */
const MOST_MERGED_ROWS = 5000

/** Rows of a sheet among which the first trial is looked for, and treatments of it that are shown. */
const FIRST_ROWS = 60
const SHOWN_TREATMENTS = 12

/** The first trial as it is understood, to be held against the spreadsheet; null where no row has any. */
export async function firstTrial(
  handle: Handle,
  { id, cabeca: head }: Pick<StoredImport, 'id' | 'cabeca'>,
  { plan, inicio }: { plan: ImportPlan; inicio: Record<number, number> },
): Promise<Record<string, unknown> | null> {
  if (!head) return null
  const group = grouper(plan)
  const merged = merger(head, plan)
  const own: SheetRow[] = []
  for (const folha of Object.keys(inicio).map(Number)) {
    const after = { folha, linha: (inicio[folha] ?? 1) - 1 }
    for (const row of await rowsAfter(handle, id, { sheets: [folha], after, limit: FIRST_ROWS })) {
      if (row.celulas[0] === EXAMPLE || row.celulas.every((cell) => isAbsent(cell))) continue
      const whole = merged(row)
      if (group(whole) === 1) own.push(whole)
    }
  }
  if (own.length === 0) return null
  const { dados } = finishTrial(draftOf(own, plan), plan)
  const { tratamentos } = dados
  return {
    ...dados,
    tratamentos: Array.isArray(tratamentos) ? tratamentos.slice(0, SHOWN_TREATMENTS) : [],
  }
}

export interface Grouped {
  folhas: number[]
  linhas: number[]
}

/** Which rows are which trial: numbers alone are kept of the whole file. @throws too many */
export async function groupRows(
  handle: Handle,
  stored: Pick<StoredImport, 'id' | 'cabeca' | 'escolhas'>,
  { plan, inicio }: { plan: ImportPlan; inicio: Record<number, number> },
): Promise<{ groups: Grouped[]; rows: number; tooMany: boolean }> {
  const head = stored.cabeca
  if (!head) throw new Error('an import without a head')
  const chosen: Chosen = { ...CHOSEN, ...stored.escolhas }
  const group = grouper(plan)
  const groups: Grouped[] = []
  const merged = merger(head, plan)
  let count = 0
  const sheets = Object.keys(inicio).map(Number)
  const hidden = new Map(
    chosen.ignorar_ocultas ? sheets.map((folha) => [folha, hiddenOf(head, folha)] as const) : [],
  )
  for await (const rows of batches(handle, stored.id, sheets)) {
    for (const row of rows) {
      if (
        row.linha < (inicio[row.folha] ?? 1) ||
        row.celulas[0] === EXAMPLE ||
        row.celulas.every((cell) => isAbsent(cell))
      )
        continue
      if (hidden.get(row.folha)?.has(row.linha - 1)) continue
      count += 1
      const n = group(merged(row))
      const of = groups[n - 1]
      if (of) {
        of.folhas.push(row.folha)
        of.linhas.push(row.linha)
      } else groups[n - 1] = { folhas: [row.folha], linhas: [row.linha] }
    }
    await breathe()
  }
  return { groups, rows: count, tooMany: groups.length > MOST_TRIALS }
}
