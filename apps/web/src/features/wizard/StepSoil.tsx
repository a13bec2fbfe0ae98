import { clayClass, organicMatterClass, type SoilClass } from '@ensaio/domain'
import { useWatch } from 'react-hook-form'
import { NumberField } from './fields.tsx'
import type { WizardValues } from './form-values.ts'

export function StepSoil() {
  const [clay, matter] = useWatch<WizardValues, ['teor_argila', 'teor_materia_organica']>({
    name: ['teor_argila', 'teor_materia_organica'],
  })
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="flex flex-col gap-3">
        <NumberField
          name="teor_argila"
          label="Teor de Argila (%)"
          unit="%"
          help="Opcional. Camada de 0 a 20 cm."
        />
        <Interpretation value={clay} classify={clayClass} limits={[15, 35, 60]} />
      </div>
      <div className="flex flex-col gap-3">
        <NumberField
          name="teor_materia_organica"
          label="Matéria Orgânica (%)"
          unit="%"
          help="Opcional. Camada de 0 a 20 cm."
        />
        <Interpretation value={matter} classify={organicMatterClass} limits={[2, 4, 6]} />
      </div>
    </div>
  )
}

type Props = {
  value: number | null
  classify: (value: number) => SoilClass
  limits: readonly [number, number, number]
}

/** The soil class in words, and where the value lies among the limits. */
function Interpretation({ value, classify, limits }: Props) {
  const valid = value !== null && Number.isFinite(value) && value >= 0 && value <= 100
  const found = valid ? classify(value) : null
  const steps = found
    ? [limits[0] / 2, (limits[0] + limits[1]) / 2, limits[2], limits[2] + 1].map(classify)
    : []
  return (
    <div aria-live="polite" className="min-h-14 rounded-md bg-sunken px-4 py-3">
      {found ? (
        <>
          <p className="font-medium">{found.label}</p>
          <p className="figures text-small text-muted">Faixa: {found.range}</p>
          <div aria-hidden className="mt-2 flex gap-1">
            {steps.map((step) => (
              <span
                key={step.label}
                className={`h-1.5 flex-1 rounded-full ${step.label === found.label ? 'bg-accent' : 'bg-line'}`}
              />
            ))}
          </div>
        </>
      ) : (
        <p className="text-small text-muted">A interpretação aparece quando o valor é informado.</p>
      )}
    </div>
  )
}
