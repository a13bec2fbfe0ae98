import {
  type AdviceFacts,
  type AdviceRule,
  type AdviceSheet,
  atCell,
  atField,
  type Finding,
  finding,
  isNumber,
} from './advice-facts.ts'
import { type PlotModel, plotModel, typedColumns } from './advice-model.ts'
import { ADVICE_LIMITS } from './advice-table.ts'
import { formatFixed, formatNumber, searchable } from './format.ts'
import { columnNumbers, datesOf, isExcluded, yieldVariable } from './trial-values.ts'

/** The model of a variable, typed or derived. */
function modelAt(sheet: AdviceSheet, chave: string, avaliacao: string | null): PlotModel | null {
  const typed = typedColumns(sheet).find((one) => one.variable.chave === chave && one.avaliacao === avaliacao)
  if (typed) return typed.model()
  const numbers = columnNumbers(sheet, chave, avaliacao)
  return plotModel(
    sheet,
    sheet.parcelas.map(({ numero }, at) =>
      isExcluded(sheet, numero, chave, avaliacao) ? null : (numbers[at] ?? null),
    ),
  )
}

/** Of the yield of the plots at its last date. */
function yieldModel(sheet: AdviceSheet): { model: PlotModel; onde: Finding['onde'] } | null {
  const variable = yieldVariable(sheet)
  const avaliacao = variable && datesOf(sheet, variable.chave).at(-1)
  if (!variable || avaliacao === undefined) return null
  const model = modelAt(sheet, variable.chave, avaliacao)
  return model && { model, onde: atCell(null, variable.chave, avaliacao) }
}

const OF_DISEASE =
  /severidade|incidencia|infest|ferrugem|mofo|oidio|mancha|doenca|inseto|lagarta|percevejo|acaro|nematoide|daninha|buva|controle/
const HEIGHT = /altura/
/** Yield; plants' height; what varies too much to be judged; anything else. */
function kindOf({ nome, tipo, produtividade }: { nome: string; tipo: string; produtividade: boolean }) {
  if (produtividade) return 'rendimento'
  if (tipo === 'contagem' || tipo === 'nota' || tipo === 'percentual' || OF_DISEASE.test(searchable(nome)))
    return 'livre'
  return HEIGHT.test(searchable(nome)) ? 'altura' : 'outra'
}

interface Cv {
  cv: number
  nome: string
  kind: ReturnType<typeof kindOf>
  onde: Finding['onde']
}

/** The CV of each variable that has plots, else the one that the report tells of the yield. */
function cvsOf({ ficha: sheet, estatistica_informada }: AdviceFacts): Cv[] {
  const ofPlots = (sheet?.variaveis ?? []).flatMap((variable): Cv[] => {
    if (!sheet || variable.papel !== 'resposta') return []
    return datesOf(sheet, variable.chave).flatMap((avaliacao) => {
      const model = modelAt(sheet, variable.chave, avaliacao)
      if (!model || !(model.media > 0)) return []
      const cv = (100 * model.desvio) / model.media
      return [
        { cv, nome: variable.nome, kind: kindOf(variable), onde: atCell(null, variable.chave, avaliacao) },
      ]
    })
  })
  const told = estatistica_informada?.cv
  if (ofPlots.some(({ kind }) => kind === 'rendimento') || !isNumber(told)) return ofPlots
  return [
    ...ofPlots,
    { cv: told, nome: 'Produtividade', kind: 'rendimento', onde: atField('estatistica_informada.cv') },
  ]
}

/** `cv.classe`: after Pimentel-Gomes, and for soybean after the published limits too. */
export const cvClass: AdviceRule = (facts) =>
  cvsOf(facts).flatMap(({ cv, nome, kind, onde }) => {
    const { alto, muito_alto } = ADVICE_LIMITS.cv
    const high = cv > muito_alto ? 'muito alto' : cv > alto ? 'alto' : null
    const found: Finding[] = []
    const place = nome === 'Produtividade' ? '' : `${nome}: `
    if (high)
      found.push(
        finding('cv.classe', {
          peso:
            kind === 'livre'
              ? 'nota'
              : high === 'muito alto' && kind === 'rendimento'
                ? 'problema'
                : 'conferir',
          onde,
          texto: `${place}CV de ${formatFixed(cv, 1)} %: ${high} na classificação geral de Pimentel-Gomes; as classes dependem da cultura e da variável.`,
          fonte: 'classes_cv',
          valor: [cv],
        }),
      )
    const soybean = searchable(facts.cultura ?? '') === 'soja'
    const limits = ADVICE_LIMITS.cv_soja
    const limit = kind === 'rendimento' ? limits.rendimento : kind === 'altura' ? limits.altura : null
    if (!high && soybean && limit !== null && cv > limit)
      found.push(
        finding('cv.classe', {
          peso: 'conferir',
          onde,
          texto: `${place}CV de ${formatFixed(cv, 1)} %: acima de ${limit} %, o limite publicado para ${kind === 'altura' ? 'a altura de plantas' : 'o rendimento'} da soja.`,
          fonte: 'cv_soja',
          valor: [cv],
        }),
      )
    return found
  })

