import {
  type ChipKey,
  type ExperimentFilter,
  FILTER_NAMES,
  filterValues,
  formatNumber,
  MORE_FILTERS,
  type MoreFilter,
  searchable,
  valuesText,
} from '@ensaio/domain'
import { FilterX, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { useFilters } from '../../shell/filters.ts'
import { Button } from '../../ui/Button.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { MoreFilters } from './MoreFilters.tsx'

const SELECTS = [
  { key: 'cultura', label: 'Cultura', all: 'Todas' },
  { key: 'regional', label: 'Regional', all: 'Todas' },
  { key: 'marca', label: 'Marca', all: 'Todas' },
  { key: 'ano', label: 'Ano', all: 'Todos' },
] as const
/** Whose trials, besides each organisation's. */
const ORIGINS: Readonly<Record<string, string>> = { proprios: 'Próprios', recebidos: 'Recebidos' }
const TYPING_MS = 300
const isSeveral = (key: ChipKey): key is MoreFilter | 'com_roi' =>
  key === 'com_roi' || MORE_FILTERS.some((more) => more === key)

interface Props {
  /** What may be done with all that a filter lets through; a feature of its own. */
  actions?: (filter: ExperimentFilter) => ReactNode
}

export function Filters({ actions }: Props) {
  const { filter, set, setSeveral, clear, active } = useFilters()
  const turned: readonly string[] = filterValues(filter.nao)
  const remove = (key: ChipKey) => (isSeveral(key) ? setSeveral(key, []) : set(key, ''))
  const options = useEndpoint('filterOptions', { query: filter }, { keep: true })
  const origins = options.data?.origem
  const named = (origem: string) =>
    ORIGINS[origem] ?? origins?.find(({ valor }) => valor === origem)?.nome ?? 'Outra organização'
  return (
    <section aria-label="Filtros" className="flex flex-col gap-3">
      <div
        className={classes(
          'no-print grid grid-cols-2 gap-3 md:grid-cols-3',
          origins ? 'xl:grid-cols-7' : 'xl:grid-cols-6',
        )}
      >
        {SELECTS.map(({ key, label, all }) => {
          const found = options.data?.[key] ?? []
          const value = filter[key] ?? ''
          const shown =
            value && !found.some((option) => option.valor === value)
              ? [...found, { valor: value, n: 0 }]
              : found
          return (
            <Field key={key} label={label}>
              {(control) => (
                <Select
                  {...control}
                  name={key}
                  value={value}
                  placeholder={all}
                  onChange={(event) => set(key, event.target.value)}
                  options={shown.map(({ valor, n }) => ({
                    value: valor,
                    label: `${valor} (${formatNumber(n, 0)})`,
                  }))}
                />
              )}
            </Field>
          )
        })}
        <TypedFilter name="produto" options={options.data?.produto} anyText />
        <TypedFilter name="consultoria" options={options.data?.consultoria} />
        {origins && (
          <Field label="Origem">
            {(control) => (
              <Select
                {...control}
                name="origem"
                value={filter.origem ?? ''}
                placeholder="Todas"
                onChange={(event) => set('origem', event.target.value)}
                options={[
                  ...Object.entries(ORIGINS).map(([value, label]) => ({ value, label })),
                  ...origins.map(({ valor, nome, n }) => ({
                    value: valor,
                    label: `${nome} (${formatNumber(n, 0)})`,
                  })),
                ]}
              />
            )}
          </Field>
        )}
      </div>
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        {!active && <p className="text-small text-muted">Nenhum filtro: todos os experimentos</p>}
        {(Object.keys(filter) as (ChipKey | 'nao')[]).map((key) =>
          key === 'nao' ? null : (
            <button
              key={key}
              type="button"
              onClick={() => remove(key)}
              className="relative inline-flex min-h-8 items-center gap-1.5 rounded-full bg-accent-soft px-3 text-small font-medium text-accent hover:bg-sunken"
            >
              <span className="sr-only">Remover filtro </span>
              {FILTER_NAMES[key]}
              {turned.includes(key) ? ' não é' : ''}:{' '}
              {key === 'origem' ? named(filter[key] ?? '') : valuesText(key, filter[key] ?? '')}
              <X aria-hidden className="no-print size-3.5" />
            </button>
          ),
        )}
        <MoreFilters />
        {active && (
          <Button
            className="no-print"
            size="small"
            variant="quiet"
            icon={<FilterX aria-hidden className="size-4" />}
            onClick={clear}
          >
            Limpar Filtros
          </Button>
        )}
        {origins && origins.length > 1 && filter.origem !== 'proprios' && (
          <Button className="no-print" size="small" variant="quiet" onClick={() => set('origem', 'proprios')}>
            Só os próprios
          </Button>
        )}
        {actions?.(filter)}
      </div>
    </section>
  )
}

type TypedProps = {
  name: 'produto' | 'consultoria'
  /** Undefined until they are known. */
  options: readonly { valor: string; n: number }[] | undefined
  /** Any text filters (contains); else only a whole option does. */
  anyText?: boolean
}
const NO_OPTIONS: NonNullable<TypedProps['options']> = []

/** A filter with many values: typed, with suggestions. */
function TypedFilter({ name, options: known, anyText = false }: TypedProps) {
  const { filter, set } = useFilters()
  const current = filter[name] ?? ''
  const options = known ?? NO_OPTIONS
  const [text, setText] = useState(current)
  const [left, setLeft] = useState<'field' | 'enter' | null>(null)
  useEffect(() => setText(current), [current])
  const wanted = text.trim()
  const offered = anyText || wanted === '' || wanted === current ? wanted : sameText(options, wanted)
  const elsewhere = useNameElsewhere(
    name,
    wanted,
    left !== null && known !== undefined && offered === undefined,
  )
  const meant = offered ?? elsewhere.name
  useEffect(() => {
    if (meant === undefined || meant === current) return
    const timer = setTimeout(() => set(name, meant, { typing: true }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [meant, current, set, name])
  // What was typed whole counts however soon the field is left, even before the options are known.
  const matching = useMemo(() => {
    const part = searchable(wanted)
    return (part ? options.filter(({ valor }) => searchable(valor).includes(part)) : options).slice(0, 50)
  }, [options, wanted])
  const first = matching[0]?.valor
  useEffect(() => {
    if (!left || (meant === undefined && (!known || elsewhere.asking))) return
    setLeft(null)
    const chosen = meant ?? (left === 'enter' ? first : undefined)
    if (chosen === undefined) setText(current)
    else if (chosen !== current) set(name, chosen)
  }, [left, meant, first, known, elsewhere.asking, current, set, name])
  return (
    <Field label={FILTER_NAMES[name]}>
      {(control) => (
        <Combobox
          {...control}
          name={name}
          placeholder={name === 'produto' ? 'Todos' : 'Todas'}
          value={text}
          onText={(typed) => {
            setLeft(null)
            setText(typed)
          }}
          onChoose={(value) => {
            setLeft(null)
            setText(value)
            set(name, value)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.defaultPrevented) setLeft('enter')
          }}
          onFocus={() => setLeft(null)}
          onBlur={() => setLeft((before) => before ?? 'field')}
          options={matching.map(({ valor, n }) => ({
            value: valor,
            item: valor,
            detail: formatNumber(n, 0),
          }))}
          note={wanted ? 'Nenhum valor encontrado' : undefined}
        />
      )}
    </Field>
  )
}

/** A name that the other filters leave nothing of, or that is too rare to be offered; asked for once it is typed whole. */
function useNameElsewhere(name: TypedProps['name'], text: string, wanted: boolean) {
  // The options of a filter are what occurs under the others; those of the others say whether its own value occurs.
  const query = name === 'produto' ? { produto: text } : { consultoria: text }
  const found = useEndpoint('filterOptions', { query }, { enabled: wanted })
  const occurs = (found.data?.regional.length ?? 0) > 0
  return {
    name:
      wanted && found.data ? (sameText(found.data[name], text) ?? (occurs ? text : undefined)) : undefined,
    asking: wanted && found.isPending,
  }
}

/** The option that reads like the text, whatever its case and accents. */
const sameText = (options: typeof NO_OPTIONS, text: string): string | undefined =>
  options.find(({ valor }) => searchable(valor) === searchable(text))?.valor
