import { brandColour, type ExperimentSummary, formatShown, formatYield } from '@ensaio/domain'
import { Download, Pencil } from 'lucide-react'
import { memo } from 'react'
import {
  DataMark,
  DeleteButton,
  DetailsButton,
  QualityMark,
  readingIsTold,
  Standing,
} from '../../shell/ExperimentButtons.tsx'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { useRowKeys } from '../../ui/row-keys.ts'
import { Badge } from '../../ui/Surface.tsx'
import { Cell, Row } from '../../ui/Table.tsx'

type RowsProps = { answer: { rows: readonly ExperimentSummary[]; question: string }; picking: Picking | null }

/** Trials picked by hand. */
export interface Picking {
  picked: ReadonlyMap<string, ExperimentSummary>
  toggle: (experiment: ExperimentSummary) => void
}

export const ExperimentRows = memo(function ExperimentRows({ answer, picking }: RowsProps) {
  const actions = useExperimentActions()
  const keys = useRowKeys(answer.rows, answer.question)
  return answer.rows.map((experiment) => (
    <Row
      key={keys.get(experiment.id)}
      className="cursor-pointer hover:bg-sunken/60"
      onClick={(event) => {
        if (!(event.target instanceof Element && event.target.closest('button, label')))
          actions.details(experiment.id)
      }}
    >
      {picking && (
        <Cell className="no-print w-8">
          <Pick experiment={experiment} picking={picking} />
        </Cell>
      )}
      <Cell className="max-w-64 min-w-40 truncate font-medium" title={experiment.consultoria}>
        {experiment.consultoria}
        {experiment.codigo && (
          <span className="block truncate text-small font-normal text-muted">{experiment.codigo}</span>
        )}
        <Standing experiment={experiment} className="mt-1" />
      </Cell>
      <Cell className="whitespace-nowrap">{experiment.regional}</Cell>
      <Cell>{experiment.cultura}</Cell>
      <Cell>
        <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
      </Cell>
      <Cell numeric>{formatYield(experiment.produtividade_media)}</Cell>
      <Cell numeric>{formatShown(experiment.roi, experiment)}</Cell>
      <Cell numeric>{experiment.ano}</Cell>
      <Cell className="no-print">
        <PdfButton experiment={experiment} />
        <DataMark dados={experiment.dados} />
      </Cell>
      <Cell className="no-print">
        <div className="flex">
          <Changes experiment={experiment} />
        </div>
        {/* Not in a cell that says one thing of the trial, and is read as that. */}
        <QualityMark apontamentos={experiment.apontamentos} className="pl-2" />
      </Cell>
    </Row>
  ))
})

/** The same for a phone: a card for each. */
export const ExperimentCards = memo(function ExperimentCards({
  experiments,
  picking,
}: {
  experiments: readonly ExperimentSummary[]
  picking: Picking | null
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
          <DataMark dados={experiment.dados} />
          <QualityMark apontamentos={experiment.apontamentos} />
          <Standing experiment={experiment} />
          <dl className="figures grid grid-cols-2 gap-x-4 text-small">
            <div>
              <dt className="text-muted">Produtividade</dt>
              <dd className="font-medium">{formatYield(experiment.produtividade_media)}</dd>
            </div>
            <div>
              <dt className="text-muted">ROI</dt>
              <dd className="font-medium">{formatShown(experiment.roi, experiment)}</dd>
            </div>
          </dl>
          <div className="no-print -mx-2 flex items-center justify-between">
            <span
              className={classes(
                'flex items-center gap-3',
                !experiment.pdf_filename && 'px-2 text-small text-muted',
              )}
            >
              {picking && <Pick experiment={experiment} picking={picking} />}
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

function Pick({ experiment, picking: { picked, toggle } }: Of & { picking: Picking }) {
  return (
    <label className="-m-2 inline-flex cursor-pointer p-2">
      <input
        type="checkbox"
        className="size-[18px] cursor-pointer accent-(--accent)"
        checked={picked.has(experiment.id)}
        onChange={() => toggle(experiment)}
      />
      <span className="sr-only">Escolher {experiment.nome}</span>
    </label>
  )
}

function PdfButton({ experiment }: Of) {
  const actions = useExperimentActions()
  if (!experiment.pdf_filename) return '-'
  return (
    <Button
      size="small"
      variant="quiet"
      title={readingIsTold(experiment)}
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
