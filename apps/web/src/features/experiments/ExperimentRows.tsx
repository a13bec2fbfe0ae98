import { brandColour, type ExperimentSummary, formatCurrency, formatYield } from '@ensaio/domain'
import { Download, Pencil } from 'lucide-react'
import { memo } from 'react'
import { DeleteButton, DetailsButton } from '../../shell/ExperimentButtons.tsx'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useRowKeys } from '../../ui/row-keys.ts'
import { Badge } from '../../ui/Surface.tsx'
import { Cell, Row } from '../../ui/Table.tsx'

type RowsProps = { answer: { rows: readonly ExperimentSummary[]; question: string } }

export const ExperimentRows = memo(function ExperimentRows({ answer }: RowsProps) {
  const actions = useExperimentActions()
  const keys = useRowKeys(answer.rows, answer.question)
  return answer.rows.map((experiment) => (
    <Row
      key={keys.get(experiment.id)}
      className="cursor-pointer hover:bg-sunken/60"
      onClick={(event) => {
        if (!(event.target instanceof Element && event.target.closest('button')))
          actions.details(experiment.id)
      }}
    >
      <Cell className="max-w-64 min-w-40 truncate font-medium" title={experiment.consultoria}>
        {experiment.consultoria}
        {experiment.codigo && (
          <span className="block truncate text-small font-normal text-muted">{experiment.codigo}</span>
        )}
      </Cell>
      <Cell className="whitespace-nowrap">{experiment.regional}</Cell>
      <Cell>{experiment.cultura}</Cell>
      <Cell>
        <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
      </Cell>
      <Cell numeric>{formatYield(experiment.produtividade_media)}</Cell>
      <Cell numeric>{formatCurrency(experiment.roi)}</Cell>
      <Cell numeric>{experiment.ano}</Cell>
      <Cell className="no-print">
        <PdfButton experiment={experiment} />
      </Cell>
      <Cell className="no-print">
        <div className="flex">
          <Changes experiment={experiment} />
        </div>
      </Cell>
    </Row>
  ))
})

/** The same for a phone: a card for each. */
export const ExperimentCards = memo(function ExperimentCards({
  experiments,
}: {
  experiments: readonly ExperimentSummary[]
}) {
  return (
    <ul className="border-t border-line">
      {experiments.map((experiment) => (
        <li key={experiment.id} className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-0">
          <div className="flex items-start justify-between gap-3">
            <span className="min-w-0">
              <span className="block font-medium">{experiment.consultoria}</span>
              <span className="figures block text-small text-muted">
                {[experiment.cultura, experiment.regional, experiment.ano, experiment.codigo]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
          </div>
          <dl className="figures grid grid-cols-2 gap-x-4 text-small">
            <div>
              <dt className="text-muted">Produtividade</dt>
              <dd className="font-medium">{formatYield(experiment.produtividade_media)}</dd>
            </div>
            <div>
              <dt className="text-muted">ROI</dt>
              <dd className="font-medium">{formatCurrency(experiment.roi)}</dd>
            </div>
          </dl>
          <div className="no-print -mx-2 flex items-center justify-between">
            <span className={experiment.pdf_filename ? '' : 'px-2 text-small text-muted'}>
              <PdfButton experiment={experiment} />
              {!experiment.pdf_filename && <span className="sr-only"> sem relatório</span>}
            </span>
            <span className="flex">
              <Changes experiment={experiment} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
})

type Of = { experiment: ExperimentSummary }

function PdfButton({ experiment }: Of) {
  const actions = useExperimentActions()
  if (!experiment.pdf_filename) return '-'
  return (
    <Button
      size="small"
      variant="quiet"
      icon={<Download aria-hidden className="size-4" />}
      onClick={() => actions.download(experiment)}
    >
      Baixar
    </Button>
  )
}

function Changes({ experiment }: Of) {
  const actions = useExperimentActions()
  const edit = actions.may('experiment.edit', experiment)
  return (
    <>
      <DetailsButton experiment={experiment} />
      <IconButton
        label={`Editar ${experiment.nome}`}
        title={edit.allowed ? 'Editar' : edit.reason}
        disabled={!edit.allowed}
        onClick={() => actions.edit(experiment.id)}
      >
        <Pencil aria-hidden />
      </IconButton>
      <DeleteButton experiment={experiment} />
    </>
  )
}
