import { z } from 'zod'
import { formatNumber } from './format.ts'
import { cleaned, LONGEST_RAW, list, shortText } from './text.ts'
import { allowsSeveral } from './trial-categories.ts'
import { finite, free, keptId, shown, slug, whole } from './trial-fields.ts'
import { LONGEST_WORDS, levelNumber, outOfRange } from './trial-ranges.ts'
import { TrialRegistry } from './trial-registry.ts'
import { holdsText, TrialVariable } from './trial-variable.ts'

/** How plots are laid out; it decides the model and its errors (the analysis cannot be asked for another). */
export const TRIAL_DESIGNS = ['DIC', 'DBC', 'DBI', 'DQL', 'PSUB', 'FAIXAS'] as const
export type TrialDesign = (typeof TRIAL_DESIGNS)[number]
export const DESIGN_NAMES: Record<TrialDesign, string> = {
  DIC: 'Inteiramente casualizado',
  DBC: 'Blocos casualizados',
  DBI: 'Blocos incompletos',
  DQL: 'Quadrado latino',
  PSUB: 'Parcelas subdivididas',
  FAIXAS: 'Faixas',
}
/** What each plot of the design has to say of its place. */
const NEEDS: Record<TrialDesign, readonly ('bloco' | 'linha' | 'coluna')[]> = {
  DIC: [],
  DBC: ['bloco'],
  DBI: ['bloco'],
  DQL: ['linha', 'coluna'],
  PSUB: ['bloco'],
  FAIXAS: ['bloco'],
}
const NEEDS_TEXT = {
  bloco: 'Informe o bloco',
  linha: 'Informe a linha',
  coluna: 'Informe a coluna',
} as const

export const MOST_PLOTS = 2000
export const MOST_VARIABLES = 40
export const MOST_DATES = 30
export const MOST_VALUES = 100_000
/** Sub-samples of one plot. */
export const MOST_SAMPLES = 100
const FACTOR_KEYS = ['A', 'B', 'C'] as const

export const TrialFactor = z.object({
  chave: z.enum(FACTOR_KEYS, { error: 'Use A, B ou C' }),
  nome: shown(60),
  tipo: z.enum(['qualitativo', 'quantitativo'], { error: 'Escolha qualitativo ou quantitativo' }),
  unidade: free(40)
    .nullish()
    .transform((unit) => unit ?? ''),
})
export type TrialFactor = z.output<typeof TrialFactor>

export const TrialTreatment = z.object({
  numero: whole(1, 500, 'Informe o número do tratamento'),
  /** Null: outside the factorial, such as an extra control. */
  niveis: z
    .partialRecord(z.enum(FACTOR_KEYS), shown(60))
    .nullish()
    .transform((levels) => levels ?? null),
  nome: free(200)
    .nullish()
    .transform((name) => name || null),
})
export type TrialTreatment = z.output<typeof TrialTreatment>

export const TrialDate = z.object({
  chave: slug,
  nome: shown(60),
  data: z.iso
    .date({ error: 'Informe a data' })
    .nullish()
    .transform((day) => day ?? null),
  /** Days after application; before it, negative. */
  daa: whole(-2000, 2000, 'Informe os dias')
    .nullish()
    .transform((days) => days ?? null),
  estadio: free(20)
    .nullish()
    .transform((stage) => stage || null),
  id: keptId,
})
export type TrialDate = z.output<typeof TrialDate>

const place = whole(1, 2000, 'Informe um número de 1 a 2.000')
  .nullish()
  .transform((at) => at ?? null)
export const Plot = z.object({
  numero: whole(1, 999_999, 'Informe o número da parcela'),
  tratamento: whole(1, 500, 'Informe o tratamento'),
  bloco: place,
  linha: place,
  coluna: place,
  parcela_principal: place,
  area_m2: z
    .number({ error: 'Informe um número' })
    .positive('Área deve ser positiva')
    .max(1e6, 'Valor alto demais')
    .nullish()
    .transform((area) => area ?? null),
  observacao: free(500)
    .nullish()
    .transform((note) => note || null),
  id: keptId,
  /** On its label; the server gives it. */
  codigo: shortText(20).optional(),
})
export type Plot = z.output<typeof Plot>

const TOO_MANY_SAMPLES = `Use no máximo ${MOST_SAMPLES} repetições na parcela`

const SAMPLES = list(finite, { most: MOST_SAMPLES, message: TOO_MANY_SAMPLES }).min(1, 'Informe um número')
const WRONG_VALUE = {
  error: ({ input }: { input?: unknown }) =>
    Array.isArray(input) && input.length > MOST_SAMPLES ? TOO_MANY_SAMPLES : 'Informe um número',
}

