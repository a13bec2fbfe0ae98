import {
  byGain,
  chanceText,
  crossingText,
  type EconomicAnswer,
  formatFixed,
  NO_VALUE,
  priceDateText,
  priceText,
  reaisText,
  treatmentText,
} from '@ensaio/domain'
import { useLayoutEffect, useRef } from 'react'
import { ChartCard, type TableView } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight } from '../../charts/plot.ts'
import { Badge, Card } from '../../ui/Surface.tsx'
import { CopySentence } from './CopySentence.tsx'

type Line = EconomicAnswer['linhas'][number]
const MOVE_MS = 220
/** No eye follows more rows that change places. */
const MOST_FOLLOWED = 20
/** Of a picture taken away, in pixels. */
const PICTURE_WIDTH = 720

/** The sentence, what it rests on, and the prices at which another treatment becomes the best. */
export function Answer({ answer, brief = false }: { answer: EconomicAnswer; brief?: boolean }) {
  const sentence = answer.frases.economia ?? answer.frases.economia_nao_paga
  if (brief) return sentence ? <p className="mb-4 rounded-md bg-accent-soft px-4 py-3">{sentence}</p> : null
  return (
    <Card className="px-5 py-4">
      <h2 className="sr-only">O que paga</h2>
      <p className="flex flex-wrap gap-1 pb-2">
        <Badge tone={answer.origem === 'parcelas' ? 'plain' : 'warn'}>{answer.origem}</Badge>
        <Badge>
          {priceText(answer.preco, answer.unidade)}
          {answer.data ? ` · ${answer.fonte}, ${priceDateText(answer.data)}` : ' · experimentado, não salvo'}
        </Badge>
      </p>
      {sentence && (
        <p className="text-title font-medium" aria-live="polite">
          {sentence}
        </p>
      )}
      {answer.frases.sem_erro && <p className="pt-1.5 text-muted">{answer.frases.sem_erro}</p>}
      <Turns answer={answer} />
      {answer.avisos.map(({ codigo, texto }) => (
        <p key={codigo} className="pt-1.5 text-small text-warn">
          {texto}
        </p>
      ))}
      {sentence && (
        <div className="no-print pt-3">
          <CopySentence answer={answer} />
        </div>
      )}
    </Card>
  )
}

/** Prices that nobody will see tell nothing: those within a third and three times the present one. */
const NEAR = 3

function Turns({ answer: { inverte, preco, unidade } }: { answer: EconomicAnswer }) {
  const near = inverte.filter((turn) => turn.preco > preco / NEAR && turn.preco < preco * NEAR)
  if (near.length === 0) return null
  return (
    <ul
      className="figures flex flex-wrap gap-x-4 gap-y-1 pt-1.5 text-muted"
      aria-label="Preços em que o melhor muda"
    >
      {near.map((turn) => (
        <li key={turn.preco}>
          <span className="font-medium text-text">{crossingText(turn, unidade)}</span>: abaixo {turn.de},
          acima {turn.para}
        </li>
      ))}
    </ul>
  )
}