const DESIGN_OF: Readonly<Record<string, 'DIC' | 'DBC'>> = {
  DBC: 'DBC',
  'Blocos Casualizados': 'DBC',
  'Inteiramente Casualizado': 'DIC',
}

/** How the trial was laid out, as far as that is named; 'ANOVA' is an analysis, whatever the design. */
export function namedDesign({ ficha, estatistica_informada, tipo_estatistica }: AdviceFacts): string | null {
  const chosen = tipo_estatistica && DESIGN_OF[tipo_estatistica] ? tipo_estatistica : null
  return ficha?.delineamento ?? estatistica_informada?.delineamento ?? chosen
}

/** Residual degrees of freedom: told, of the plots, or of treatments and repetitions. */
export function residualDf(
  facts: AdviceFacts,
): { gl: number; onde: Finding['onde']; suposto: boolean } | null {
  const { ficha, estatistica_informada: told, tratamentos = [], tipo_estatistica } = facts
  const known = ficha && yieldModel(ficha)
  if (known) return { gl: known.model.gl, onde: known.onde, suposto: false }
  if (isNumber(told?.gl_residuo))
    return { gl: told.gl_residuo, onde: atField('estatistica_informada.gl_residuo'), suposto: false }
  const design = DESIGN_OF[tipo_estatistica ?? '']
  if (!isNumber(told?.repeticoes) || tratamentos.length < 2 || !design) return null
  const [t, r] = [tratamentos.length, told.repeticoes]
  return {
    gl: design === 'DBC' ? (t - 1) * (r - 1) : t * (r - 1),
    onde: atField('estatistica_informada.repeticoes'),
    suposto: true,
  }
}

/** `desenho.gl` */
export const fewDegrees: AdviceRule = (facts) => {
  const known = residualDf(facts)
  const { conferir, problema } = ADVICE_LIMITS.gl
  // What is only supposed of a design that a report names is no finding.
  if (!known || known.suposto || known.gl >= conferir) return []
  return [
    finding('desenho.gl', {
      peso: known.gl < problema ? 'problema' : 'conferir',
      onde: known.onde,
      texto: `${formatNumber(known.gl)} graus de liberdade do resíduo: abaixo de ${known.gl < problema ? problema : conferir}, uma diferença real pode não aparecer.`,
      valor: [known.gl],
    }),
  ]
}

/** Plots a treatment in the sheet, the fewest; else as the report tells. */
function repetitions({
  ficha,
  estatistica_informada,
}: AdviceFacts): { r: number; onde: Finding['onde'] } | null {
  if (ficha) {
    const counts = new Map<number, number>()
    for (const { tratamento } of ficha.parcelas) counts.set(tratamento, (counts.get(tratamento) ?? 0) + 1)
    return { r: Math.min(...counts.values()), onde: atField('ficha') }
  }
  const told = estatistica_informada?.repeticoes
  return isNumber(told) ? { r: told, onde: atField('estatistica_informada.repeticoes') } : null
}

/** `desenho.repeticoes` */
export const fewRepetitions: AdviceRule = (facts) => {
  const known = repetitions(facts)
  const { poucas } = ADVICE_LIMITS.repeticoes
  if (!known || known.r > poucas) return []
  return [
    finding('desenho.repeticoes', {
      peso: known.r < poucas ? 'problema' : 'conferir',
      onde: known.onde,
      texto:
        known.r < poucas
          ? `${formatNumber(known.r)} ${known.r === 1 ? 'repetição' : 'repetições'}: com menos de ${poucas} o erro do ensaio mal se conhece.`
          : `${poucas} repetições: é o mínimo para conhecer o erro do ensaio.`,
      valor: [known.r],
    }),
  ]
}

/** `desenho.testemunha` */
export const controlRules: AdviceRule = ({ tratamentos = [], ficha }) => {
  const control = tratamentos[0]
  if (tratamentos.length === 0 || !control) return []
  const products = (at: number) => tratamentos[at]?.produtos_aplicados ?? []
  const problem = (campo: string, texto: string, valor: unknown[], reservado = false) =>
    finding('desenho.testemunha', { peso: 'problema', onde: atField(campo), texto, valor, reservado })
  const found: Finding[] = []
  const known = tratamentos.some((_, at) => products(at).length > 0)
  if (known && tratamentos.every((_, at) => products(at).length > 0))
    found.push(
      problem('tratamentos', 'Nenhum tratamento está sem produto: não há Testemunha com que comparar.', [
        tratamentos.length,
      ]),
    )
  else if (products(0).length > 0)
    found.push(
      problem('tratamentos.0.produtos_aplicados', 'A Testemunha tem produto aplicado.', [
        products(0).map(({ nome }) => nome),
      ]),
    )
  if (isNumber(control.custo) && control.custo > 0)
    found.push(
      problem(
        'tratamentos.0.custo',
        `A Testemunha tem custo (R$ ${formatNumber(control.custo)}/ha).`,
        [control.custo],
        true,
      ),
    )
  if (ficha?.testemunha != null && !ficha.parcelas.some(({ tratamento }) => tratamento === ficha.testemunha))
    found.push(problem('ficha', 'Nenhuma parcela é da Testemunha.', [ficha.testemunha]))
  return found
}

