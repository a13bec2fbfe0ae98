import { FIELD_KEYS, fieldOf, formatNumber, NO_VALUE } from '@ensaio/domain'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { valueText } from './value-text.ts'

type Part = Readonly<Record<string, unknown>>
const listOf = (value: unknown): readonly Part[] => (Array.isArray(value) ? value : [])

/** The first trial as the columns are understood: what is wrong with them is seen before anything is checked. */
export function FirstTrial({ trial }: { trial: Part }) {
  const told = FIELD_KEYS.filter(
    (key) => trial[key] !== null && trial[key] !== undefined && trial[key] !== '',
  )
  return (
    <Card>
      <CardHeader
        title="O primeiro ensaio, como foi entendido"
        subtitle="Compare com a planilha: muda com as colunas abaixo"
      />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
          {told.map((key) => (
            <div key={key} className="min-w-0">
              <dt className="text-small text-muted">{fieldOf(key).label}</dt>
              <dd className="figures break-words">
                {key === 'ano' ? String(trial[key]) : valueText(trial[key])}
              </dd>
            </div>
          ))}
        </dl>
        <ol className="figures flex flex-col gap-1 border-t border-line pt-3 text-small">
          {listOf(trial.tratamentos).map((treatment, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a treatment is its place in the trial
            <li key={at} className="flex flex-wrap gap-x-3">
              <span className="text-faint">T{at + 1}</span>
              <span className="font-medium">{valueText(treatment.nome)}</span>
              <span className="text-muted">
                {listOf(treatment.produtos_aplicados).map(productText).join(' + ')}
              </span>
              <span>
                {typeof treatment.produtividade === 'number'
                  ? `${formatNumber(treatment.produtividade, 2)} kg/ha`
                  : NO_VALUE}
              </span>
              <span className="text-muted">
                {listOf(treatment.analises_adicionais)
                  .map(({ nome, valor, unidade }) => [nome, valor, unidade].map(plainText).join(' ').trim())
                  .join('; ')}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  )
}

const plainText = (value: unknown): string => (value === null || value === '' ? '' : valueText(value))
const productText = ({ nome, dose, unidade }: Part): string =>
  [nome, dose, unidade].map(plainText).filter(Boolean).join(' ')
