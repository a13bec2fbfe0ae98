import { useContext } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { DoubtContext } from './doubt.ts'
import { NumberField, SelectField, TextField } from './fields.tsx'
import type { WizardValues } from './form-values.ts'

const DESIGNS = [
  { value: 'DIC', label: 'DIC – inteiramente casualizado' },
  { value: 'DBC', label: 'DBC – blocos casualizados' },
  { value: 'DQL', label: 'DQL – quadrado latino' },
]
const DMS_TESTS = [
  { value: 'tukey', label: 'Tukey' },
  { value: 't', label: 't (LSD)' },
]
/** Those that the rebuilt analysis knows to compare; another name is kept as it is typed. */
const TESTS = ['Tukey', 'Scott-Knott', 'Duncan', 't', 'SNK', 'Bonferroni']
const LONGEST_LETTERS = 12

/** What the report tells of its own statistics: with it, an analysis is rebuilt from the means. */
export function ReportedSection() {
  const { setValue } = useFormContext<WizardValues>()
  const path = 'estatistica_informada' as const
  return (
    <fieldset className="min-w-0 border-t border-line pt-5 sm:col-span-2">
      <legend className="sr-only">Estatística do relatório (opcional)</legend>
      <div className="mb-4 flex flex-col gap-1">
        <h3 className="font-semibold">Estatística do relatório (opcional)</h3>
        <p className="text-small text-muted">
          Com o CV e o número de repetições, a análise é reconstruída a partir das médias: F, letras e
          Dunnett.
        </p>
      </div>
      <div className="grid items-start gap-5 sm:grid-cols-2 xl:grid-cols-3">
        <SelectField name={`${path}.delineamento`} label="Delineamento" options={DESIGNS} placeholder="–" />
        <NumberField name={`${path}.repeticoes`} label="Repetições" decimals={0} />
        <NumberField
          name={`${path}.cv`}
          label="CV (%)"
          unit="%"
          // The decimals that were printed are those of the CV that was read.
          onEntered={() => setValue(`${path}.cv_casas`, null)}
        />
        <NumberField name={`${path}.dms`} label="DMS (kg/ha)" unit="kg/ha" />
        <SelectField name={`${path}.dms_teste`} label="Teste da DMS" options={DMS_TESTS} placeholder="–" />
        <TextField name={`${path}.teste`} label="Teste de médias" list={TESTS} maxLength={60} />
        <NumberField name={`${path}.gl_residuo`} label="Graus de liberdade do resíduo" decimals={0} />
      </div>
      <Letters />
    </fieldset>
  )
}

/** The letters as printed, a short field beside each treatment. */
function Letters() {
  const treatments = useWatch<WizardValues, 'tratamentos'>({ name: 'tratamentos' })
  const doubts = useContext(DoubtContext)
  const doubtful = treatments.flatMap((_, index) => {
    const doubt = doubts.get(`estatistica_informada.letras.${index + 1}`)
    return doubt ? [{ code: `T${index + 1}`, page: doubt.page }] : []
  })
  return (
    <div className="mt-5">
      <h4 id="letras-do-relatorio" className="text-small font-medium">
        Letras ao lado das médias
      </h4>
      <p className="text-small text-muted">
        {doubtful[0] && (
          <span className="block text-warn">
            Revisão recomendada: letras de {doubtful.map(({ code }) => code).join(', ')} lidas na página{' '}
            {doubtful[0].page}.
          </span>
        )}
        Como estão impressas no relatório, por exemplo “ab”.
      </p>
      <ul aria-labelledby="letras-do-relatorio" className="mt-2 grid gap-x-8 gap-y-2 sm:grid-cols-2">
        {treatments.map((treatment, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a treatment is known by its place
            key={index}
            className="flex min-w-0 items-center gap-3"
          >
            <span aria-hidden className="min-w-0 flex-1 truncate text-small">
              <span className="figures font-semibold">T{index + 1}</span>{' '}
              <span className="text-muted">{treatment.nome}</span>
            </span>
            <TextField
              name={`tratamentos.${index}.letra`}
              label={`Letras de T${index + 1}${treatment.nome ? ` ${treatment.nome}` : ''}`}
              hiddenLabel
              maxLength={LONGEST_LETTERS}
              className="w-24 shrink-0"
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
