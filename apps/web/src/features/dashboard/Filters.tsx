import { formatNumber, searchable } from '@ensaio/domain'
import { FilterX, X } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { type FilterKey, useFilters } from '../../app/filters.ts'
import { Button } from '../../ui/Button.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'

const SELECTS = [
  { key: 'regional', label: 'Regional', all: 'Todas' },
  { key: 'cultura', label: 'Cultura', all: 'Todas' },
  { key: 'marca', label: 'Marca', all: 'Todas' },
  { key: 'ano', label: 'Ano', all: 'Todos' },
] as const
const NAMES: Readonly<Record<FilterKey, string>> = {
  regional: 'Regional',
  cultura: 'Cultura',
  marca: 'Marca',
  ano: 'Ano',
  produto: 'Produto',
  consultoria: 'Consultoria',
  bu: 'Business Unit',
}
const TYPING_MS = 300

export function Filters() {
  const { filter, set, clear, active } = useFilters()
  const options = useEndpoint('filterOptions', { query: filter }, { keep: true })
  return (
    <section aria-label="Filtros" className="flex flex-col gap-3">
      <div className="no-print grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
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
        <TypedFilter name="produto" options={options.data?.produto ?? []} anyText />
        <TypedFilter name="consultoria" options={options.data?.consultoria ?? []} />
      </div>
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        {!active && <p className="text-small text-muted">Nenhum filtro: todos os experimentos</p>}
        {(Object.keys(filter) as FilterKey[]).map((key) => (
          <button
            key={key}
            type="button"
            onClick={() => set(key, '')}
            className="relative inline-flex min-h-8 items-center gap-1.5 rounded-full bg-accent-soft px-3 text-small font-medium text-accent hover:bg-sunken"
          >
            <span className="sr-only">Remover filtro </span>
            {NAMES[key]}: {filter[key]}
            <X aria-hidden className="no-print size-3.5" />
          </button>
        ))}
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
      </div>
    </section>
  )
}

type TypedProps = {
  name: 'produto' | 'consultoria'
  options: readonly { valor: string; n: number }[]
  /** Any text filters (contains); else only a whole option does. */
  anyText?: boolean
}

/** A filter with many values: typed, with suggestions. */
function TypedFilter({ name, options, anyText = false }: TypedProps) {
  const { filter, set } = useFilters()
  const current = filter[name] ?? ''
  const [text, setText] = useState(current)
  useEffect(() => setText(current), [current])
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === current) return
    const meant = anyText || wanted === '' ? wanted : sameText(options, wanted)
    if (meant === undefined || meant === current) return
    const timer = setTimeout(() => set(name, meant), TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted, current, anyText, options, set, name])
  const matching = useMemo(() => {
    const part = searchable(wanted)
    return (part ? options.filter(({ valor }) => searchable(valor).includes(part)) : options).slice(0, 50)
  }, [options, wanted])
  return (
    <Field label={NAMES[name]}>
      {(control) => (
        <Combobox
          {...control}
          name={name}
          placeholder={name === 'produto' ? 'Todos' : 'Todas'}
          value={text}
          onText={setText}
          onChoose={(value) => {
            setText(value)
            set(name, value)
          }}
          onKeyDown={(event) => {
            const [first] = matching
            if (event.key !== 'Enter' || anyText || !first || event.defaultPrevented) return
            setText(first.valor)
            set(name, first.valor)
          }}
          onBlur={() => !anyText && setText(current)}
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

/** The option that reads like the text, whatever its case and accents. */
const sameText = (options: TypedProps['options'], text: string): string | undefined =>
  options.find(({ valor }) => searchable(valor) === searchable(text))?.valor