/** `desenho.bloco`: a treatment missing or double in a block, and an order that nobody drew. */
export const blockRules: AdviceRule = ({ ficha }) => {
  if (ficha?.delineamento !== 'DBC') return []
  const blocks = Map.groupBy(ficha.parcelas, ({ bloco }) => bloco ?? 0)
  if (blocks.size < 2) return []
  const treatments = [...new Set(ficha.parcelas.map(({ tratamento }) => tratamento))]
  const count = (block: AdviceSheet['parcelas'], tratamento: number) =>
    block.filter((plot) => plot.tratamento === tratamento)
  const found: Finding[] = []
  // As often in every block is how the trial was laid out.
  const usual = new Map(
    treatments.map((one) => [
      one,
      Math.min(...[...blocks.values()].map((block) => count(block, one).length)),
    ]),
  )
  for (const [bloco, block] of blocks)
    for (const one of treatments) {
      const plots = count(block, one)
      const extra = plots.slice(Math.max(1, usual.get(one) ?? 1))
      const declared = (plot: AdviceSheet['parcelas'][number]) =>
        plot.observacao !== null || ficha.exclusoes.some(({ parcela }) => parcela === plot.numero)
      if (plots.length === 0 || extra.some((plot) => !declared(plot)))
        found.push(
          finding('desenho.bloco', {
            peso: 'problema',
            onde: atCell(extra[0]?.numero ?? null, null),
            texto:
              plots.length === 0
                ? `O bloco ${bloco} não tem o T${one}. Se a parcela se perdeu, inclua-a sem valor.`
                : `O bloco ${bloco} tem o T${one} ${plots.length} vezes. Se é parcela a mais, anote isso nela.`,
            valor: [bloco, one, plots.length],
          }),
        )
    }
  const orders = [...blocks.values()].map((block) =>
    [...block]
      .sort((a, b) => a.numero - b.numero)
      .map(({ tratamento }) => tratamento)
      .join(' '),
  )
  if (treatments.length >= 3 && new Set(orders).size === 1)
    found.push(
      finding('desenho.bloco', {
        peso: 'conferir',
        onde: atField('ficha'),
        texto: `Parece não sorteado: a ordem dos tratamentos é a mesma nos ${blocks.size} blocos.`,
        valor: [orders[0], blocks.size],
      }),
    )
  return found.slice(0, 20)
}

/** `desenho.texto`: what the report says of the design and what the sheet has. */
export const designWords: AdviceRule = ({ ficha, tipo_estatistica, estatistica_informada }) => {
  if (!ficha) return []
  const found: Finding[] = []
  const blocks = new Set(ficha.parcelas.flatMap(({ bloco }) => bloco ?? [])).size
  if (DESIGN_OF[tipo_estatistica ?? ''] === 'DBC' && blocks === 0 && ficha.delineamento !== 'DQL')
    found.push(
      finding('desenho.texto', {
        peso: 'conferir',
        onde: atField('tipo_estatistica'),
        texto: `'${tipo_estatistica}' foi escolhido e as parcelas não têm blocos.`,
        valor: [tipo_estatistica],
      }),
    )
  const told = estatistica_informada?.repeticoes
  const counted = repetitions({ ficha })
  const most = Math.max(
    ...[...Map.groupBy(ficha.parcelas, ({ tratamento }) => tratamento).values()].map((plots) => plots.length),
  )
  if (isNumber(told) && counted && (told < counted.r || told > most))
    found.push(
      finding('desenho.texto', {
        peso: 'conferir',
        onde: atField('estatistica_informada.repeticoes'),
        texto: `O relatório informa ${told} repetições e a ficha tem ${counted.r}.`,
        valor: [told, counted.r, most],
      }),
    )
  return found
}

/** `valores.conflitos` */
export const openConflicts: AdviceRule = ({ abertos = 0 }) =>
  abertos === 0
    ? []
    : [
        finding('valores.conflitos', {
          peso: 'problema',
          onde: atField('ficha'),
          texto: `${formatNumber(abertos)} ${abertos === 1 ? 'registro do campo espera' : 'registros do campo esperam'} uma decisão: conflito ou registro guardado.`,
          valor: [abertos],
          reservado: true,
        }),
      ]
