import {
  type ComparedTrial,
  clayClass,
  counted,
  effectText,
  effectUnit,
  formatNumber,
  type SynthesisAnswer,
} from '@ensaio/domain'
import { studentQuantile } from '@ensaio/statistics/distributions'
import { Package } from 'lucide-react'
import { useMemo } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight } from '../../charts/plot.ts'
import { Card, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Chooser } from './Chooser.tsx'
import { Forest } from './Forest.tsx'
import { Sentence } from './SynthesisTab.tsx'
import { shown } from './shown.ts'
import { type SynthesisAddress, useSynthesisAddress } from './synthesis-address.ts'

/** By what a product's gain is told apart; null: the trial is in no group. */
const PARTS: readonly { name: string; of: (trial: ComparedTrial) => string | null }[] = [
  { name: 'Classe de solo', of: ({ argila }) => (argila === null ? null : clayClass(argila).label) },
  { name: 'Regional', of: ({ regional }) => regional },
  { name: 'Ano', of: ({ ano }) => String(ano) },
  { name: 'Cultura', of: ({ cultura }) => cultura },
]

/** One product against the control: the sentence, its wins, its trials, and by soil, region, year and crop. */
export function ProductPart() {
  const address = useSynthesisAddress()
  return (
    <>
      <Chooser address={address} />
      {address.product === '' ? (
        <Card>
          <EmptyState icon={<Package aria-hidden />} title="Escolha um produto">
            De cada ensaio do filtro entra um só número: a média dos tratamentos com o produto menos a
            Testemunha.
          </EmptyState>
        </Card>
      ) : (
        <OfProduct address={address} />
      )}
    </>
  )
}

function OfProduct({ address }: { address: SynthesisAddress }) {
  const query = { ...address.query, subgrupo: undefined, moderador: undefined }
  const asked = useEndpoint('synthesis', { query }, { keep: true })
  if (asked.isError)
    return (
      <Card>
        {asked.error.code === 'synthesis.none' ? (
          <EmptyState icon={<Package aria-hidden />} title={asked.error.message}>
            Escolha outro produto ou alargue os filtros.
          </EmptyState>
        ) : (
          <ErrorState message={asked.error.message} onRetry={() => asked.refetch()} />
        )}
      </Card>
    )
  if (!asked.data) return <Skeleton className="h-96" />
  const answer = asked.data.sintese
  return (
    <div aria-busy={asked.isPlaceholderData} className="flex min-w-0 flex-col gap-6">
      <Sentence answer={answer} query={query} />
      <Wins answer={answer} />
      <Forest answer={answer} address={address} />
      <div className="grid gap-4 lg:grid-cols-2">
        {PARTS.map((part) => (
          <SimpleGroups key={part.name} part={part} answer={answer} />
        ))}
      </div>
    </div>
  )
}

/** 'Venceu 37 de 39', and how far that can be trusted. */
function Wins({ answer: { vitorias } }: { answer: SynthesisAnswer }) {
  if ('motivo' in vitorias) return null
  return (
    <p className="figures">
      Venceu a Testemunha em{' '}
      <strong className="font-semibold">
        {formatNumber(vitorias.vitorias, 0)} de {formatNumber(vitorias.n, 0)}
      </strong>{' '}
      ensaios ({formatNumber(100 * vitorias.taxa, 0)} %; IC 95 %: {formatNumber(100 * vitorias.ic_baixo, 0)} a{' '}
      {formatNumber(100 * vitorias.ic_alto, 0)} %).
    </p>
  )
}

/** The plain mean of each group's trials, with or without an error of their own, and how often it won. */
type Part = (typeof PARTS)[number]

function SimpleGroups({ part, answer }: { part: Part; answer: SynthesisAnswer }) {
  const rows = useMemo(() => groupRows(answer, part.of), [answer, part])
  const unit = effectUnit(answer).trim()
  const draw = useMemo(
    () => intervals(rows, { name: 'Efeito', unit, decimals: 0 }, 0, { bars: true }),
    [rows, unit],
  )
  return (
    <ChartCard
      title={`Ganho por ${part.name.toLocaleLowerCase('pt-BR')}`}
      subtitle={`${unit} · média simples dos ensaios com IC 95 % · ao lado do nome, quantos venceram`}
      picture={{ draw, height: intervalsHeight(rows.length) }}
      table={{
        columns: [
          { name: part.name },
          { name: 'Ensaios', numeric: true },
          { name: `Ganho (${unit})`, numeric: true },
          { name: 'Venceu', numeric: true },
        ],
        count: rows.length,
        rows: () =>
          rows.map(({ key, n, value, mark }) => ({
            key,
            cells: [key, formatNumber(n, 0), formatNumber(value, 1), mark],
          })),
      }}
    />
  )
}

function groupRows(answer: SynthesisAnswer, groupOf: Part['of']) {
  return [...Map.groupBy(answer.ensaios, groupOf)]
    .flatMap(([grupo, trials]) => {
      if (grupo === null) return []
      const effects = trials.map(({ efeito }) => efeito)
      const n = effects.length
      const mean = effects.reduce((sum, effect) => sum + effect, 0) / n
      const squares = effects.reduce((sum, effect) => sum + (effect - mean) ** 2, 0)
      const half = n > 1 ? studentQuantile(0.975, n - 1) * Math.sqrt(squares / (n - 1) / n) : null
      const won = `${formatNumber(effects.filter((effect) => effect > 0).length, 0)} de ${formatNumber(n, 0)}`
      const row = {
        key: grupo,
        label: grupo,
        mark: won,
        n,
        value: shown(mean, answer),
        low: half === null ? null : shown(mean - half, answer),
        high: half === null ? null : shown(mean + half, answer),
        tip: [
          `${effectText(mean, answer, { sign: true })}${effectUnit(answer)}`,
          `${counted(n, 'ensaio', 'ensaios')} · venceu ${won}`,
        ],
      }
      return [row]
    })
    .sort((a, b) => b.value - a.value)
}
