import type { Analysis, KernelQuestion, RebuiltInput } from '@ensaio/statistics'
import { referencesOf } from './analysis-references.ts'
import { type AnalysisContext, mainGroup, scaleText, sentencesOf } from './analysis-text.ts'
import type { AnalysisAnswer, AnalysisQuery, CvBand } from './contract-analysis.ts'
import type { Experiment } from './experiment.ts'
import { counted, searchable } from './format.ts'
import { problem } from './problems.ts'
import type { TrialSheet } from './trial-sheet.ts'
import {
  columnNumbers,
  datesOf,
  daysOf,
  isExcluded,
  levelsOf,
  trialInput,
  yieldVariable,
} from './trial-values.ts'
import type { TrialVariable } from './trial-variable.ts'

/** What is asked of the kernel, and what of the question its answer is told with. */
export interface Question {
  kernel: Exclude<KernelQuestion, { kind: 'effects' }>
  variavel: Pick<TrialVariable, 'chave' | 'nome' | 'unidade' | 'maior_melhor' | 'tipo'> & {
    produtividade: boolean
  }
  avaliacao: string | null
  lambda: number | null
  casas: number
}

const unknown = () => problem('analysis.unknown_variable')
const invalid = (path: string, message: string) =>
  problem('validation.failed', { fields: [{ path, message }] })

/** @throws analysis.unknown_variable, analysis.no_control, validation.failed */
export function questionOf(sheet: TrialSheet, query: AnalysisQuery): Question {
  const variable = variableOf(sheet, query.variavel)
  const dates = datesOf(sheet, variable.chave)
  if (query.avaliacao !== undefined && !sheet.avaliacoes.some(({ chave }) => chave === query.avaliacao))
    throw unknown()
  const curve = query.agregacao === 'aacpd' ? curveOf(sheet, variable, dates) : null
  const avaliacao = curve ? null : (query.avaliacao ?? dates.at(-1) ?? null)
  const values = curve ? curve.valores.flat() : columnNumbers(sheet, variable.chave, avaliacao)
  const lambda = query.transformacao === 'boxcox' ? (query.lambda ?? null) : null
  if (query.transformacao === 'boxcox' && lambda === null) throw invalid('lambda', 'Informe o expoente λ')
  const input = trialInput(sheet, {
    variavel: variable.chave,
    avaliacao,
    ...(curve && { y: sheet.parcelas.map(() => null) }),
    covariavel: query.covariavel === undefined ? undefined : covariate(sheet, query.covariavel, avaliacao),
    previa:
      query.eficacia === 'henderson_tilton' ? before(sheet, variable, query.avaliacao_previa) : undefined,
  })
  if (curve)
    input.parcelas = input.parcelas.map((plot) => ({
      ...plot,
      excluida: curve.datas.some((date) => isExcluded(sheet, plot.numero, variable.chave, date)),
    }))
  const price =
    query.preco_insumo !== undefined && query.preco_produto ? query.preco_insumo / query.preco_produto : null
  return {
    kernel: {
      kind: 'analyse',
      input,
      options: {
        alfa: Number(query.alfa ?? '0.05'),
        maior_melhor: variable.maior_melhor,
        ...(query.transformacao && { transformacao: query.transformacao }),
        ...(lambda !== null && { lambda }),
        ...(query.eficacia && { eficacia: query.eficacia }),
        ...(price !== null && { relacao_preco: price }),
        ...(query.excluir_testemunha === '1' && { excluir_testemunha: true }),
        ...(query.excluir_constantes === '1' && { excluir_constantes: true }),
        ...(query.ignorar_fatores === '1' && { ignorar_fatores: true }),
      },
      ...(curve && { curva: { dias: curve.dias, valores: curve.valores } }),
    },
    variavel: curve ? areaOf(variable) : variable,
    avaliacao,
    lambda,
    casas: decimalsIn(values),
  }
}

/** The area under a variable's curve is another quantity, in units of its own. */
const areaOf = ({ nome, unidade, ...variable }: TrialVariable): TrialVariable => ({
  ...variable,
  nome: `AACPD de ${nome.toLocaleLowerCase('pt-BR')}`,
  unidade: unidade ? `${unidade}·dia` : 'dia',
  produtividade: false,
})

