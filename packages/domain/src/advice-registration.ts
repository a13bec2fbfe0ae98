import { namedDesign, residualDf } from './advice-design.ts'
import { type AdviceFacts, isNumber } from './advice-facts.ts'
import { ADVICE_LIMITS, ADVICE_SOURCES, type AdviceSource, sourceOf } from './advice-table.ts'
import { rangeOfCrop } from './advice-yields.ts'
import { counted, formatNumber, searchable } from './format.ts'
import type { RegistrationKind } from './registration-kinds.ts'
import { clayKey } from './soil.ts'
import type { TrialRegistry } from './trial-registry.ts'

export const REGISTRATION_STATES = ['Atende', 'Não atende', 'Sem dado', 'Conferir com a norma'] as const
export interface RegistrationLine {
  estado: (typeof REGISTRATION_STATES)[number]
  /** What the rule asks. */
  regra: string
  /** What the trial has of it, where that is known. */
  dado: string | null
  fonte: AdviceSource
}

type Facts = AdviceFacts & { cidade?: string }
const CHECK = 'Conferir com a norma' as const
const given = (value: unknown) =>
  (value === null || value === undefined || value === '' ? 'Sem dado' : 'Atende') as 'Sem dado' | 'Atende'
const text = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value)

type Line = [estado: RegistrationLine['estado'], regra: string, dado?: string | null]
const told = (regra: string, value: unknown): Line => [given(value), regra, text(value)]

/** A list to check a trial against what a registration asks; the ministry decides, not this list. */
export function registrationList(
  kind: RegistrationKind,
  facts: Facts,
  /** Trials that would be handed in together, this one among them. */
  together: readonly SetTrial[] = [],
): RegistrationLine[] {
  const lines: Record<RegistrationKind, [keyof typeof ADVICE_SOURCES, Line[]][]> = {
    fertilizante: [
      ['in53', fertilizer(facts)],
      [
        'decreto4954',
        [[CHECK, 'Relatório de instituição oficial ou credenciada; ensaios em até três safras (art. 15)']],
      ],
    ],
    biofertilizante: [
      [
        'in61',
        [[CHECK, 'Definições, garantias e registro; nenhum número de ensaios foi encontrado no que se leu']],
      ],
      ['in53', fertilizer(facts)],
    ],
    inoculante: [
      [
        'in13',
        [
          placesAndSeasons(together),
          [CHECK, 'Só em casa de vegetação ou viveiro: pelo menos quatro vezes (2.2)'],
          [CHECK, 'Ensaios que não puderam ser colhidos não contam (2.2)'],
        ],
      ],
    ],
    agrotoxico: [['in36', pesticide(facts)]],
  }
  return lines[kind].flatMap(([fonte, of]) =>
    of.map(([estado, regra, dado = null]) => ({ estado, regra, dado, fonte: ADVICE_SOURCES[fonte] })),
  )
}

/** What the norms that ask for several trials look at in each. */
interface SetTrial {
  cultura: string
  cidade: string
  estado: string
  /** Its season. */
  ano: number
  /** %; null where it is not known */
  teor_argila: number | null
}