/** A plot's value: a number, null where it is lost, or the numbers of its sub-samples. */
export const PlotValue = z.union([finite, z.null(), SAMPLES], WRONG_VALUE)
export type PlotValue = z.output<typeof PlotValue>

export const PlotColumn = z.object({
  variavel: slug,
  avaliacao: slug.nullish().transform((key) => key ?? null),
  valores: list(PlotValue, {
    most: MOST_PLOTS,
    message: `Use no máximo ${formatNumber(MOST_PLOTS)} parcelas`,
  }),
})
export type PlotColumn = z.output<typeof PlotColumn>

export const Exclusion = z.object({
  parcela: whole(1, 999_999, 'Informe o número da parcela'),
  variavel: slug.nullish().transform((key) => key ?? null),
  avaliacao: slug.nullish().transform((key) => key ?? null),
  motivo: shortText(LONGEST_RAW)
    .transform(cleaned)
    .pipe(
      z
        .string()
        .min(5, 'Diga o motivo em 5 a 200 caracteres')
        .max(200, 'Diga o motivo em 5 a 200 caracteres'),
    ),
})
export type Exclusion = z.output<typeof Exclusion>
export const StoredExclusion = Exclusion.extend({
  motivo: z.string(),
  quem: z.string().nullable(),
  quando: z.string(),
})

/** The layout in the field, drawn here or told. */
const Layout = z.object({
  origem: z.enum(['sorteado aqui', 'informado']),
  serpentina: z.boolean().default(false),
})

const Sheet = z.object({
  /** 0 for the first; else the version that was changed. */
  versao: z.number({ error: 'Este campo é obrigatório' }).int().min(0),
  delineamento: z.enum(TRIAL_DESIGNS, { error: 'Escolha o delineamento' }),
  testemunha: whole(1, 500, 'Informe o número da Testemunha').nullable().default(1),
  fatores: list(TrialFactor, { most: 3, message: 'Use no máximo 3 fatores' }).default([]),
  tratamentos: list(TrialTreatment, { most: 500, message: 'Use no máximo 500 tratamentos' }).min(
    1,
    'Adicione pelo menos um tratamento',
  ),
  variaveis: list(TrialVariable, {
    most: MOST_VARIABLES,
    message: `Use no máximo ${MOST_VARIABLES} variáveis`,
  }).min(1, 'Adicione pelo menos uma variável'),
  avaliacoes: list(TrialDate, {
    most: MOST_DATES,
    message: `Use no máximo ${MOST_DATES} avaliações`,
  }).default([]),
  parcelas: list(Plot, {
    most: MOST_PLOTS,
    message: `Use no máximo ${formatNumber(MOST_PLOTS)} parcelas`,
  }).min(1, 'Adicione pelo menos uma parcela'),
  valores: list(PlotColumn, {
    most: MOST_VARIABLES * (MOST_DATES + 1),
    message: `Use no máximo ${formatNumber(MOST_VARIABLES * (MOST_DATES + 1))} colunas de valores`,
  }).default([]),
  exclusoes: list(Exclusion, { most: 5000, message: 'Use no máximo 5.000 exclusões' }).default([]),
  semente: whole(0, 4294967295, 'Informe um número de 0 a 4.294.967.295')
    .nullish()
    .transform((seed) => seed ?? null),
  croqui: Layout.nullish().transform((layout) => layout ?? null),
  /** Where north is on the layout: degrees clockwise from above; none where nobody told. */
  norte: whole(0, 359, 'Informe de 0 a 359 graus').nullable().optional(),
  /** What a registration asks of the trial; left out, what is stored stays. */
  registro: TrialRegistry.nullish(),
})

type Add = (path: string, message: string) => void
const asIssues =
  (context: z.RefinementCtx): Add =>
  (path, message) =>
    context.addIssue({ code: 'custom', message, path: path.split('.') })

/** A trial sheet as it is put; what is wrong is told all at once, each in its place. */
export const TrialSheetInput = Sheet.superRefine((sheet, context) => {
  const add = asIssues(context)
  uniqueIn(sheet.fatores, 'chave', 'fatores', 'Este fator está repetido', add)
  uniqueIn(sheet.tratamentos, 'numero', 'tratamentos', 'Este tratamento está repetido', add)
  uniqueIn(sheet.variaveis, 'chave', 'variaveis', 'Já existe uma variável com esta chave', add)
  uniqueIn(sheet.avaliacoes, 'chave', 'avaliacoes', 'Já existe uma avaliação com esta chave', add)
  uniqueIn(sheet.parcelas, 'numero', 'parcelas', 'Já existe uma parcela com este número', add)
  checkTreatments(sheet, add)
  checkVariables(sheet, add)
  checkPlots(sheet, add)
  checkValues(sheet, add)
  checkExclusions(sheet, add)
})
export type TrialSheetInput = z.output<typeof TrialSheetInput>
type SheetOf = z.output<typeof Sheet>

