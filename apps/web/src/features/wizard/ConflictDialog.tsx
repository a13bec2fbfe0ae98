import {
  businessUnitName,
  changeLines,
  counted,
  type Experiment,
  formatNumber,
  formatYield,
  labelWithUnit,
  meanProductivity,
} from '@ensaio/domain'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import {
  type ReportedValues,
  STEP_FIELDS,
  type TreatmentValues,
  valuesOfExperiment,
  type WizardField,
  type WizardValues,
} from './form-values.ts'

type Side = 'mine' | 'theirs'

const FIELDS = STEP_FIELDS.flat()
const labelOf = (field: WizardField) =>
  field === 'tratamentos'
    ? 'Tratamentos'
    : field === 'estatistica_informada'
      ? 'Estatística do relatório'
      : labelWithUnit(field)

type Props = {
  mine: WizardValues
  /** What stood when the form was opened: what is still so was not touched by the person. */
  base: WizardValues | null
  /** The version that somebody else saved meanwhile. */
  current: Experiment
  onResolve: (values: WizardValues) => void
  onClose: () => void
}

/** Both versions side by side, and a choice for each field in which they differ. */
export function ConflictDialog({ mine, base, current, onResolve, onClose }: Props) {
  const theirs = valuesOfExperiment(current)
  const differing = FIELDS.filter((field) => JSON.stringify(mine[field]) !== JSON.stringify(theirs[field]))
  const [choice, setChoice] = useState<Partial<Record<WizardField, Side>>>({})
  const isUntouched = (field: WizardField): boolean =>
    base !== null && JSON.stringify(mine[field]) === JSON.stringify(base[field])
  // What only the other person changed stays changed, unless it is chosen otherwise.
  const sideOf = (field: WizardField): Side => choice[field] ?? (isUntouched(field) ? 'theirs' : 'mine')
  const resolve = () => {
    const kept = differing
      .filter((field) => sideOf(field) === 'theirs')
      .map((field) => [field, theirs[field]])
    onResolve({ ...mine, ...Object.fromEntries(kept) })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="O experimento mudou enquanto você editava"
      description="Outra pessoa salvou uma versão mais nova. Escolha, campo a campo, o que fica. Nada foi sobrescrito."
      footer={
        <>
          <Button onClick={onClose}>Continuar editando</Button>
          <Button variant="primary" onClick={resolve}>
            Usar estas escolhas
          </Button>
        </>
      }
    >
      {differing.length === 0 ? (
        <p>As duas versões têm os mesmos valores.</p>
      ) : (
        <ul className="flex flex-col gap-4">
          {differing.map((field) => (
            <li key={field}>
              <fieldset>
                <legend className="mb-1.5 font-medium">{labelOf(field)}</legend>
                <div className="grid gap-2 sm:grid-cols-2">
                  {(['mine', 'theirs'] as const).map((side) => (
                    <label
                      key={side}
                      className={classes(
                        'flex cursor-pointer items-start gap-2.5 rounded-md border px-3 py-2.5',
                        sideOf(field) === side ? 'border-accent bg-accent-soft' : 'border-line',
                      )}
                    >
                      <input
                        type="radio"
                        name={`escolha-${field}`}
                        checked={sideOf(field) === side}
                        onChange={() => setChoice((before) => ({ ...before, [field]: side }))}
                        className="mt-0.5 size-[18px] shrink-0 accent-(--accent)"
                      />
                      <span className="min-w-0">
                        <span className="block text-small text-muted">
                          {side === 'theirs'
                            ? 'O que está salvo'
                            : isUntouched(field)
                              ? 'O que estava quando você abriu'
                              : 'O que você preencheu'}
                        </span>
                        <span className="figures block break-words">
                          {shown(field, (side === 'mine' ? mine : theirs)[field])}
                        </span>
                      </span>
                    </label>
                  ))}
                </div>
                {field === 'tratamentos' && (
                  <ul aria-label="Onde os tratamentos diferem" className="figures mt-2 text-small text-muted">
                    {changeLines(field, theirs[field], mine[field]).map(({ what, before, after }) => (
                      <li key={`${what}${before}${after}`}>
                        {what}: salvo {before}, seu {after}
                      </li>
                    ))}
                  </ul>
                )}
              </fieldset>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function shown(field: WizardField, value: WizardValues[WizardField]): string {
  if (Array.isArray(value)) return value.map(treatmentLine).join('; ')
  if (value === null || value === '') return '–'
  if (typeof value === 'object') return reportedLine(value)
  if (field === 'bu') return businessUnitName(String(value))
  if (field === 'ano') return String(value)
  return typeof value === 'number' ? formatNumber(value, 6) : value
}

const reportedLine = ({ delineamento, repeticoes, cv, dms, gl_residuo, teste }: ReportedValues): string =>
  [
    delineamento,
    repeticoes === null ? '' : counted(repeticoes, 'repetição', 'repetições'),
    cv === null ? '' : `CV ${formatNumber(cv, 6)} %`,
    dms === null ? '' : `DMS ${formatNumber(dms, 6)} kg/ha`,
    teste,
    gl_residuo === null ? '' : `${gl_residuo} gl`,
  ]
    .filter(Boolean)
    .join(' · ') || '–'

const treatmentLine = (treatment: TreatmentValues, index: number): string => {
  const mean = meanProductivity(
    treatment.produtividade === null ? [] : [{ produtividade: treatment.produtividade }],
  )
  return `T${index + 1} ${treatment.nome} (${formatYield(mean)})`
}
