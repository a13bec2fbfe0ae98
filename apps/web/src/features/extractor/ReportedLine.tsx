import { type Evidence, formatNumber, REVIEW_CONFIDENCE } from '@ensaio/domain'
import { CircleAlert, MapPin } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import type { ReportedPart } from './reported-parts.ts'

type Props = {
  parts: readonly ReportedPart[]
  fields: Readonly<Record<string, Evidence>>
  active: string | null
  onShow: (path: string) => void
}

/** What the report tells of its own statistics, in one line; each part shows its place. */
export function ReportedLine({ parts, fields, active, onShow }: Props) {
  if (parts.length === 0) return null
  const doubtful = (path: string): boolean => (fields[path]?.confidence ?? 1) < REVIEW_CONFIDENCE
  return (
    <section className="border-b border-line px-4 py-4">
      <h2 className="mb-1.5 font-semibold">Estatística do relatório</h2>
      <ul className="figures flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small">
        {parts.map(({ path, text }) => {
          const evidence = fields[path]
          return (
            <li key={path} data-path={path} className="flex items-center gap-1">
              <button
                type="button"
                disabled={!evidence}
                onClick={() => onShow(path)}
                className={classes(
                  'inline-flex items-center gap-1 rounded-md px-1 underline underline-offset-4',
                  active === path && 'bg-accent-soft text-accent',
                )}
              >
                {evidence && <MapPin aria-hidden className="size-3.5 shrink-0" />}
                {text}
              </button>
              {evidence && (
                <span className="text-muted">
                  página {evidence.page} · {formatNumber(evidence.confidence * 100, 0)}%
                </span>
              )}
              {doubtful(path) && (
                <span className="inline-flex items-center gap-1 font-medium text-warn">
                  <CircleAlert aria-hidden className="size-3.5" />
                  em dúvida
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {parts.some(({ path }) => doubtful(path)) && (
        <p className="mt-1.5 text-small text-muted">
          O que está em dúvida só é guardado depois de conferido no formulário.
        </p>
      )}
    </section>
  )
}
