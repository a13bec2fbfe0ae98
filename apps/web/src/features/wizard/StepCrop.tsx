import { CROPS, CULTIVARS_BY_CROP, YEARS } from '@ensaio/domain'
import { useWatch } from 'react-hook-form'
import { useEndpoint } from '../../api/queries.ts'
import { SelectField, TextField } from './fields.tsx'
import type { WizardValues } from './form-values.ts'

/** This season and the last one on top: most trials are entered then. */
function seasons(): readonly number[] {
  const now = new Date().getFullYear()
  const recent = [now, now - 1].filter((year) => YEARS.includes(year))
  return [...recent, ...YEARS.filter((year) => !recent.includes(year)).reverse()]
}

export function StepCrop() {
  const crops = useEndpoint('lookupCrops', {}, { staleTime: 3_600_000 })
  const cultura = useWatch<WizardValues, 'cultura'>({ name: 'cultura' })
  const cultivars = CULTIVARS_BY_CROP[cultura] ?? []
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <SelectField name="cultura" label="Cultura" required options={crops.data?.culturas ?? CROPS} />
      <TextField
        name="cultivar"
        label="Cultivar"
        required
        list={cultivars}
        help={
          cultivars.length > 0
            ? `Sugestões para ${cultura}, ou digite outra.`
            : 'Variedade, híbrido ou cultivar.'
        }
      />
      <SelectField
        name="ano"
        label="Ano"
        required
        numeric
        options={seasons().map((year) => ({ value: String(year), label: String(year) }))}
      />
    </div>
  )
}