/** Treatments by what they leave, with the interval, left and right of zero. */
export function Ranking({ answer }: { answer: EconomicAnswer }) {
  const { linhas, testemunha } = answer
  const control = linhas.find(({ nivel }) => nivel === testemunha)
  const paid = byGain(linhas) as Line[]
  const at = paid.findIndex(({ ganho_liquido_rs_ha }) => (ganho_liquido_rs_ha ?? 0) < 0)
  const place = at < 0 ? paid.length : at
  const rows = control ? [...paid.slice(0, place), control, ...paid.slice(place)] : paid
  const rest = linhas.filter(({ nivel }) => !rows.some((row) => row.nivel === nivel))
  const list = useMoving(rows.map(({ nivel }) => nivel).join())
  const ends = paid.flatMap((line) => [
    line.ganho_liquido_rs_ha ?? 0,
    line.ganho_ic_baixo_rs_ha ?? 0,
    line.ganho_ic_alto_rs_ha ?? 0,
  ])
  const scale = { low: Math.min(0, ...ends), high: Math.max(0, ...ends) }
  const known = paid.some(({ ganho_ic_baixo_rs_ha: low }) => low != null)
  return (
    <ChartCard
      title="Quanto cada tratamento deixa"
      subtitle={`Ganho líquido sobre a Testemunha, R$/ha${known ? ', com IC 95 %' : ''} · ${answer.origem}${sizes(linhas)}`}
      picture={{
        drawn:
          paid.length === 0
            ? null
            : {
                draw: intervals(
                  paid.map((line) => ({
                    ...{ key: line.nivel, label: treatmentText(line.nivel, answer.nomes), tip: [] },
                    value: line.ganho_liquido_rs_ha ?? 0,
                    low: line.ganho_ic_baixo_rs_ha ?? null,
                    high: line.ganho_ic_alto_rs_ha ?? null,
                  })),
                  { name: 'Ganho líquido', unit: 'R$/ha', decimals: 0 },
                  0,
                  { bars: true, hollow: answer.origem !== 'parcelas' },
                ),
                size: { width: PICTURE_WIDTH, height: intervalsHeight(paid.length) },
              },
        element: (
          <ol
            ref={list}
            className="flex flex-col gap-2.5"
            aria-label="Tratamentos do que mais deixa ao que menos deixa"
          >
            {rows.map((line) => (
              <RankedLine key={line.nivel} {...{ line, scale, answer }} />
            ))}
            {rest.map((line) => (
              <li key={line.nivel} data-nivel={line.nivel} className="flex justify-between gap-3 text-muted">
                <span>{treatmentText(line.nivel, answer.nomes)}</span>
                <span className="text-small">sem custo informado</span>
              </li>
            ))}
          </ol>
        ),
      }}
      table={figures(answer, [...rows, ...rest])}
      note={
        answer.origem === 'reconstruída'
          ? 'Erro reconstruído do CV e das repetições do relatório.'
          : undefined
      }
    />
  )
}

/** ' · n = 5, gl = 16', where plots tell them. */
function sizes(lines: readonly Line[]): string {
  const counts = lines.flatMap(({ n }) => (n === null ? [] : [n]))
  const gl = lines.find((line) => line.gl !== null)?.gl ?? null
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const n = counts.length === 0 ? '' : ` · n = ${least}${most > least ? ` a ${most}` : ''}`
  return gl === null ? n : `${n}, gl = ${formatFixed(gl, Number.isInteger(gl) ? 0 : 1)}`
}

function RankedLine({
  line,
  scale,
  answer,
}: {
  line: Line
  scale: { low: number; high: number }
  answer: EconomicAnswer
}) {
  const gain = line.ganho_liquido_rs_ha
  const chance = typeof line.prob_ganho_positivo === 'number' ? line.prob_ganho_positivo : null
  const [low, high] = [line.ganho_ic_baixo_rs_ha, line.ganho_ic_alto_rs_ha]
  const name = treatmentText(line.nivel, answer.nomes)
  if (gain == null)
    return (
      <li
        data-nivel={line.nivel}
        className="flex flex-wrap justify-between gap-x-3 border-y border-line-strong py-1"
      >
        <span className="text-muted">{name}</span>
        <span className="text-small text-muted">referência: zero</span>
      </li>
    )
  return (
    <li
      data-nivel={line.nivel}
      className="min-w-0 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 font-medium break-words">{name}</span>
        <span className="figures">
          <span className="font-semibold">{reaisText(gain)}</span>
          {chance !== null && <span className="text-small text-muted"> · paga com {chanceText(chance)}</span>}
        </span>
      </div>
      <GainBar
        gain={gain}
        low={low ?? null}
        high={high ?? null}
        scale={scale}
        hollow={answer.origem !== 'parcelas'}
      />
      {low != null && high != null && (
        <p className="figures text-small text-muted">
          IC 95 %: {reaisText(low)} a {reaisText(high)}
        </p>
      )}
    </li>
  )
}

