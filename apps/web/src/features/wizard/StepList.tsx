import { WIZARD_PAGES } from '@ensaio/domain'
import { Check } from 'lucide-react'
import { classes } from '../../ui/classes.ts'

type Props = {
  step: number
  /** The furthest page that may be opened. */
  reachable: number
  failed: Set<number>
  onStep: (step: number) => void
}

/** Where the person is among the pages; those behind, and those ahead of which nothing is missing, can be opened. */
export function StepList({ step, reachable, failed, onStep }: Props) {
  return (
    <nav aria-label="Páginas do formulário" className="lg:pt-1">
      <ol className="flex gap-1.5 lg:flex-col">
        {WIZARD_PAGES.map((title, index) => {
          const number = index + 1
          const state = failed.has(number)
            ? 'failed'
            : number < step
              ? 'done'
              : number === step
                ? 'current'
                : 'ahead'
          return (
            <li key={title} className="flex-1">
              <button
                type="button"
                disabled={number === step || number > reachable}
                aria-current={state === 'current' || number === step ? 'step' : undefined}
                onClick={() => onStep(number)}
                className={classes(
                  'flex w-full items-center gap-3 rounded-md text-left text-small lg:px-2 lg:py-2',
                  number === step ? 'font-semibold text-text lg:bg-sunken' : 'text-muted',
                  number !== step && number <= reachable && 'hover:text-text',
                )}
              >
                <span
                  className={classes(
                    'figures hidden size-6 shrink-0 items-center justify-center rounded-full border text-[0.75rem] lg:inline-flex',
                    state === 'failed' && 'border-danger text-danger',
                    state === 'done' && 'border-transparent bg-accent text-on-accent',
                    state === 'current' && 'border-accent text-accent',
                    state === 'ahead' && 'border-line-strong',
                  )}
                >
                  {state === 'done' ? <Check aria-hidden className="size-3.5" /> : number}
                </span>
                <span
                  aria-hidden
                  className={classes(
                    'h-1.5 w-full rounded-full lg:hidden',
                    state === 'failed' ? 'bg-danger' : number <= step ? 'bg-accent' : 'bg-line',
                  )}
                />
                <span className="sr-only lg:not-sr-only">
                  {title}
                  {state === 'failed' && <span className="sr-only"> (há campos para corrigir)</span>}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
