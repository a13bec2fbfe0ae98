import { namedDesign } from './advice-design.ts'
import {
  type AdviceFacts,
  type AdviceRule,
  type AdviceTreatment,
  atCell,
  atField,
  bareName,
  type Finding,
  finding,
  isNumber,
} from './advice-facts.ts'
import { ADVICE_LIMITS, PERENNIAL_CROPS } from './advice-table.ts'
import { formatCurrency, formatDay, formatNumber, searchable } from './format.ts'
import { isCultivar } from './no-cultivar.ts'

const productsOf = ({ produtos_aplicados }: AdviceTreatment) =>
  (produtos_aplicados ?? []).filter(({ nome }) => bareName(nome) !== '')

/** `produto.dobrado` */
export const doubledProducts: AdviceRule = ({ tratamentos = [] }) => {
  const found = tratamentos.flatMap((treatment, at): Finding[] => {
    const met = new Map<string, string>()
    return productsOf(treatment).flatMap(({ nome }, place) => {
      const before = met.get(bareName(nome))
      met.set(bareName(nome), nome ?? '')
      if (before === undefined) return []
      return [
        finding('produto.dobrado', {
          peso: 'conferir',
          onde: atField(`tratamentos.${at}.produtos_aplicados.${place}.nome`),
          texto:
            before === nome
              ? `T${at + 1}: '${nome}' está duas vezes.`
              : `T${at + 1}: '${before}' e '${nome}' parecem o mesmo produto.`,
          valor: [before, nome],
        }),
      ]
    })
  })
  const signs = new Map<string, number>()
  tratamentos.forEach((treatment, at) => {
    const products = productsOf(treatment)
    // Without doses two treatments may differ in them.
    if (products.length === 0 || products.some(({ dose }) => !isNumber(dose))) return
    const sign = [
      bareName(treatment.modalidade),
      ...products.map(({ nome, dose, unidade }) => `${bareName(nome)} ${dose} ${unidade ?? ''}`).sort(),
    ].join('|')
    const other = signs.get(sign)
    if (other === undefined) signs.set(sign, at)
    else
      found.push(
        finding('produto.dobrado', {
          peso: 'conferir',
          onde: atField(`tratamentos.${at}.produtos_aplicados`),
          texto: `T${other + 1} e T${at + 1} têm os mesmos produtos, doses e modalidade.`,
          valor: [sign],
        }),
      )
  })
  return found
}

/** `produto.dose` */
export const missingDoses: AdviceRule = ({ tratamentos = [] }) =>
  tratamentos.flatMap((treatment, at) =>
    (treatment.produtos_aplicados ?? []).flatMap(({ nome, dose, unidade }, place): Finding[] => {
      if (bareName(nome) === '' || (isNumber(dose) && unidade)) return []
      const lacking = isNumber(dose) ? 'unidade da dose' : 'dose'
      return [
        finding('produto.dose', {
          peso: 'conferir',
          onde: atField(`tratamentos.${at}.produtos_aplicados.${place}.dose`),
          texto: `T${at + 1}: '${nome}' está sem ${lacking}.`,
          valor: [nome, dose ?? null, unidade ?? null],
        }),
      ]
    }),
  )

/** 0,004 L/ha is not nothing. */
const DOSE_DIGITS = 6

/** `produto.dose`: a decimal comma that slipped, or another unit. */
export const unusualDoses: AdviceRule = ({ tratamentos = [], doses = [] }) => {
  const { vezes, ensaios } = ADVICE_LIMITS.dose
  const usual = new Map(doses.map((one) => [`${bareName(one.nome)} ${one.unidade}`, one]))
  return tratamentos.flatMap((treatment, at) =>
    (treatment.produtos_aplicados ?? []).flatMap(({ nome, dose, unidade }, place): Finding[] => {
      const known = usual.get(`${bareName(nome)} ${unidade ?? ''}`)
      if (!isNumber(dose) || dose <= 0 || !known || known.ensaios < ensaios || !(known.mediana > 0)) return []
      if (dose <= vezes * known.mediana && dose >= known.mediana / vezes) return []
      return [
        finding('produto.dose', {
          peso: 'conferir',
          onde: atField(`tratamentos.${at}.produtos_aplicados.${place}.dose`),
          texto: `T${at + 1}: '${nome}' com ${formatNumber(dose, DOSE_DIGITS)} ${unidade}; a mediana nos seus ${known.ensaios} ensaios com ele é ${formatNumber(known.mediana, DOSE_DIGITS)} ${unidade}.`,
          valor: [nome, dose, unidade ?? null],
          reservado: true,
        }),
      ]
    }),
  )
}