function GainBar({
  gain,
  low,
  high,
  scale,
  hollow,
}: {
  gain: number
  low: number | null
  high: number | null
  scale: { low: number; high: number }
  hollow: boolean
}) {
  const width = scale.high - scale.low || 1
  const place = (value: number) => (100 * (value - scale.low)) / width
  const [from, to] = [place(Math.min(0, gain)), place(Math.max(0, gain))]
  const tone = gain >= 0 ? 'bg-accent' : 'bg-warn'
  return (
    <span aria-hidden className="data-colour relative block h-4 w-full rounded-sm bg-sunken">
      <span
        className={`absolute inset-y-0.5 rounded-sm ${tone} ${hollow ? 'opacity-60' : ''}`}
        style={{ left: `${from}%`, width: `${to - from}%` }}
      />
      {low !== null && high !== null && (
        <span
          className="absolute top-1/2 h-0.5 -translate-y-1/2 bg-text"
          style={{ left: `${place(low)}%`, width: `${place(high) - place(low)}%` }}
        />
      )}
      <span className="absolute inset-y-0 w-px bg-text" style={{ left: `${place(0)}%` }} />
    </span>
  )
}

/** Items that change places go there, where motion is welcome. */
function useMoving(order: string) {
  const list = useRef<HTMLOListElement>(null)
  const places = useRef(new Map<string, number>())
  // biome-ignore lint/correctness/useExhaustiveDependencies: places are looked at when the order is another
  useLayoutEffect(() => {
    const before = places.current
    const items = [...(list.current?.children ?? [])] as HTMLElement[]
    if (items.length > MOST_FOLLOWED) return
    const now = new Map(items.map((item) => [item.dataset.nivel ?? '', item.offsetTop]))
    places.current = now
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const item of items) {
      const from = before.get(item.dataset.nivel ?? '')
      const moved = from === undefined ? 0 : from - item.offsetTop
      if (moved !== 0)
        item.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], {
          ...{ duration: MOVE_MS, easing: 'ease-out' },
        })
    }
  }, [order])
  return list
}

const percent = (value: number | null | undefined) =>
  value == null ? NO_VALUE : `${formatFixed(value, 1)} %`
const reais = (value: number | null | undefined) => (value == null ? NO_VALUE : reaisText(value))
const chanceOf = (value: Line['prob_ganho_positivo']) =>
  typeof value === 'number' ? chanceText(value) : NO_VALUE

/** Everything that is known of each treatment. */
function figures({ unidade, nomes }: EconomicAnswer, lines: readonly Line[]): TableView {
  const numeric = (name: string) => ({ name, numeric: true })
  const ranged = lines.some(({ prob_ganho_positivo_faixa: p }) => typeof p === 'number')
  return {
    columns: [
      { name: 'Tratamento' },
      numeric('kg/ha'),
      numeric(`${unidade}/ha`),
      numeric('Receita'),
      numeric('Custo'),
      numeric('Margem'),
      numeric('Incremento (kg/ha)'),
      numeric('Incremento (%)'),
      numeric('Receita incremental'),
      numeric('Ganho líquido'),
      numeric('IC 95 % baixo'),
      numeric('IC 95 % alto'),
      numeric('ROI (%)'),
      numeric('Benefício/custo'),
      numeric(`Empata com (${unidade}/ha)`),
      numeric(`Preço de equilíbrio (R$/${unidade})`),
      numeric('Probabilidade de pagar'),
      ...(ranged ? [numeric('Probabilidade na faixa de preço')] : []),
    ],
    count: lines.length,
    rows: () =>
      lines.map((line) => ({
        key: line.nivel,
        cells: [
          treatmentText(line.nivel, nomes),
          formatFixed(line.produtividade_kg_ha, 0),
          formatFixed(line.produtividade_un_ha, 1),
          reais(line.receita_rs_ha),
          reais(line.custo_rs_ha),
          reais(line.margem_rs_ha),
          formatFixed(line.incremento_kg_ha, 0),
          percent(line.incremento_percent),
          reais(line.receita_incremental_rs_ha),
          reais(line.ganho_liquido_rs_ha),
          reais(line.ganho_ic_baixo_rs_ha),
          reais(line.ganho_ic_alto_rs_ha),
          percent(line.roi_percent),
          formatFixed(line.beneficio_custo, 2),
          formatFixed(line.ponto_equilibrio_un_ha, 1),
          reais(line.preco_equilibrio_rs_un),
          chanceOf(line.prob_ganho_positivo),
          ...(ranged ? [chanceOf(line.prob_ganho_positivo_faixa)] : []),
        ],
      })),
  }
}
