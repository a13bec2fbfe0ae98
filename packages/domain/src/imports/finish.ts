import { CONTROL_MODALITY, CONTROL_NAME } from '../constants.ts'
import type { ImportProblem } from '../contract-imports.ts'
import { type Experiment, ExperimentInput, type StoredTreatment } from '../experiment.ts'
import { FIELD_KEYS, isFieldKey } from '../experiment-fields.ts'
import { searchable, withoutNoise } from '../format.ts'
import { importFieldLabel } from '../import-fields.ts'
import { isControlAlone } from './cells.ts'
import { type DraftTreatment, nowhere, problemAt, type TrialDraft } from './draft.ts'
import { plainName } from './draft-treatments.ts'
import { NO_CONTROL } from './drafting.ts'
import { readField } from './fields.ts'
import { type ImportPlan, isTrialField, type Place } from './plan.ts'

/** A trial as it would be written. */
export interface FinishedTrial {
  /** Whole where there is no error; else as far as it was understood. */
  dados: Record<string, unknown>
  input: ExperimentInput | null
  mudancas: { campo: string; antes: unknown; depois: unknown }[]
  problemas: ImportProblem[]
  /** For each treatment of the draft its place in the trial, from 0. */
  lugares: readonly number[]
}

type Held = Pick<Experiment, 'tratamentos'> & Record<string, unknown>

/**
 * Holds a draft against what a trial has to have. Of a trial that is there already only what the spreadsheet says
 * changes; an empty cell leaves the value, unless it is to erase it.
 */
export function finishTrial(
  draft: TrialDraft,
  plan: ImportPlan,
  { existing = null, erase = false }: { existing?: Held | null; erase?: boolean } = {},
): FinishedTrial {
  const { raw, lugares } = existing
    ? merged(existing, draft, plan, erase)
    : { raw: fresh(draft, plan), lugares: draft.tratamentos.map((_, at) => at) }
  const parsed = ExperimentInput.safeParse(raw)
  const failed = new Set(
    draft.problemas
      .filter(({ gravidade }) => gravidade === 'erro')
      .map(({ celula, folha }) => `${folha} ${celula}`),
  )
  const lost = existing ? null : withoutTrial(draft, plan)
  const issues = parsed.success || lost ? [] : parsed.error.issues
  // Who brings some treatments of a trial that is there brings no control with them.
  const problemas = draft.problemas.filter(
    ({ mensagem }) => existing === null || mensagem !== NO_CONTROL || lugares[0] === 0,
  )
  if (lost) problemas.push(lost)
  const strangers = new Set<string>()
  for (const { path, message } of issues) {
    const stranger = strangerOf(path.map(String), draft, plan)
    if (stranger) {
      if (!strangers.has(stranger.place.celula ?? ''))
        problemas.push(
          problemAt(stranger.place, 'erro', `Este tratamento não está na folha “${stranger.sheet}”`),
        )
      strangers.add(stranger.place.celula ?? '')
      continue
    }
    const place = placeFor(path.map(String), draft, plan)
    // What could not be read is told once, with its reason.
    if (place.celula !== null && failed.has(`${place.folha} ${place.celula}`)) continue
    problemas.push(problemAt(place, 'erro', message, draft.hints.get(path.join('.')) ?? null))
  }
  const wrong = problemas.some(({ gravidade }) => gravidade === 'erro')
  const input = parsed.success && !wrong ? parsed.data : null
  return {
    dados: (parsed.success ? parsed.data : raw) as Record<string, unknown>,
    input,
    mudancas: existing && input ? changesOf(existing, input) : [],
    problemas,
    lugares,
  }
}

/** Rows of other sheets whose code stands in no row of the sheet of trials. */
function withoutTrial(draft: TrialDraft, plan: ImportPlan): ImportProblem | null {
  if (plan.forma !== 'folhas') return null
  const sheets = Map.groupBy(
    plan.colunas.filter(({ campo }) => isTrialField(campo) && !KEYS.has(campo)),
    ({ folha }) => folha,
  )
  const [sheet, columns] = [...sheets].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  if (sheet === undefined || draft.folhas.includes(sheet)) return null
  const place = draft.places.get('codigo') ?? draft.places.get('id') ?? nowhere(draft.linhas[0] ?? 1)
  const said = place.valor ? `“${place.valor}”` : 'Este código'
  return problemAt(place, 'erro', `${said} não está na folha “${columns?.[0]?.nomeFolha ?? 'Experimentos'}”`)
}
const KEYS = new Set(['id', 'codigo', 'versao'])

