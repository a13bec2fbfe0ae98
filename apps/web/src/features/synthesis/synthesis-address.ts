import {
  filterValues,
  MODERATORS,
  type Moderator,
  SUBGROUPS,
  type Subgroup,
  type SynthesisQuery,
} from '@ensaio/domain'
import { useSearchParams } from 'react-router'
import { useSetAddress } from '../../shell/address.ts'
import { useFilters } from '../../shell/filters.ts'

export const ORDERS = { efeito: 'Efeito', ano: 'Ano', regional: 'Regional', argila: 'Argila' } as const
export type Order = keyof typeof ORDERS

const LONGEST_NAME = 200

/** What of a synthesis stands in the address, beside the dashboard's filters. */
const KEYS = [
  ...['comparar', 'medida', 'sozinho', 'imputar', 'subgrupo', 'moderador', 'incluir', 'retirar'],
  ...['preco_sc', 'kg_un', 'ensaios_por', 'tratamento', 'variavel', 'dose_min', 'dose_max'],
] as const
type Key =
  | 'comparar'
  | 'medida'
  | 'sozinho'
  | 'imputar'
  | 'subgrupo'
  | 'moderador'
  | 'incluir'
  | 'retirar'
  | 'preco_sc'
  | 'kg_un'
  | 'ensaios_por'
  | 'tratamento'
  | 'variavel'
  | 'dose_min'
  | 'dose_max'

const oneOf = <T extends string>(options: readonly T[], value: string | undefined): T | undefined =>
  options.find((option) => option === value)
const positive = (text: string | undefined): number | undefined => {
  const value = Number(text)
  return text && Number.isFinite(value) && value > 0 ? value : undefined
}

const dose = (text: string | undefined): number | undefined => {
  const value = text ? Number(text) : Number.NaN
  return value >= 0 && value <= 1e9 ? value : undefined
}

/** The question that the address asks, and how to ask another; each choice is a step that Back undoes. */
export function useSynthesisAddress() {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const { filter } = useFilters()
  const at = (key: Key): string | undefined => search.get(key)?.replaceAll('\0', '') || undefined
  const { produto: filtered, ...rest } = filter
  // A product that trials must not have is not one that they compare.
  const product = at('comparar') ?? (filterValues(filter.nao).includes('produto') ? undefined : filtered)
  const moderador = oneOf<Moderator>(MODERATORS, at('moderador'))
  const subgrupo = oneOf<Subgroup>(SUBGROUPS, at('subgrupo'))
  const medida = oneOf(['diferenca', 'lnrr'] as const, at('medida'))
  const preco = positive(at('preco_sc'))
  const kg = positive(at('kg_un'))
  const tratamento = at('tratamento')?.slice(0, LONGEST_NAME)
  const variavel = at('variavel')?.slice(0, LONGEST_NAME)
  const [least, most] = [dose(at('dose_min')), dose(at('dose_max'))]
  const query: SynthesisQuery = {
    ...rest,
    // A treatment by its name is asked for in place of a product.
    ...(tratamento ? { tratamento } : product && { produto: product }),
    ...(variavel && { variavel }),
    ...(!tratamento && least !== undefined && { dose_min: least }),
    ...(!tratamento && most !== undefined && { dose_max: most }),
    ...(medida && { medida }),
    ...(at('sozinho') === '1' && { sozinho: '1' as const }),
    ...(at('imputar') === '1' && { imputar: '1' as const }),
    ...(moderador && { moderador }),
    ...(subgrupo && { subgrupo }),
    ...(at('incluir') && { incluir: at('incluir') }),
    ...(at('retirar') && { retirar: at('retirar') }),
    ...(preco !== undefined && { preco, ...(kg !== undefined && { kg_por_unidade: kg }) }),
  }
  return {
    query,
    filter: rest,
    product: product ?? '',
    asked: Boolean(tratamento || product),
    order: oneOf(Object.keys(ORDERS) as Order[], at('ensaios_por')) ?? 'efeito',
    set: (values: Partial<Record<Key, string>>) => write(values),
    /** Puts a trial's id into one of the two lists, or takes it out. */
    toggle: (list: 'incluir' | 'retirar', id: string) => {
      const now = new Set((at(list) ?? '').split(',').filter(Boolean))
      if (!now.delete(id)) now.add(id)
      write({ [list]: [...now].join(',') })
    },
    clear: () => write(Object.fromEntries(KEYS.map((key) => [key, '']))),
  }
}
export type SynthesisAddress = ReturnType<typeof useSynthesisAddress>