/** `custo.sem_preco` */
export const missingCosts: AdviceRule = ({ tratamentos = [] }) => {
  const all = tratamentos.flatMap((treatment, at) =>
    (treatment.produtos_aplicados ?? []).map((product, place) => ({ ...product, at, place })),
  )
  const found: Finding[] = []
  if (all.some(({ custo }) => isNumber(custo)))
    // Several products may have one cost together, told of the treatment; not where one of them has its own.
    for (const { nome, dose, custo, at, place } of all)
      if (
        isNumber(dose) &&
        !isNumber(custo) &&
        (!isNumber(tratamentos[at]?.custo) || all.some((other) => other.at === at && isNumber(other.custo)))
      )
        found.push(
          finding('custo.sem_preco', {
            peso: 'conferir',
            onde: atField(`tratamentos.${at}.produtos_aplicados.${place}.custo`),
            texto: `T${at + 1}: '${nome}' tem dose e não tem custo; outros produtos do ensaio têm.`,
            valor: [nome, dose],
            reservado: true,
          }),
        )
  tratamentos.forEach((treatment, at) => {
    const costs = productsOf(treatment).map(({ custo }) => custo)
    if (costs.length === 0 || !costs.every(isNumber) || !isNumber(treatment.custo)) return
    const sum = costs.reduce((total, one) => total + one, 0)
    const share = (100 * Math.abs(treatment.custo - sum)) / Math.max(sum, 1e-9)
    if (!(share > ADVICE_LIMITS.custo.difere)) return
    found.push(
      finding('custo.sem_preco', {
        peso: 'conferir',
        onde: atField(`tratamentos.${at}.custo`),
        texto: `T${at + 1}: o custo é ${formatCurrency(treatment.custo)}/ha e a soma dos produtos ${formatCurrency(sum)}/ha.`,
        valor: [treatment.custo, sum],
        reservado: true,
      }),
    )
  })
  return found
}

/** `roi.sem_custo` */
export const returnWithoutCost: AdviceRule = ({ roi, custo_protocolo, tratamentos = [] }) => {
  if (!isNumber(roi) || roi === 0) return []
  const total = tratamentos.reduce((sum, { custo }) => sum + (custo ?? 0), 0)
  // All that is known to have been spent: the less is taken for it, the more returns look wrong.
  const cost = total + (custo_protocolo ?? 0)
  const { retorno } = ADVICE_LIMITS.custo
  if (cost > 0 && roi <= retorno * cost) return []
  return [
    finding('roi.sem_custo', {
      peso: 'conferir',
      onde: atField('roi'),
      texto:
        cost > 0
          ? `O retorno (${formatCurrency(roi)}/ha) é mais de ${retorno} vezes o custo (${formatCurrency(cost)}/ha).`
          : 'Há retorno e nenhum custo: de que ele é retorno?',
      valor: [roi, cost],
      reservado: true,
    }),
  ]
}

