import {
  DATA_KINDS,
  DATA_NAMES,
  FILTER_KEYS,
  FILTER_NAMES,
  type FilterOption,
  filterValues,
  formatNumber,
  type MoreFilter,
  QUALITY_LEVELS,
  QUALITY_NAMES,
  SOIL_CLASSES,
} from '@ensaio/domain'
import { useEffect, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { useFilters } from '../../shell/filters.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Checkbox } from '../../ui/Input.tsx'
import { ErrorState, Skeleton } from '../../ui/Surface.tsx'

/** So many values are offered at once; the rest by typing. */
const SHOWN = 24

/** Filters that add to the others: each of several values, and each the other way round. */
export function MoreFiltersDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Mais filtros"
      description="Somam-se aos outros; de cada um basta um dos valores marcados."
      size="large"
      footer={<Button onClick={onClose}>Ver o resultado</Button>}
    >
      <Choices />
    </Dialog>
  )
}

/** What a person sees chosen at once, while the address follows. */
function useChosen(there: readonly string[]) {
  const [shown, setShown] = useState(there)
  const text = there.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: its text is what tells one list from another
  useEffect(() => setShown(there), [text])
  return [shown, setShown] as const
}
const withOrWithout = (values: readonly string[], value: string, on: boolean) =>
  on ? [...values, value] : values.filter((one) => one !== value)

function Choices() {
  const { filter, setSeveral, turn } = useFilters()
  const [turned, setTurned] = useChosen(filterValues(filter.nao))
  const [returns, setReturns] = useChosen(filterValues(filter.com_roi))
  const others = FILTER_KEYS.filter((key) => filter[key])
  const found = useEndpoint('moreFilterOptions', { query: filter }, { keep: true })
  if (found.isError && !found.data)
    return <ErrorState message="Erro ao carregar os filtros" onRetry={() => found.refetch()} />
  const named = (options: readonly FilterOption[] | undefined) =>
    options?.map(({ valor, n }) => ({ value: valor, label: valor, n }))
  const classes = (of: keyof typeof SOIL_CLASSES) =>
    Object.entries(SOIL_CLASSES[of]).map(([value, { label, range }]) => ({
      value,
      label: `${label} (${range})`,
    }))
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <Values of="solo" options={classes('solo')} />
      <Values of="materia_organica" options={classes('materia_organica')} />
      <Values of="estado" options={named(found.data?.estado)} />
      <Values of="modalidade" options={named(found.data?.modalidade)} />
      <Values of="cultivar" options={named(found.data?.cultivar)} />
      <Values of="dados" options={DATA_KINDS.map((value) => ({ value, label: DATA_NAMES[value] }))} />
      <Values
        of="qualidade"
        options={QUALITY_LEVELS.map((value) => ({ value, label: QUALITY_NAMES[value] }))}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-small font-medium">ROI</legend>
        {(['1', '0'] as const).map((value) => (
          <Checkbox
            key={value}
            label={value === '1' ? 'Com ROI informado' : 'Sem ROI informado'}
            checked={returns.includes(value)}
            onChange={(event) => {
              const next = event.target.checked ? [value] : []
              setReturns(next)
              setSeveral('com_roi', next)
            }}
          />
        ))}
      </fieldset>
      {others.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-small font-medium">Inverter os outros filtros</legend>
          {others.map((key) => (
            <Checkbox
              key={key}
              label={`${FILTER_NAMES[key]} não é ${filter[key]}`}
              checked={turned.includes(key)}
              onChange={(event) => {
                setTurned(withOrWithout(turned, key, event.target.checked))
                turn(key)
              }}
            />
          ))}
        </fieldset>
      )}
    </div>
  )
}

type Option = { value: string; label: string; n?: number }

function Values({ of, options }: { of: MoreFilter; options: readonly Option[] | undefined }) {
  const { filter, setSeveral, turn } = useFilters()
  const [all, setAll] = useState(false)
  const [chosen, setChosen] = useChosen(filterValues(filter[of]))
  const [turned, setTurned] = useChosen(filterValues(filter.nao))
  // What is chosen stays to be seen, whatever the other filters leave.
  const offered = options && [
    ...chosen
      .filter((value) => !options.some((option) => option.value === value))
      .map((value): Option => ({ value, label: value, n: 0 })),
    ...options,
  ]
  const shown = all ? offered : offered?.slice(0, SHOWN)
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-small font-medium">{FILTER_NAMES[of]}</legend>
      <Checkbox
        label="não é (inverte os marcados)"
        className="text-muted"
        disabled={chosen.length === 0}
        checked={turned.includes(of)}
        onChange={(event) => {
          setTurned(withOrWithout(turned, of, event.target.checked))
          turn(of)
        }}
      />
      {!shown ? (
        <Skeleton className="h-24" />
      ) : shown.length === 0 ? (
        <p className="text-small text-muted">Nenhum valor com os outros filtros</p>
      ) : (
        <div className="grid gap-2 md:grid-cols-2">
          {shown.map(({ value, label, n }) => (
            <Checkbox
              key={value}
              label={n === undefined ? label : `${label} (${formatNumber(n, 0)})`}
              checked={chosen.includes(value)}
              onChange={(event) => {
                const next = withOrWithout(chosen, value, event.target.checked)
                setChosen(next)
                setSeveral(of, next)
              }}
            />
          ))}
        </div>
      )}
      {offered && offered.length > SHOWN && (
        <Button size="small" variant="quiet" className="self-start" onClick={() => setAll(!all)}>
          {all ? 'Mostrar menos' : `Mostrar todos (${formatNumber(offered.length, 0)})`}
        </Button>
      )}
    </fieldset>
  )
}