/** Where a treatment is named that only the sheet of products or of analyses has. */
function strangerOf(
  [first, number]: readonly string[],
  draft: TrialDraft,
  plan: ImportPlan,
): { place: Place; sheet: string } | null {
  if (plan.forma !== 'folhas' || first !== 'tratamentos' || number === undefined) return null
  const own = plan.colunas.find(({ campo }) => campo === 'tratamento.produtividade')
  const named = draft.places.get(`tratamentos.${number}.nome`)
  return own && named && named.folha !== own.nomeFolha
    ? { place: named, sheet: own.nomeFolha ?? 'Tratamentos' }
    : null
}

/** Whether a draft says nothing but what somebody else's trial says, as it is seen: costs may be hidden there. */
export function saysOnly(existing: Held, draft: TrialDraft, plan: ImportPlan): boolean {
  if (draft.problemas.some(({ gravidade }) => gravidade === 'erro')) return false
  const { raw } = merged(existing, draft, plan, false)
  return changesOf(existing, raw as Held).length === 0
}

function fresh(draft: TrialDraft, plan: ImportPlan): Record<string, unknown> {
  const fields = Object.fromEntries(
    FIELD_KEYS.map((key) => [key, draft.campos.get(key) ?? standard(key, plan) ?? undefined]),
  )
  return { ...fields, tratamentos: draft.tratamentos.map((one, at) => filled(one, at, plan)) }
}

/** What is wrong with a value for all rows; null where nothing is. */
export function standardProblem(
  campo: string,
  text: string,
  plan: Pick<ImportPlan, 'safra' | 'names'>,
): string | null {
  const { value, error } = readField({ campo, decimal: ',', tellDoubtful: false, factor: 1 }, text, plan)
  if (error) return error
  const schema = isFieldKey(campo) ? ExperimentInput.shape[campo] : undefined
  const parsed = schema?.safeParse(value)
  return parsed && !parsed.success ? (parsed.error.issues[0]?.message ?? 'Valor inválido') : null
}

/** The value for all rows, read as a cell of that field would be. */
function standard(campo: string, plan: ImportPlan): string | number | null {
  const text = Object.hasOwn(plan.padroes, campo) ? plan.padroes[campo] : undefined
  if (text === undefined) return null
  return readField({ campo, decimal: ',', tellDoubtful: false, factor: 1 }, text, plan).value
}

function filled(treatment: DraftTreatment, at: number, plan: ImportPlan): Record<string, unknown> {
  const modality = treatment.modalidade ?? standard('tratamento.modalidade', plan)
  const { numero: _, ...said } = treatment
  return {
    ...said,
    nome: treatment.nome ?? undefined,
    // Nothing is applied to the control: nobody writes how.
    modalidade:
      modality ?? (at === 0 && treatment.produtos_aplicados.length === 0 ? CONTROL_MODALITY : undefined),
    produtividade: treatment.produtividade ?? standard('tratamento.produtividade', plan) ?? undefined,
    analises_adicionais: treatment.analises_adicionais.map((one) => ({
      ...one,
      valor: one.valor ?? undefined,
    })),
  }
}

function merged(
  existing: Held,
  draft: TrialDraft,
  plan: ImportPlan,
  erase: boolean,
): { raw: Record<string, unknown>; lugares: number[] } {
  const mapped = new Set(plan.colunas.map(({ campo }) => campo))
  // Numbers of our own export are places in the trial; anybody else's may count otherwise.
  const exported = mapped.has('id')
  const fields = Object.fromEntries(
    FIELD_KEYS.map((key) => {
      const given = draft.campos.get(key) ?? null
      if (given === null) return [key, erase && mapped.has(key) ? undefined : existing[key]]
      return [key, given]
    }),
  )
  const tratamentos: Record<string, unknown>[] = existing.tratamentos.map((one) => ({ ...one }))
  const names = new Set(draft.tratamentos.slice(1).map(({ nome }) => plainName(nome)))
  const whole = existing.tratamentos.slice(1).every(({ nome }) => names.has(plainName(nome)))
  const lugares: number[] = []
  for (const [at, given] of draft.tratamentos.entries()) {
    const counted = exported || plan.forma === 'larga'
    const place = matching(existing.tratamentos, counted ? given : { ...given, numero: null }, { at, whole })
    lugares.push(place === -1 ? tratamentos.length : place)
    if (place === -1) {
      tratamentos.push(filled(given, tratamentos.length, plan))
      continue
    }
    // Two rows of the file may be of one: the second goes over what the first made of it.
    const before = tratamentos[place] as Held['tratamentos'][number] | undefined
    if (before)
      tratamentos[place] = overlaid(before, given, {
        exported,
        erases: (part) => erase && gives(mapped, part),
        measured: erase ? measuredBy(mapped) : new Set(),
      })
  }
  return { raw: { ...fields, estatistica_informada: existing.estatistica_informada, tratamentos }, lugares }
}

