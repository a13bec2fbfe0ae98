import { STATES } from '@ensaio/domain'
import { LocateFixed } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { useEndpoint } from '../../api/queries.ts'
import { late } from '../../shell/late.tsx'
import { useRested } from '../../shell/rested.ts'
import { Button } from '../../ui/Button.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Skeleton } from '../../ui/Surface.tsx'
import { useDoubt } from './doubt.ts'
import { NumberField, SelectField } from './fields.tsx'
import type { WizardValues } from './form-values.ts'

const PointMap = late(async () => (await import('../../map/PointMap.tsx')).PointMap)

type City = { nome: string; estado: string; regional: string; latitude: number; longitude: number }

export function StepPlace() {
  const { setValue } = useFormContext<WizardValues>()
  const [latitude, longitude] = useWatch<WizardValues, ['latitude', 'longitude']>({
    name: ['latitude', 'longitude'],
  })
  const put = (place: { latitude: number; longitude: number }) => {
    setValue('latitude', round(place.latitude), { shouldDirty: true, shouldValidate: true })
    setValue('longitude', round(place.longitude), { shouldDirty: true, shouldValidate: true })
  }
  const choose = (city: City) => {
    setValue('cidade', city.nome, { shouldDirty: true, shouldValidate: true })
    setValue('estado', city.estado, { shouldDirty: true, shouldValidate: true })
    put(city)
  }
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <CityField onChoose={choose} />
      <SelectField
        name="estado"
        label="Estado"
        required
        options={STATES.map(({ sigla, nome }) => ({ value: sigla, label: `${nome} (${sigla})` }))}
      />
      <NumberField
        name="latitude"
        step={0.000001}
        label="Latitude"
        grouping={false}
        unit="graus"
        placeholder="-15,546300"
        help="Opcional. Sul é negativo."
      />
      <NumberField
        name="longitude"
        step={0.000001}
        label="Longitude"
        grouping={false}
        unit="graus"
        placeholder="-55,168900"
        help="Opcional. Oeste é negativo."
      />
      <div className="flex flex-col gap-3 sm:col-span-2">
        <MyLocation onFound={put} />
        <Suspense fallback={<Skeleton className="h-64" />}>
          <PointMap
            point={pointOf(latitude, longitude)}
            onMove={put}
            label="Mapa do local do experimento: arraste o ponto para ajustar"
          />
        </Suspense>
      </div>
    </div>
  )
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6

function pointOf(latitude: number | null, longitude: number | null) {
  const valid =
    latitude !== null && longitude !== null && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return valid ? { latitude, longitude } : null
}

function CityField({ onChoose }: { onChoose: (city: City) => void }) {
  const { control, trigger } = useFormContext<WizardValues>()
  const cidade = useWatch<WizardValues, 'cidade'>({ name: 'cidade' })
  const searched = useRested(cidade.trim())
  const cities = useEndpoint(
    'lookupCities',
    { query: { busca: searched } },
    { enabled: searched.length >= 2, keep: true, staleTime: 3_600_000 },
  )
  const doubt = useDoubt('cidade')
  const options = searched.length >= 2 ? (cities.data?.municipios ?? []) : []
  return (
    <Controller
      control={control}
      name="cidade"
      render={({ field, fieldState }) => (
        <Field
          label="Cidade"
          required
          error={fieldState.error?.message}
          help={
            doubt ? (
              <span className="text-warn">{doubt}</span>
            ) : (
              'Ao escolher, o estado e as coordenadas são preenchidos.'
            )
          }
        >
          {(attributes) => (
            <Combobox
              {...attributes}
              name="cidade"
              ref={field.ref}
              value={field.value}
              onText={(text) => {
                field.onChange(text)
                if (fieldState.error) void trigger('cidade')
              }}
              onBlur={field.onBlur}
              onChoose={onChoose}
              options={options.map((city) => ({
                value: city.nome,
                detail: city.estado,
                item: city,
                key: `${city.nome}-${city.estado}`,
              }))}
              note={
                searched.length >= 2 && cities.isSuccess
                  ? 'Município não encontrado: o que você digitou será mantido.'
                  : undefined
              }
            />
          )}
        </Field>
      )}
    />
  )
}

function MyLocation({ onFound }: { onFound: (place: { latitude: number; longitude: number }) => void }) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  if (!('geolocation' in navigator)) return null
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        size="small"
        busy={state === 'busy'}
        icon={<LocateFixed aria-hidden className="size-4" />}
        onClick={() => {
          setState('busy')
          navigator.geolocation.getCurrentPosition(
            ({ coords }) => {
              setState('idle')
              onFound(coords)
            },
            () => setState('failed'),
            { enableHighAccuracy: true, timeout: 15_000 },
          )
        }}
      >
        Usar minha localização
      </Button>
      {state === 'failed' && (
        <p role="status" className="text-small text-muted">
          Não foi possível obter a localização. Digite as coordenadas ou escolha a cidade.
        </p>
      )}
    </div>
  )
}