/** IN SDA 13/2011, 2.2. Climate is not looked at: the line says so. */
function placesAndSeasons(together: readonly SetTrial[]): Line {
  const rule =
    'No campo: pelo menos dois locais de solo e clima diferentes por pelo menos duas safras, ou quatro locais em uma safra (2.2)'
  const [first] = together
  if (!first || together.length < 2) return [CHECK, rule]
  const placeOf = ({ cidade, estado }: SetTrial) => `${searchable(cidade)} ${estado}`
  const alike = together.filter(({ cultura }) => searchable(cultura) === searchable(first.cultura))
  const by = <K>(of: (one: SetTrial) => K, other: (one: SetTrial) => unknown) => {
    const groups = new Map<K, Set<unknown>>()
    for (const one of alike) groups.set(of(one), (groups.get(of(one)) ?? new Set()).add(other(one)))
    return groups
  }
  const [seasonsOf, placesIn] = [by(placeOf, ({ ano }) => ano), by(({ ano }) => ano, placeOf)]
  const most = Math.max(...[...placesIn.values()].map(({ size }) => size))
  const lasting = new Set([...seasonsOf].flatMap(([place, { size }]) => (size >= 2 ? [place] : [])))
  const soils = (of: readonly SetTrial[]) =>
    new Set(of.flatMap(({ teor_argila }) => (isNumber(teor_argila) ? [clayKey(teor_argila)] : []))).size
  const twice = lasting.size >= 2 && soils(alike.filter((one) => lasting.has(placeOf(one)))) >= 2
  const [places, others] = [seasonsOf.size, together.length - alike.length]
  const told = [
    `${alike.length} ensaios de ${first.cultura}: ${places} ${places === 1 ? 'local' : 'locais'}, ${placesIn.size} ${placesIn.size === 1 ? 'safra' : 'safras'}`,
    `${lasting.size} ${lasting.size === 1 ? 'local repetido' : 'locais repetidos'} em duas safras ou mais`,
    `no máximo ${most} ${most === 1 ? 'local' : 'locais'} em uma safra`,
    ...(others > 0 ? [`${others} de outra cultura não ${others === 1 ? 'conta' : 'contam'}`] : []),
    ...(most < 4 && lasting.size >= 2 && !twice
      ? ['os locais não mostram classes de argila diferentes']
      : []),
    ...(most < 4 && lasting.size >= 2 ? ['confira se o clima é diferente'] : []),
  ].join('; ')
  if (most >= 4 || twice) return ['Atende', rule, told]
  return [lasting.size >= 2 ? CHECK : 'Não atende', rule, told]
}

function fertilizer(facts: Facts): Line[] {
  const { ficha, tratamentos = [], cultura } = facts
  const df = residualDf(facts)
  const { minimo } = ADVICE_LIMITS.gl_registro
  const of = ficha?.registro
  const range = rangeOfCrop(cultura, facts.faixas)
  const control = tratamentos[0] && (tratamentos[0].produtos_aplicados ?? []).length === 0
  return [
    [
      df === null ? 'Sem dado' : df.gl >= minimo ? 'Atende' : 'Não atende',
      `Graus de liberdade do resíduo na análise de variância: pelo menos ${minimo} (item n)`,
      df && formatNumber(df.gl),
    ],
    told('Delineamento adequado e nomeado (item m)', namedDesign(facts)),
    [
      tratamentos.length === 0 ? 'Sem dado' : control ? 'Atende' : 'Não atende',
      'Testemunha absoluta: difere só por não ter o nutriente ou o ativo (item o; art. 38)',
      control ? 'T1' : null,
    ],
    [
      of?.testemunha_positiva == null ? CHECK : 'Atende',
      'Testemunha positiva, onde couber: produto registrado de função semelhante (item o; art. 38)',
      of?.testemunha_positiva == null ? null : `T${of.testemunha_positiva}`,
    ],
    told('Tamanho das parcelas (item k)', of?.parcela),
    told('Espaçamento (item k)', of?.espacamento),
    told('Densidade de plantas (item k)', of?.densidade),
    applications(
      of?.aplicacoes,
      'Número, época e modo das aplicações, idade e estádio da cultura, datas dd/mm/aaaa (item l)',
    ),
    [
      ficha && residualDf({ ficha }) !== null
        ? 'Atende'
        : facts.estatistica_informada?.cv == null
          ? 'Sem dado'
          : CHECK,
      'Desenvolvimento, produção e produtividade com análise estatística; médias comparadas ou regressão (IV b, c)',
    ],
    [CHECK, 'Eficiência relativa em %, por fórmula citada (IV d)'],
    range
      ? [
          CHECK,
          'Produtividade comparada com a média da região (IV e)',
          `média de ${formatNumber(range.media, 0)} kg/ha em ${range.safra}, ${sourceOf(range.fonte).titulo}`,
        ]
      : [CHECK, 'Produtividade comparada com a média da região (IV e)'],
    told('Conclusão do pesquisador responsável (V)', of?.responsavel),
    [CHECK, 'Produto fluido: testemunha com o diluente e os aditivos (art. 40)'],
    [CHECK, 'Foliar de fonte não solúvel: solo coberto (art. 39)'],
    [CHECK, 'Aplicação em sementes: qualidade das sementes mostrada (art. 41)'],
    told('Instituição oficial ou credenciada', of?.instituicao),
    [CHECK, 'Itens a a j; número de locais e de safras'],
  ]
}