/** Names of the analyses that have a column of their own. */
const measuredBy = (mapped: ReadonlySet<string>): Set<string> =>
  new Set(
    [...mapped].flatMap((campo) => {
      const name = /(?:^|\.)analise\.(.+)$/.exec(campo)?.[1]
      return name === undefined || /^(?:nome|valor|unidade)$/.test(name) ? [] : [searchable(name)]
    }),
  )
type Erased = 'custo' | 'produto.dose' | 'produto.custo'
const COLUMNS_OF: Record<Erased, RegExp> = {
  custo: /^tratamentos?\.(?:\d+\.)?custo$/,
  'produto.dose': /^produto\.(?:\d+\.)?dose$|\.produtos_aplicados\.\d+\.dose$/,
  'produto.custo': /^produto\.(?:\d+\.)?custo$|\.produtos_aplicados\.\d+\.custo$/,
}
/** Whether a column of the file gives it: what has none is never erased by an empty cell. */
const gives = (mapped: ReadonlySet<string>, part: Erased): boolean =>
  [...mapped].some((campo) => COLUMNS_OF[part].test(campo))

/**
 * By its number where the file says it, else by its name, the control's being any that people call it. Beside all the
 * others the first is the control whatever it is called; without a name it is the place that tells.
 */
function matching(
  held: Held['tratamentos'],
  given: DraftTreatment,
  { at, whole }: { at: number; whole: boolean },
): number {
  if (given.numero !== null) return given.numero <= held.length ? given.numero - 1 : -1
  const name = plainName(given.nome)
  if (name === null) return at < held.length ? at : -1
  const byName = held.findIndex((one) => searchable(one.nome) === name)
  if (byName !== -1) return byName
  if (at === 0 && isControlAlone(name)) return 0
  const [, number] = /^t ?0*([1-9]\d{0,2})$/.exec(name) ?? []
  if (number !== undefined) return Number(number) <= held.length ? Number(number) - 1 : -1
  return at === 0 && whole ? 0 : -1
}
function overlaid(
  before: Held['tratamentos'][number],
  given: DraftTreatment,
  {
    exported,
    erases,
    measured,
  }: { exported: boolean; erases(part: Erased): boolean; measured: ReadonlySet<string> },
): Record<string, unknown> {
  const analyses = before.analises_adicionais.map((one) => ({ ...one }))
  const held = nthOf(before.analises_adicionais)
  const told = new Set(given.analises_adicionais.map(({ nome }) => searchable(String(nome ?? ''))))
  for (const one of given.analises_adicionais) {
    const at = held(one.nome)
    if (at === -1) analyses.push(one as (typeof analyses)[number])
    else if (one.valor !== null)
      analyses[at] = {
        ...analyses[at],
        ...one,
        unidade: one.unidade || analyses[at]?.unidade,
      } as (typeof analyses)[number]
  }
  return {
    ...before,
    ...(exported && given.numero !== null && { nome: given.nome ?? before.nome }),
    modalidade: given.modalidade ?? before.modalidade,
    produtividade: given.produtividade ?? before.produtividade,
    custo: given.custo ?? (erases('custo') ? null : before.custo),
    produtos_aplicados:
      given.produtos_aplicados.length > 0
        ? productsOver(before.produtos_aplicados, given, erases)
        : before.produtos_aplicados,
    analises_adicionais: analyses.filter(
      ({ nome }) => !measured.has(searchable(nome)) || told.has(searchable(nome)),
    ),
  }
}

/** The place of the next one of a name: 'Altura' of two dates is two analyses, one product at two times two products. */
function nthOf(held: readonly { nome: string }[]): (name: unknown) => number {
  const names = held.map(({ nome }) => searchable(nome))
  return (name) => {
    const at = names.indexOf(searchable(String(name ?? '')))
    if (at !== -1) names[at] = TAKEN
    return at
  }
}
/** No name is folded to it. */
const TAKEN = '\u0000'