/** The one that is asked for, else the yield, else the first that answers. */
function variableOf(sheet: TrialSheet, key: string | undefined): TrialVariable {
  const found =
    key === undefined
      ? (yieldVariable(sheet) ?? sheet.variaveis.find(({ papel }) => papel === 'resposta'))
      : sheet.variaveis.find(({ chave }) => chave === key)
  if (!found) throw unknown()
  return found
}

function covariate(sheet: TrialSheet, key: string, date: string | null): (number | null)[] {
  const variable = sheet.variaveis.find(({ chave }) => chave === key)
  if (!variable) throw unknown()
  const dates = datesOf(sheet, key)
  return columnNumbers(sheet, key, dates.includes(date) ? date : (dates[0] ?? null))
}

function before(sheet: TrialSheet, { chave }: TrialVariable, date: string | undefined): (number | null)[] {
  if (date === undefined || !datesOf(sheet, chave).includes(date))
    throw invalid('avaliacao_previa', 'Escolha a avaliação prévia')
  return columnNumbers(sheet, chave, date)
}

function curveOf(sheet: TrialSheet, { chave }: TrialVariable, dates: readonly (string | null)[]) {
  const datas = dates.filter((date) => date !== null)
  const dias = daysOf(sheet, datas)
  const known = dias.filter((day) => day !== null)
  if (datas.length < 2 || known.length < datas.length)
    throw invalid('agregacao', 'A AACPD pede pelo menos duas avaliações com data ou dias após a aplicação')
  const order = known.map((_, at) => at).sort((a, b) => (known[a] ?? 0) - (known[b] ?? 0))
  return {
    datas,
    dias: order.map((at) => known[at] ?? 0),
    valores: order.map((at) => columnNumbers(sheet, chave, datas[at] ?? null)),
  }
}

/** Decimals that the values have, at most: as many as the person typed. */
function decimalsIn(values: readonly (number | null)[]): number {
  let most = 0
  for (const value of values) {
    if (value === null) continue
    const text = String(value)
    const decimals = text.includes('e') ? 3 : (text.split('.')[1]?.length ?? 0)
    most = Math.max(most, decimals)
  }
  return Math.min(most, 3)
}

/** Tests as reports name them. */
const TESTS: Record<string, NonNullable<RebuiltInput['teste']>> = {
  tukey: 'tukey',
  t: 't',
  lsd: 't',
  duncan: 'duncan',
  snk: 'snk',
  'student-newman-keuls': 'snk',
  bonferroni: 'bonferroni',
  'scott-knott': 'scott_knott',
}

const YIELD = {
  chave: 'produtividade',
  nome: 'produtividade',
  unidade: 'kg/ha',
  maior_melhor: true,
  tipo: 'continua',
  produtividade: true,
} as const

/** From the means of a trial and what its report tells. @throws rebuilt.not_allowed */
export function rebuildQuestionOf(
  experiment: {
    estatistica_informada: Experiment['estatistica_informada']
    tratamentos: readonly { produtividade: number }[]
  },
  query: AnalysisQuery,
  /** Means as the report has them, where plots have given others since: kg/ha by the treatment's number. */
  informed: Readonly<Record<string, number>> = {},
): Question {
  const told = experiment.estatistica_informada
  if (!told) throw problem('trial.none')
  const missing = [
    ...(told.delineamento === null ? ['falta o delineamento'] : []),
    ...(told.repeticoes === null ? ['falta o número de repetições'] : []),
    ...(told.cv === null && told.dms === null ? ['faltam o CV e a DMS'] : []),
  ]
  if (told.delineamento === null || told.repeticoes === null || missing.length > 0)
    throw problem('rebuilt.not_allowed', { about: missing.join(', ') })
  const means = experiment.tratamentos.map(({ produtividade }, at) => informed[at + 1] ?? produtividade)
  return {
    kernel: {
      kind: 'rebuild',
      input: {
        delineamento: told.delineamento,
        repeticoes: told.repeticoes,
        medias: means.map((media, at) => ({ nivel: `T${at + 1}`, media })),
        testemunha: 'T1',
        cv: told.cv,
        cv_casas: told.cv === null ? null : (told.cv_casas ?? decimalsIn([told.cv])),
        dms: told.dms,
        dms_casas: told.dms === null ? null : decimalsIn([told.dms]),
        dms_teste: told.dms_teste,
        gl_residuo: told.gl_residuo,
        usar: query.usar ?? null,
        teste: TESTS[searchable(told.teste ?? '')] ?? null,
        letras:
          told.letras &&
          Object.fromEntries(Object.entries(told.letras).map(([number, letters]) => [`T${number}`, letters])),
      },
      options: { alfa: Number(query.alfa ?? '0.05') },
    },
    variavel: YIELD,
    avaliacao: null,
    lambda: null,
    casas: decimalsIn(means),
  }
}

