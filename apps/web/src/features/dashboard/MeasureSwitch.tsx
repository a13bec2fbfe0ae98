import { useId } from 'react'
import { classes } from '../../ui/classes.ts'

/** What the charts show: yields, or the gain over the control in the crop's unit or in %. */
export type Measure = 'produtividade' | 'ganho' | 'ganho_percent'
export const measureOf = (asked: string | null): Measure =>
  asked === 'ganho' || asked === 'ganho_percent' ? asked : 'produtividade'

const NAMES: readonly { value: Measure; label: string }[] = [
  { value: 'produtividade', label: 'Produtividade' },
  { value: 'ganho', label: 'Ganho sobre a Testemunha (unidade)' },
  { value: 'ganho_percent', label: 'Ganho sobre a Testemunha (%)' },
]

/** What the charts below measure. */
export function MeasureSwitch({
  measure,
  onMeasure,
}: {
  measure: Measure
  onMeasure: (measure: Measure) => void
}) {
  const name = useId()
  return (
    <fieldset className="no-print flex flex-wrap items-center gap-x-4 gap-y-2">
      <legend className="float-left mr-4 text-small font-medium">Medida dos gráficos</legend>
      <div className="flex flex-wrap rounded-lg border border-line bg-surface p-0.5">
        {NAMES.map(({ value, label }) => (
          <label
            key={value}
            className={classes(
              'relative flex min-h-9 cursor-pointer items-center rounded-md px-3 text-small has-focus-visible:outline-2 has-focus-visible:outline-accent',
              measure === value ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:text-text',
            )}
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={measure === value}
              onChange={() => onMeasure(value)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