/** `solo.classe` */
export const soilRules: AdviceRule = (facts) => {
  const { teor_argila: clay, teor_materia_organica: organic, tratamentos = [] } = facts
  const { argila, materia_organica, g_kg, g_kg_maximo } = ADVICE_LIMITS.solo
  const found: Finding[] = []
  const inGrams = (campo: string, value: number | null | undefined) => {
    if (!isNumber(value) || value < g_kg || value > g_kg_maximo) return
    const valor = Math.round(value * 1e5) / 1e6
    found.push(
      finding('solo.classe', {
        peso: 'conferir',
        onde: atField(campo),
        texto: `Parece g/kg: ${formatNumber(value)} g/kg são ${formatNumber(valor)} %. Converter?`,
        valor: [value],
        correcao: { rotulo: 'Converter', valores: [{ campo, valor }] },
      }),
    )
  }
  inGrams('teor_argila', clay)
  inGrams('teor_materia_organica', organic)
  if (found.length > 0) return found
  if (isNumber(clay) && isNumber(organic) && clay < argila && organic > materia_organica)
    found.push(
      finding('solo.classe', {
        peso: 'conferir',
        onde: atField('teor_materia_organica'),
        texto: `Solo arenoso (${formatNumber(clay)} % de argila) com ${formatNumber(organic)} % de matéria orgânica é raro.`,
        valor: [clay, organic],
      }),
    )
  const others = ['areia', 'silte'].flatMap((name) => {
    const told = tratamentos
      .flatMap(({ analises_adicionais }) => analises_adicionais ?? [])
      .find(
        ({ nome, unidade }) =>
          searchable(nome ?? '')
            .split(/\s/)
            .includes(name) && unidade === '%',
      )
    return isNumber(told?.valor) ? [told.valor] : []
  })
  const sum = others.reduce((total, one) => total + one, isNumber(clay) ? clay : 0)
  if (isNumber(clay) && others.length > 0 && sum > 100.5)
    found.push(
      finding('solo.classe', {
        peso: 'conferir',
        onde: atField('teor_argila'),
        texto: `Argila, areia e silte somam ${formatNumber(sum, 1)} %, mais de 100 %.`,
        valor: [clay, others],
      }),
    )
  return found
}

const days = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000

/** `data.ordem` */
export const dateOrder: AdviceRule = ({ ficha, ano, cultura }) => {
  if (!ficha) return []
  const found: Finding[] = []
  const add = (onde: Finding['onde'], texto: string, valor: unknown[]) =>
    found.push(finding('data.ordem', { peso: 'conferir', onde, texto, valor }))
  const dated = ficha.avaliacoes.flatMap(({ chave, nome, data, daa }) =>
    data === null ? [] : [{ chave, nome, data, daa }],
  )
  dated.forEach((date, at) => {
    const before = dated[at - 1]
    if (!before) return
    const both = `${before.nome} (${formatDay(before.data)}) e ${date.nome} (${formatDay(date.data)})`
    const later = days(date.data) - days(before.data)
    if (isNumber(before.daa) && isNumber(date.daa)) {
      if ((date.daa - before.daa) * later < 0)
        add(atCell(null, null, date.chave), `${both} estão fora da ordem dos dias após a aplicação.`, [
          ...[before.data, date.data, before.daa, date.daa],
        ])
    } else if (later < 0)
      add(atCell(null, null, date.chave), `${both} estão fora da ordem das datas.`, [before.data, date.data])
  })
  const applied = (ficha.registro?.aplicacoes ?? []).flatMap(({ data }) => data ?? [])
  const back = applied.findIndex((day, at) => at > 0 && day < (applied[at - 1] ?? day))
  if (back > 0)
    add(
      atField('ficha'),
      `As aplicações de ${formatDay(applied[back - 1])} e ${formatDay(applied[back])} estão fora da ordem das datas.`,
      [applied[back - 1], applied[back]],
    )
  const { semeadura = null, colheita = null } = ficha.registro ?? {}
  const all = [...dated.map(({ data }) => data), ...applied]
  const known = [semeadura, colheita, ...all].filter((day) => day !== null)
  const far = isNumber(ano) ? known.find((day) => Math.abs(Number(day.slice(0, 4)) - ano) > 1) : undefined
  if (far !== undefined)
    add(atField('ano'), `O ano do ensaio é ${ano} e há data de ${formatDay(far)}.`, [ano, far])
  if (semeadura !== null && colheita !== null) {
    const between = days(colheita) - days(semeadura)
    if (between < 0)
      add(
        atField('ficha'),
        `A colheita (${formatDay(colheita)}) vem antes da semeadura (${formatDay(semeadura)}).`,
        [semeadura, colheita],
      )
    else if (between < ADVICE_LIMITS.datas.dias_colheita && !PERENNIAL_CROPS.has(searchable(cultura ?? '')))
      add(
        atField('ficha'),
        `Colheita ${between} dias depois da semeadura: cedo demais para uma cultura anual.`,
        [semeadura, colheita],
      )
  }
  const early = dated.find(({ data }) => semeadura !== null && data < semeadura)
  if (early !== undefined)
    add(
      atCell(null, null, early.chave),
      `${early.nome} (${formatDay(early.data)}) vem antes da semeadura (${formatDay(semeadura)}).`,
      [early.data, semeadura],
    )
  const outside = all.find((day) => colheita !== null && day > colheita)
  if (outside !== undefined)
    add(atField('ficha'), `Há data (${formatDay(outside)}) depois da colheita (${formatDay(colheita)}).`, [
      outside,
      colheita,
    ])
  return found
}

