import { type Experiment, glanceOf, yieldFigure } from '@ensaio/domain'
import { useNarrow } from '../ui/narrow.ts'
import { Card } from '../ui/Surface.tsx'

/** Bars that a phone shows without being scrolled for long. */
const MOST_BARS = 12

/** The one-page summary on a phone: the result in a sentence, three numbers, the chart and the place. */
export function AtAGlance({
  trial,
  costs,
}: {
  trial: Parameters<typeof glanceOf>[0] & Pick<Experiment, 'tratamentos'>
  costs: boolean
}) {
  const narrow = useNarrow()
  if (!narrow) return null
  const { lugar, resultado, numeros } = glanceOf(trial, { costs })
  const { barras, alternativa } = yieldFigure(trial, { figure: () => '', source: '' })
  const shown = barras.slice(0, MOST_BARS)
  const most = Math.max(1, ...barras.map(({ valor }) => valor))
  return (
    <Card className="no-print flex flex-col gap-4 px-5 py-5">
      <h2 className="sr-only">Resumo</h2>
      <p className="border-l-2 border-accent pl-3 text-title leading-snug break-words">{resultado}</p>
      <dl className="figures grid grid-cols-3 gap-3">
        {numeros.map(([name, value]) => (
          <div key={name} className="min-w-0 border-t border-line pt-2">
            <dt className="text-small text-muted">{name}</dt>
            <dd className="font-semibold break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <div role="img" aria-label={alternativa} className="figures flex flex-col gap-1.5 text-small">
        {shown.map(({ nome, valor, texto, testemunha }) => (
          <div key={nome}>
            <div className="flex justify-between gap-3">
              <span className="min-w-0 truncate">{nome}</span>
              <span className="shrink-0 font-medium">{texto}</span>
            </div>
            <div
              className={testemunha ? 'h-2 border border-muted' : 'h-2 bg-accent'}
              style={{ width: `${Math.max(0.5, (100 * Math.max(0, valor)) / most)}%` }}
            />
          </div>
        ))}
      </div>
      <p className="text-small text-muted break-words">
        Produtividade em kg/ha
        {barras.length > shown.length &&
          ` dos ${shown.length} mais produtivos de ${barras.length} tratamentos`}{' '}
        · {lugar}
      </p>
    </Card>
  )
}
