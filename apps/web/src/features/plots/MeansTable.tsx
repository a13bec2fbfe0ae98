import { type Experiment, formatYield, meansDiffer, type SheetAnswer, yieldMeans } from '@ensaio/domain'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import type { Draft } from './sheet-state.ts'

/** The yields that the plots give, beside what was typed or printed before. */
export function MeansTable({
  experiment,
  draft,
  means,
}: {
  experiment: Experiment
  draft: Draft
  means: SheetAnswer['medias']
}) {
  const computed = yieldMeans({
    ...draft,
    exclusoes: draft.exclusoes.map((out) => ({ ...out, quem: null, quando: '' })),
  })
  if (!computed) return null
  return (
    <Card>
      <CardHeader
        title="Produtividade por tratamento"
        subtitle="média das parcelas válidas; é a que o experimento e o dashboard mostram"
      />
      <ul className="figures flex flex-col gap-1.5 px-5 pb-4">
        {computed.map(({ numero, produtividade }) => {
          const typed = means.find((one) => one.numero === numero)?.informada ?? null
          const differs = typed !== null && produtividade !== null && meansDiffer(typed, produtividade)
          return (
            <li key={numero} className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="min-w-0 truncate">
                <span className="text-muted">T{numero}</span> {experiment.tratamentos[numero - 1]?.nome}
              </span>
              <span className="text-right">
                {produtividade === null ? (
                  <span className="text-muted">
                    sem parcela válida; vale a informada:{' '}
                    {formatYield(experiment.tratamentos[numero - 1]?.produtividade)}
                  </span>
                ) : (
                  <strong className="font-semibold">{formatYield(produtividade)}</strong>
                )}
                {differs && (
                  <span className="block text-small text-muted">
                    informada no relatório: {formatYield(typed)}; das parcelas: {formatYield(produtividade)}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