/** `valores.hora` */
export const entryTimes: AdviceRule = ({ entradas, ficha }) => {
  if (!entradas) return []
  const { semeadura = null, colheita = null } = ficha?.registro ?? {}
  const { parcelas } = ADVICE_LIMITS.por_minuto
  const says = [
    ...(semeadura !== null && entradas.primeira < semeadura ? ['antes da semeadura'] : []),
    ...(colheita !== null && entradas.ultima > colheita ? ['depois da colheita'] : []),
    ...(entradas.adiante > 0 ? ['com hora no futuro'] : []),
  ]
  const found: Finding[] = []
  const add = (texto: string, valor: unknown[]) =>
    found.push(
      finding('valores.hora', { peso: 'conferir', onde: atField('ficha'), texto, valor, reservado: true }),
    )
  if (says.length > 0) add(`Há valores anotados ${says.join(', ')}.`, [entradas, semeadura, colheita])
  if (entradas.no_minuto >= parcelas)
    add(`${entradas.no_minuto} parcelas anotadas em um minuto por um celular.`, [entradas.no_minuto])
  return found
}

/** What a synthesis asks of a trial, each with its name. */
const needed = (facts: AdviceFacts): [string, boolean][] => {
  const { ficha, estatistica_informada: told, tratamentos = [] } = facts
  const dates = [
    ...(ficha?.avaliacoes ?? []).map(({ data, daa }) => data ?? daa),
    ...(ficha?.registro?.aplicacoes ?? []).map(({ data }) => data),
  ]
  return [
    ['cultivar', isCultivar(facts.cultivar ?? '')],
    ['coordenadas', isNumber(facts.latitude) && isNumber(facts.longitude)],
    ['delineamento', namedDesign(facts) !== null],
    ['repetições', Boolean(ficha) || isNumber(told?.repeticoes)],
    ['CV ou parcelas', Boolean(ficha?.valores.length) || isNumber(told?.cv)],
    ['modalidade', tratamentos.length > 0 && tratamentos.every(({ modalidade }) => Boolean(modalidade))],
    ['datas de aplicação', dates.some((date) => date !== null)],
  ]
}

/** `completo`: what a synthesis lacks; a note. */
export const completeness: AdviceRule = (facts) => {
  const all = needed(facts)
  const lacking = all.flatMap(([name, there]) => (there ? [] : [name]))
  if (lacking.length === 0) return []
  const share = (100 * (all.length - lacking.length)) / all.length
  return [
    finding('completo', {
      peso: 'nota',
      onde: atField('experimento'),
      texto: `${formatNumber(share, 0)} % completo para uma síntese. Por informar: ${lacking.join(', ')}.`,
      valor: lacking,
    }),
  ]
}
