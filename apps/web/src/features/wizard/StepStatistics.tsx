import { formatCurrency, STATISTICS_TYPES, totalCost } from '@ensaio/domain'
import { useWatch } from 'react-hook-form'
import { NumberField, SelectField } from './fields.tsx'
import type { WizardValues } from './form-values.ts'
import { ReportedSection } from './ReportedSection.tsx'

export function StepStatistics() {
  const treatments = useWatch<WizardValues, 'tratamentos'>({ name: 'tratamentos' })
  const total = totalCost(treatments)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <SelectField
        name="tipo_estatistica"
        label="Tipo de Estatística"
        required
        options={STATISTICS_TYPES}
        className="sm:col-span-2"
      />
      <NumberField
        name="custo_protocolo"
        label="Custo do Protocolo (R$/ha)"
        required
        money
        unit="R$/ha"
        help={
          total === null
            ? undefined
            : `Soma dos custos dos tratamentos: ${formatCurrency(total)}/ha. São alternativas: o protocolo raramente custa a soma.`
        }
      />
      <NumberField
        name="roi"
        label="ROI (R$/ha)"
        money
        unit="R$/ha"
        help="Opcional. Retorno em reais por hectare, não em porcentagem."
      />
      <ReportedSection />
    </div>
  )
}
