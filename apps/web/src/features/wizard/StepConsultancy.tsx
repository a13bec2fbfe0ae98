import { BRANDS, BUSINESS_UNITS, businessUnitName, REGIONS } from '@ensaio/domain'
import { useEndpoint } from '../../api/queries.ts'
import { SelectField, TextField } from './fields.tsx'

const HOUR = 3_600_000

export function StepConsultancy() {
  const brands = useEndpoint('lookupBrands', {}, { staleTime: HOUR })
  const regions = useEndpoint('lookupRegions', {}, { staleTime: HOUR })
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        name="consultoria"
        label="Consultoria"
        required
        help="Quem conduziu o experimento."
        className="sm:col-span-2"
      />
      <SelectField name="marca" label="Marca" required options={brands.data?.marcas ?? BRANDS} />
      <SelectField
        name="bu"
        label="Business Unit"
        required
        options={BUSINESS_UNITS.map((value) => ({ value, label: businessUnitName(value) }))}
      />
      <SelectField
        name="regional"
        label="Regional"
        required
        options={(regions.data?.regioes ?? REGIONS).map(({ nome }) => nome)}
      />
      <TextField
        name="codigo"
        label="Código do ensaio"
        help="Opcional. Como vocês identificam este ensaio; não se repete em outro."
        maxLength={60}
      />
    </div>
  )
}