/** Each application has to say when, how and at which stage; a date that is missing is against the rule's own words. */
function applications(of: TrialRegistry['aplicacoes'] | undefined, rule: string): Line {
  if (!of || of.length === 0) return ['Sem dado', rule]
  const without = (name: 'data' | 'modo' | 'estadio') => of.filter((one) => !one[name]).length
  const missing = (
    [
      ['data', 'data'],
      ['modo', 'modo'],
      ['estadio', 'estádio'],
    ] as const
  ).flatMap(([name, word]) => (without(name) > 0 ? [`${without(name)} sem ${word}`] : []))
  const said = [counted(of.length, 'aplicação', 'aplicações'), ...missing].join(', ')
  return [without('data') > 0 ? 'Não atende' : missing.length > 0 ? 'Sem dado' : 'Atende', rule, said]
}

function pesticide({ ficha, tratamentos = [], cultivar, latitude, longitude }: Facts): Line[] {
  const of = ficha?.registro
  const products = tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados ?? [])
  return [
    [CHECK, 'Uma consulta pública (Portaria SDA 380) propôs revogar esta norma; veja se há outra em vigor'],
    [CHECK, 'Título e autores (1)'],
    told('Número do RET (1, 3.1)', of?.ret_numero),
    told('Data do RET (1, 3.1)', of?.ret_data),
    told('Instituição (1)', of?.instituicao),
    told('Responsável (1)', of?.responsavel),
    told('Alvo biológico descrito (2.2)', of?.alvo),
    told('Nível de infestação antes da aplicação (2.3, 3.6)', of?.nivel_antes),
    [CHECK, 'Nível de dano (2.4)'],
    told(
      'Coordenadas do local (3.2)',
      isNumber(latitude) && isNumber(longitude) ? `${latitude}, ${longitude}` : null,
    ),
    told('Altitude (3.2)', isNumber(of?.altitude) ? `${formatNumber(of.altitude)} m` : null),
    told('Data de instalação (3.2)', of?.semeadura),
    told('Cultivar (3.3)', cultivar),
    [CHECK, 'Reação da cultivar ao alvo (3.3)'],
    [CHECK, 'Tratos culturais (3.4)'],
    [CHECK, 'Formulação, concentração, ingredientes ativos e grupo químico dos produtos (3.5)'],
    [
      products.length === 0
        ? 'Sem dado'
        : products.every(({ dose }) => isNumber(dose))
          ? 'Atende'
          : 'Não atende',
      'Doses (3.6)',
    ],
    told('Volume de calda (3.6)', of?.aplicacoes.find(({ volume }) => volume !== null)?.volume),
    told('Tamanho das parcelas (3.6)', of?.parcela),
    told('Espaçamento (3.6)', of?.espacamento),
    told('Densidade (3.6)', of?.densidade),
    applications(of?.aplicacoes, 'Número, época, modo e datas das aplicações, estádio da cultura (3.6)'),
    told('Credenciamento da entidade no MAPA (art. 2º)', of?.credenciamento),
    [CHECK, 'Delineamento, repetições e número de locais (itens depois de 3.6.5)'],
  ]
}