/** Words and days of a column whose numbers are all absent; they come from the field. */
const TextColumn = z.object({
  variavel: slug,
  avaliacao: z.string().nullable(),
  textos: z.array(z.string().nullable()),
})
export type TextColumn = z.output<typeof TextColumn>

export const TrialSheet = z.object({
  ...Sheet.shape,
  textos: z.array(TextColumn).optional(),
  exclusoes: z.array(StoredExclusion),
  alterada_em: z.string(),
  /** Name of who changed it last; null to other organisations, or for an erased account. */
  alterada_por: z.string().nullable(),
})
export type TrialSheet = z.output<typeof TrialSheet>

function uniqueIn<T, K extends keyof T & string>(
  items: readonly T[],
  key: K,
  path: string,
  message: string,
  add: Add,
) {
  const met = new Set<T[K]>()
  items.forEach((item, at) => {
    if (met.has(item[key])) add(`${path}.${at}.${key}`, message)
    met.add(item[key])
  })
}

function checkTreatments({ delineamento, fatores, tratamentos, testemunha }: SheetOf, add: Add) {
  const expected = FACTOR_KEYS.slice(0, fatores.length)
  if (fatores.some(({ chave }) => !expected.includes(chave)))
    add('fatores', 'Nomeie os fatores A, B e C, nesta ordem')
  if ((delineamento === 'PSUB' || delineamento === 'FAIXAS') && fatores.length !== 2)
    add('fatores', 'Este delineamento tem dois fatores, A e B')
  tratamentos.forEach(({ niveis }, at) => {
    if (niveis === null) {
      if (delineamento === 'PSUB' || delineamento === 'FAIXAS')
        add(`tratamentos.${at}.niveis`, 'Informe os níveis dos dois fatores')
      return
    }
    for (const { chave, nome, tipo } of fatores) {
      const level = niveis[chave]
      if (level === undefined) add(`tratamentos.${at}.niveis.${chave}`, `Informe o nível de ${nome}`)
      else if (tipo === 'quantitativo' && levelNumber(level) === null)
        add(`tratamentos.${at}.niveis.${chave}`, 'Informe um número')
    }
  })
  if (testemunha !== null && !tratamentos.some(({ numero }) => numero === testemunha))
    add('testemunha', 'A Testemunha não está entre os tratamentos')
}

/** 'kg/ha', 'kg ha-1', 'kg.ha⁻¹'. */
const KG_PER_HA = /^kg[ ./]?ha(-1|⁻¹)?$/i

function checkVariables({ variaveis }: SheetOf, add: Add) {
  const yields = variaveis.flatMap((variable, at) => (variable.produtividade ? [at] : []))
  for (const at of yields.slice(1))
    add(`variaveis.${at}.produtividade`, 'Só uma variável pode ser a produtividade')
  variaveis.forEach((variable, at) => {
    const { formula, escala, chave, produtividade, unidade } = variable
    if (produtividade && !KG_PER_HA.test(unidade))
      add(`variaveis.${at}.unidade`, 'A produtividade é em kg/ha')
    if (escala && escala[0] >= escala[1]) add(`variaveis.${at}.escala`, 'A escala vai do menor ao maior')
    checkLimits(variable, (field, message) => add(`variaveis.${at}.${field}`, message))
    const from =
      formula === null ? [] : formula.tipo === 'rendimento' ? [formula.peso, formula.umidade] : [formula.de]
    for (const key of from) {
      if (key === null) continue
      const other = variaveis.find((variable) => variable.chave === key)
      if (!other || other.formula || holdsText(other) || key === chave)
        add(`variaveis.${at}.formula`, 'A fórmula usa uma variável que não existe')
    }
  })
}

function checkLimits(variable: TrialVariable, add: Add) {
  const { minimo, maximo, esperado_min, esperado_max, categorias } = variable
  if (minimo != null && maximo != null && minimo > maximo) add('minimo', 'O mínimo vem antes do máximo')
  if (esperado_min != null && esperado_max != null && esperado_min > esperado_max)
    add('esperado_min', 'O mínimo vem antes do máximo')
  if (holdsText(variable) && (variable.formula || variable.produtividade || variable.papel === 'covariavel'))
    add(
      'tipo',
      allowsSeveral(variable)
        ? 'Notas com várias categorias não são analisadas'
        : 'Textos e datas não são analisados',
    )
  if (allowsSeveral(variable) && !categorias?.length)
    add('categorias', 'Informe as categorias que podem ser escolhidas')
  if (categorias && new Set(categorias.map(({ valor }) => valor)).size !== categorias.length)
    add('categorias', 'Cada valor aparece uma vez')
}