/** The kernel's numbers with names, sentences and references: what page, report and record show. */
export function describedAnalysis(
  analysis: Analysis,
  {
    experiment,
    sheet,
    question: { variavel, avaliacao, lambda, casas },
    motor,
    faixas = [],
    conflitos = [],
  }: {
    experiment: Experiment
    sheet: TrialSheet | null
    question: Question
    motor: string
    /** What administrators have set of CVs. */
    faixas?: readonly CvBand[]
    /** Cells that the field has values for which nobody has decided between, by their keys. */
    conflitos?: readonly OpenCell[]
  },
): AnalysisAnswer {
  const plots = analysis.origem === 'parcelas' ? sheet : null
  const level = plots ? levelsOf(plots) : (numero: number) => `T${numero}`
  const nomes = Object.fromEntries(
    experiment.tratamentos.map(({ nome }, at) => [
      level(at + 1),
      plots?.tratamentos.find(({ numero }) => numero === at + 1)?.nome ?? nome,
    ]),
  )
  const fatores = Object.fromEntries(
    (plots?.fatores ?? []).map(({ chave, nome, unidade, tipo }) => [chave, { nome, unidade, tipo }]),
  )
  const exclusoes = excludedOf(plots, variavel.chave, avaliacao)
  const control = plots ? plots.testemunha : 1
  const context: AnalysisContext = {
    variavel,
    casas,
    nomes,
    comparado: control === null ? null : level(control),
    fatores,
    adicionais:
      plots && plots.fatores.length > 0
        ? plots.tratamentos.filter(({ niveis }) => niveis === null).map(({ numero }) => level(numero))
        : [],
    exclusoes,
    lambda,
    escala: analysis.transformacao.nome === 'nenhuma' ? null : scaleText(analysis.transformacao.nome, lambda),
    faixa: bandOf(faixas, experiment.cultura, variavel.nome),
  }
  const date = plots?.avaliacoes.find(({ chave }) => chave === avaliacao)
  const named = (fonte: string) =>
    fonte
      .split(':')
      .map((key) => fatores[key]?.nome)
      .join(' × ')
  return {
    ...analysis,
    anova: {
      ...analysis.anova,
      linhas: analysis.anova.linhas.map((line) =>
        /^[ABC](:[ABC])*$/.test(line.fonte) ? { ...line, rotulo: named(line.fonte) } : line,
      ),
    },
    transformacao: analysis.transformacao.nome,
    lambda,
    motor,
    dados_versao: plots ? plots.versao : experiment.versao,
    variavel: {
      chave: variavel.chave,
      nome: variavel.nome,
      unidade: variavel.unidade,
      maior_melhor: variavel.maior_melhor,
      tipo: variavel.tipo,
      produtividade: variavel.produtividade,
    },
    avaliacao: date ? { chave: date.chave, nome: date.nome } : null,
    nomes,
    testemunha: control === null ? null : level(control),
    fatores,
    frases: sentencesOf(analysis, context),
    referencias: referencesOf(analysis),
    avisos: [
      ...noticesOf(analysis, experiment, plots),
      ...undecided(plots ? conflitos : [], variavel.chave, avaliacao),
    ],
  }
}

interface OpenCell {
  parcela: number | null
  variavel: string | null
  avaliacao: string | null
}

