import { type AdviceRule, atField, bareName, type Finding, finding, isNumber } from './advice-facts.ts'
import { ADVICE_LIMITS, CROP_RANGES, type CropRange } from './advice-table.ts'
import { formatNumber, formatYield, searchable } from './format.ts'

/** The range of a crop, by its name and no other; null where none is known. */
export const rangeOfCrop = (
  cultura: string | null | undefined,
  ranges: readonly CropRange[] = CROP_RANGES,
): CropRange | null =>
  ranges.find((range) => range.ligada !== false && searchable(range.cultura) === searchable(cultura ?? '')) ??
  null

const inRange = ({ abaixo, acima }: CropRange, value: number) => value >= abaixo && value <= acima

/** What a yield may have been typed in, the likeliest: the one nearest to the crop's mean. */
function meantYield(range: CropRange, value: number): { texto: string; valor: number } | null {
  const shown = formatNumber(value)
  const all = [
    { valor: value * 60, texto: (y: string) => `Parece sc/ha: ${shown} sc/ha seriam ${y}. Converter?` },
    { valor: value * 1000, texto: (y: string) => `Parece t/ha: ${shown} t/ha seriam ${y}. Converter?` },
    { valor: value / 10, texto: (y: string) => `Parece ter um algarismo a mais: seriam ${y}. Converter?` },
  ]
  const far = (valor: number) => Math.abs(Math.log(valor / range.media))
  const [best] = all
    .filter(({ valor }) => inRange(range, valor) && far(valor) < far(value))
    .sort((a, b) => far(a.valor) - far(b.valor))
  return best
    ? { valor: Math.round(best.valor * 1e6) / 1e6, texto: best.texto(formatYield(best.valor)) }
    : null
}

/** `rendimento.unidade` and, where no unit explains the value, `rendimento.faixa`. */
export const yieldRules: AdviceRule = ({ cultura, faixas, tratamentos = [] }) => {
  const range = rangeOfCrop(cultura, faixas)
  if (!range) return []
  return tratamentos.flatMap(({ produtividade: value }, at) => {
    if (!isNumber(value) || inRange(range, value)) return []
    const campo = `tratamentos.${at}.produtividade`
    const meant = meantYield(range, value)
    if (meant)
      return [
        finding('rendimento.unidade', {
          peso: 'problema',
          onde: atField(campo),
          texto: meant.texto,
          fonte: range.fonte,
          valor: [value],
          correcao: { rotulo: 'Converter', valores: [{ campo, valor: meant.valor }] },
        }),
      ]
    const impossible = value > range.impossivel
    const [low, high] = [formatNumber(range.abaixo, 0), formatNumber(range.acima, 0)]
    return [
      finding('rendimento.faixa', {
        peso: impossible ? 'problema' : 'conferir',
        onde: atField(campo),
        texto: impossible
          ? `T${at + 1}: ${formatYield(value)} está acima de ${formatYield(range.impossivel)}, que não se conhece de ${cultura}.`
          : `T${at + 1}: ${formatYield(value)} está fora de ${low} a ${high} kg/ha, a faixa usual de ${cultura} (média de ${formatNumber(range.media, 0)} em ${range.safra}).`,
        fonte: range.fonte,
        valor: [value],
      }),
    ]
  })
}

/** `rendimento.igual`: as nobody harvests. */
export const equalYields: AdviceRule = ({ tratamentos = [] }) => {
  const yields = tratamentos.map(({ produtividade }) => produtividade)
  if (yields.length < 3 || !yields.every(isNumber)) return []
  const steps = yields.slice(1).map((value, at) => value - (yields[at] ?? 0))
  const [first = 0] = steps
  if (steps.some((step) => Math.abs(step - first) > 1e-9 * Math.max(1, Math.abs(first)))) return []
  // Three in a row come by chance.
  if (first !== 0 && yields.length < 4) return []
  return [
    finding('rendimento.igual', {
      peso: 'conferir',
      onde: atField('tratamentos'),
      texto:
        first === 0
          ? `Todos os tratamentos têm a mesma produtividade (${formatYield(yields[0])}).`
          : `As produtividades sobem ou descem sempre do mesmo tanto (${formatNumber(Math.abs(first))} kg/ha).`,
      valor: yields,
    }),
  ]
}

/** `relatorio.difere`: the mean that was typed, the one of the plots and the one that the report tells. */
export const differingMeans: AdviceRule = ({ tratamentos = [], informadas = {}, lidas = [] }) => {
  const named = countByName(tratamentos)
  const told = countByName(lidas)
  return tratamentos.flatMap(({ nome, produtividade: now }, at): Finding[] => {
    if (!isNumber(now)) return []
    const typed = informadas[at + 1]
    const name = bareName(nome)
    // Of two of one name nobody knows which it is.
    const read =
      named.get(name)?.length === 1 && told.get(name)?.length === 1 ? told.get(name)?.[0] : undefined
    const others = [
      { says: 'a média informada é', value: typed, ofReport: false },
      { says: 'o relatório diz', value: read?.produtividade, ofReport: true },
    ].filter(({ value }) => isNumber(value) && shareOf(value, now) > ADVICE_LIMITS.difere.maximo)
    if (others.length === 0) return []
    const most = Math.max(...others.map(({ value }) => shareOf(value ?? 0, now)))
    const figures = others.map(({ says, value }) => `${says} ${formatYield(value)}`).join(', ')
    return [
      finding('relatorio.difere', {
        ...{ peso: 'conferir', onde: atField(`tratamentos.${at}.produtividade`) },
        texto: `T${at + 1}: ${figures} e a ${isNumber(typed) ? 'das parcelas' : 'informada'} ${formatYield(now)}, ${formatNumber(most, 1)} % de diferença.`,
        valor: [...others.map(({ value }) => value), now],
        // Who may not open the report is not told what it says.
        reservado: others.some(({ ofReport }) => ofReport),
      }),
    ]
  })
}

const shareOf = (one: number, now: number): number =>
  (100 * Math.abs(now - one)) / Math.max(Math.abs(one), 1e-9)

const countByName = <T extends { nome?: string | null | undefined }>(all: readonly T[]): Map<string, T[]> =>
  Map.groupBy(all, ({ nome }) => bareName(nome))