function checkPlots({ delineamento, parcelas, tratamentos, variaveis }: SheetOf, add: Add) {
  const known = new Set(tratamentos.map(({ numero }) => numero))
  const places = new Map<string, number>()
  const area = variaveis.some(({ formula }) => formula?.tipo === 'rendimento')
  parcelas.forEach((plot, at) => {
    if (!known.has(plot.tratamento))
      add(`parcelas.${at}.tratamento`, `Parcela ${plot.numero}: este tratamento não existe`)
    for (const need of NEEDS[delineamento])
      if (plot[need] === null)
        add(`parcelas.${at}.${need}`, `Parcela ${plot.numero}: ${NEEDS_TEXT[need].toLowerCase()}`)
    if (area && plot.area_m2 === null) add(`parcelas.${at}.area_m2`, `Parcela ${plot.numero}: informe a área`)
    if (plot.linha === null || plot.coluna === null) return
    const spot = `${plot.linha} ${plot.coluna}`
    const other = places.get(spot)
    if (other !== undefined)
      add(`parcelas.${at}.linha`, `As parcelas ${other} e ${plot.numero} estão no mesmo lugar do croqui`)
    places.set(spot, plot.numero)
  })
}

function checkValues({ valores, variaveis, avaliacoes, parcelas }: SheetOf, add: Add) {
  if (valores.reduce((sum, column) => sum + column.valores.length, 0) > MOST_VALUES)
    return add('valores', `Um ensaio guarda no máximo ${formatNumber(MOST_VALUES)} valores`)
  const met = new Set<string>()
  valores.forEach((column, at) => {
    const variable = variaveis.find(({ chave }) => chave === column.variavel)
    if (!variable) add(`valores.${at}.variavel`, 'Esta variável não existe')
    else if (variable.formula) add(`valores.${at}.variavel`, 'Esta variável é calculada de outras')
    else if (holdsText(variable) && column.valores.some((value) => value !== null))
      add(`valores.${at}.variavel`, 'Esta variável não guarda números')
    if (column.avaliacao !== null && !avaliacoes.some(({ chave }) => chave === column.avaliacao))
      add(`valores.${at}.avaliacao`, 'Esta avaliação não existe')
    const key = `${column.variavel} ${column.avaliacao ?? ''}`
    if (met.has(key)) add(`valores.${at}`, 'Esta coluna está repetida')
    met.add(key)
    if (column.valores.length !== parcelas.length)
      add(`valores.${at}.valores`, 'Informe um valor (ou vazio) para cada parcela')
    else if (variable)
      column.valores.forEach((value, row) => {
        const wrong = outOfRange(variable, value)
        if (wrong) add(`valores.${at}.valores.${row}`, `${wrong} (parcela ${parcelas[row]?.numero})`)
      })
  })
}

function checkExclusions({ exclusoes, parcelas, variaveis, avaliacoes }: SheetOf, add: Add) {
  const known = new Set(parcelas.map(({ numero }) => numero))
  exclusoes.forEach(({ parcela, variavel, avaliacao }, at) => {
    if (!known.has(parcela)) add(`exclusoes.${at}.parcela`, `A parcela ${parcela} não existe`)
    if (variavel !== null && !variaveis.some(({ chave }) => chave === variavel))
      add(`exclusoes.${at}.variavel`, 'Esta variável não existe')
    if (avaliacao !== null && !avaliacoes.some(({ chave }) => chave === avaliacao))
      add(`exclusoes.${at}.avaliacao`, 'Esta avaliação não existe')
  })
}

/** Numbers, or what a variable of words or days holds. */
export const TypedValue = z.union([finite, z.null(), SAMPLES, free(LONGEST_WORDS)], WRONG_VALUE)
export type TypedValue = z.output<typeof TypedValue>

/** One cell of an offline change: what it was when it was read, and what it is to be. */
export const CellChange = z.object({
  parcela: whole(1, 999_999, 'Informe o número da parcela'),
  variavel: slug,
  avaliacao: slug.nullish().transform((key) => key ?? null),
  valor: TypedValue,
  antes: TypedValue,
})
export type CellChange = z.output<typeof CellChange>