/** The products of the file; what it leaves out of one that was there stays. */
function productsOver(
  before: Held['tratamentos'][number]['produtos_aplicados'],
  given: DraftTreatment,
  erases: (part: Erased) => boolean,
) {
  const place = nthOf(before)
  return given.produtos_aplicados.map((product) => {
    const held = before[place(product.nome)]
    // A unit without its dose says nothing.
    const undosed = product.dose === null && erases('produto.dose')
    return {
      nome: product.nome,
      dose: product.dose ?? (undosed ? null : (held?.dose ?? null)),
      unidade: product.unidade ?? (undosed ? null : (held?.unidade ?? null)),
      custo: product.custo ?? (erases('produto.custo') ? null : (held?.custo ?? null)),
    }
  })
}

/** The cell that gave what is wrong, or the column that should have. */
function placeFor(path: readonly string[], draft: TrialDraft, plan: ImportPlan): Place {
  const whole = path.join('.')
  const found = draft.places.get(whole)
  if (found) return found
  const [first = '', number = '0', ...rest] = path
  const trial = isTrialField(first)
  const last = rest.at(-1) ?? ''
  const campos = trial
    ? [first]
    : rest[0] === 'produtos_aplicados'
      ? [
          `produto.${last}`,
          `tratamentos.${Number(number) + 1}.produtos_aplicados.${Number(rest[1]) + 1}.${last}`,
        ]
      : [`tratamento.${last}`, `tratamentos.${Number(number) + 1}.${last}`]
  const column = plan.colunas.find(({ campo }) => campos.includes(campo))
  const campo = column?.campo ?? campos[0] ?? null
  // A column has cells in the rows of its own sheet only.
  const rows = draft.linhas.filter((_, at) => !column || draft.folhas[at] === column.folha)
  const linha =
    draft.places.get(`tratamentos.${number}.nome`)?.linha ??
    rows[trial ? 0 : Number(number)] ??
    rows[0] ??
    draft.linhas[0] ??
    1
  if (!column || rows.length === 0)
    return { ...nowhere(linha), campo, titulo: campo === null ? null : importFieldLabel(campo) }
  // A treatment that only another sheet names: there it stands.
  const named = trial ? undefined : draft.places.get(`tratamentos.${number}.nome`)
  if (named && named.folha !== column.nomeFolha) return { ...named, campo, titulo: column.titulo }
  const letter = column.key.slice(column.key.lastIndexOf('!') + 1)
  return {
    folha: column.nomeFolha,
    linha,
    coluna: letter,
    celula: `${letter}${linha}`,
    titulo: column.titulo,
    campo,
    valor: null,
  }
}

/** What an update changes, field by field. */
export function changesOf(existing: Held, input: Held): FinishedTrial['mudancas'] {
  const changes: FinishedTrial['mudancas'] = []
  const tell = (campo: string, antes: unknown, depois: unknown) => {
    if (JSON.stringify(antes ?? null) !== JSON.stringify(depois ?? null))
      changes.push({ campo, antes: antes ?? null, depois: depois ?? null })
  }
  for (const key of FIELD_KEYS) tell(key, existing[key], input[key])
  for (let at = 0; at < Math.max(existing.tratamentos.length, input.tratamentos.length); at++) {
    const [before, after] = [existing.tratamentos[at], input.tratamentos[at]]
    const name = `tratamentos.${at + 1}`
    if (!before || !after) {
      tell(name, before?.nome, after?.nome)
      continue
    }
    for (const key of [
      'nome',
      'modalidade',
      'produtividade',
      'custo',
      'produtos_aplicados',
      'analises_adicionais',
    ] as const)
      tell(`${name}.${key}`, before[key], after[key])
  }
  return changes
}

/** Everything a trial says, normalised: two that give the same text are the same trial. */
export function contentOf(
  input: { tratamentos: readonly StoredTreatment[] } & Record<string, unknown>,
): string {
  const norm = (value: unknown): unknown =>
    typeof value === 'string'
      ? searchable(value)
      : typeof value === 'number'
        ? withoutNoise(value)
        : (value ?? null)
  return JSON.stringify([
    FIELD_KEYS.map((key) => norm(input[key])),
    input.tratamentos.map(
      ({ nome, modalidade, produtividade, custo, produtos_aplicados, analises_adicionais }, at) => [
        at === 0 ? CONTROL_NAME : norm(nome),
        [modalidade, produtividade, custo].map(norm),
        produtos_aplicados.map((one) => [one.nome, one.dose, one.unidade, one.custo].map(norm)),
        analises_adicionais.map((one) => [one.nome, one.valor, one.unidade].map(norm)),
      ],
    ),
  ])
}