/** Conflicts of the field in what was analysed, by their plots. */
function undecided(
  open: readonly OpenCell[],
  variavel: string,
  avaliacao: string | null,
): { codigo: string; texto: string }[] {
  const here = open.filter(
    (cell) => cell.variavel === variavel && (avaliacao === null || cell.avaliacao === avaliacao),
  )
  if (here.length === 0) return []
  const plots = [...new Set(here.flatMap(({ parcela }) => parcela ?? []))].sort((a, b) => a - b)
  const named = plots.slice(0, MOST_NAMED).join(', ') + (plots.length > MOST_NAMED ? ' e outras' : '')
  const where = plots.length === 0 ? '' : ` (${plots.length === 1 ? 'parcela' : 'parcelas'} ${named})`
  return [
    {
      codigo: 'conflitos',
      texto: `${counted(here.length, 'conflito do campo espera', 'conflitos do campo esperam')} uma decisão${where}: a análise usa o valor que está valendo.`,
    },
  ]
}
const MOST_NAMED = 10

/** Plots with a value that a person left out, each once with its first reason. */
function excludedOf(
  sheet: TrialSheet | null,
  variavel: string,
  avaliacao: string | null,
): { parcela: number; motivo: string }[] {
  if (!sheet) return []
  const dates = avaliacao === null ? datesOf(sheet, variavel) : [avaliacao]
  const columns = dates.map((date) => columnNumbers(sheet, variavel, date))
  return sheet.parcelas.flatMap(({ numero }, at) => {
    const out = sheet.exclusoes.find(
      (one) =>
        one.parcela === numero &&
        (one.variavel === null || one.variavel === variavel) &&
        (one.avaliacao === null || dates.includes(one.avaliacao)),
    )
    return out && columns.some((column) => column[at] != null)
      ? [{ parcela: numero, motivo: out.motivo }]
      : []
  })
}

/** The band that says most of a crop and a variable; names whatever their case and accents. */
function bandOf(bands: readonly CvBand[], crop: string, variable: string): readonly number[] | undefined {
  const fits = (of: string, name: string) => of === '' || searchable(of) === searchable(name)
  return bands
    .filter(({ cultura, variavel }) => fits(cultura, crop) && fits(variavel, variable))
    .sort(
      (a, b) =>
        Number(b.variavel !== '') - Number(a.variavel !== '') ||
        Number(b.cultura !== '') - Number(a.cultura !== ''),
    )[0]?.limites
}

/** Few plots find little: said beside the assumptions. */
const FEW_PLOTS = 12
const DESIGN_WORDS: Record<string, RegExp> = {
  DIC: /inteiramente|dic\b/i,
  DBC: /bloco|dbc\b/i,
  DQL: /quadrado|dql\b/i,
}

function noticesOf(
  analysis: Analysis,
  experiment: Experiment,
  sheet: TrialSheet | null,
): { codigo: string; texto: string }[] {
  const main = mainGroup(analysis)
  const notices: [string, string | false | undefined][] = [
    [
      'poucas_parcelas',
      analysis.origem === 'parcelas' &&
        analysis.n.validas < FEW_PLOTS &&
        'com poucas parcelas o teste detecta pouco',
    ],
    [
      'letras_ocultas',
      main !== undefined &&
        analysis.anova.linhas.some(
          ({ fonte, p }) => fonte === 'tratamento' && p !== null && p >= analysis.alfa,
        ) &&
        'O teste F não foi significativo: as letras não são mostradas.',
    ],
    [
      'delineamento',
      sheet !== null &&
        DESIGN_WORDS[sheet.delineamento] !== undefined &&
        Object.entries(DESIGN_WORDS).some(
          ([design, word]) => design !== sheet.delineamento && word.test(experiment.tipo_estatistica),
        ) &&
        `O cadastro diz ${experiment.tipo_estatistica}; as parcelas estão em ${sheet.delineamento}.`,
    ],
    [
      'pares_omitidos',
      analysis.grupos.some(({ pares_omitidos }) => pares_omitidos !== undefined) &&
        'Com mais de 150 tratamentos os pares não são mostrados um a um; letras e Dunnett são.',
    ],
    [
      'componente_zero',
      analysis.componentes?.parcela === 0 && 'A variância entre parcelas principais foi estimada como zero.',
    ],
  ]
  return notices.flatMap(([codigo, texto]) => (texto ? [{ codigo, texto }] : []))
}
