import {
  type CellState,
  type CellValue,
  cellOf,
  EMPTY_CELL,
  type FieldPackage,
  fillsCell,
  type KeptChange,
  type MergedChange,
  mergeChange,
  rightTime,
  type TrialDate,
  type TrialVariable,
  takesBack,
} from '@ensaio/domain'
import type { OwnEntry, Owned, StoredPackage } from './database.ts'

export type FieldPlot = FieldPackage['parcelas'][number]
export type FieldVariable = TrialVariable & { id: string }
export type FieldDate = TrialDate & { id: string }
/** Where a value is: a plot, a variable, a date or none. */
export interface CellPlace {
  parcela: string
  variavel: string
  avaliacao: string | null
}
/** What is told of an entry beside its value. */
export interface Told {
  id: string
  tipo: KeptChange['tipo']
  valor: CellValue
  motivo: string | null
  quem: string
  quando: string
  /** Where the phone's clock was wrong: when it was. */
  hora_certa?: string | null
  aparelho: string | null
  confirmado: boolean
  /** Beyond the limits that its variable has by now. */
  fora?: boolean
  /** Of one of this phone: what became of it. */
  estado: OwnEntry['estado'] | null
  base: string | null
  /** What stood before it, where the entry that said so is not on this phone. */
  antes?: Pick<Told, 'tipo' | 'valor' | 'motivo'>
}

/** A trial as this phone sees it: the package, what came behind it, and what waits here, merged by one rule. */
export interface Trial extends Owned {
  pack: FieldPackage
  /** At home its plots, variables or dates are others by now. */
  changed: boolean
  variables: FieldVariable[]
  dates: FieldDate[]
  cell(place: CellPlace): CellState
  told(id: string | null): Told | undefined
  /** All that is known of a cell, in order. */
  history(place: CellPlace): Told[]
  notes(plot: string): Told[]
  /** Those that were taken, also what their authors have taken back. */
  photos(plot: string): Told[]
  /** A note or photo that its author has taken back. */
  isTakenBack(note: Told): boolean
  /** Whether the person of this phone may say which of a cell's values stands. */
  decides(sides: readonly (Told | undefined)[]): boolean
  /** Places whose values others contradict. */
  conflicts(): CellPlace[]
  /** What others did, and where: what stands in the package, and what came behind it. */
  others(): { quem: string; quando: string; parcela: string }[]
  /** All that this phone recorded in it, in order, also what the package holds by now. */
  own: readonly OwnEntry[]
  /** One more entry of this phone, at once. */
  add(entry: OwnEntry): void
  /** What became of entries on the server. */
  settle(entries: readonly OwnEntry[]): void
}

const keyOfPlace = (place: CellPlace): string => cellOf({ ...place, amostra: null })

export function openTrial(
  { pacote: pack, pessoa, organizacao, experimento, envio, mudou }: StoredPackage,
  seen: readonly KeptChange[],
  entries: readonly OwnEntry[],
  me: string,
): Trial {
  const cells = new Map<string, CellState>()
  const contested = new Map<string, CellPlace>()
  const tellings = new Map<string, Told>()
  const byCell = new Map<string, Told[]>()
  const notes = new Map<string, Told[]>()
  const own: OwnEntry[] = []
  const known = new Set(seen.map(({ id }) => id))

  const tell = (place: CellPlace, told: Told) => {
    tellings.set(told.id, told)
    const key = keyOfPlace(place)
    byCell.set(key, [...(byCell.get(key) ?? []).filter(({ id }) => id !== told.id), told])
  }
  const put = (place: CellPlace, state: CellState) => {
    const key = keyOfPlace(place)
    cells.set(key, state)
    if (state.abertos.length > 0) contested.set(key, place)
    else contested.delete(key)
  }
  const state = (place: CellPlace): CellState => cells.get(keyOfPlace(place)) ?? EMPTY_CELL

  for (const { variavel, avaliacao, valores, registros } of pack.valores)
    pack.parcelas.forEach(({ id: parcela }, row) => {
      const [valor, id] = [valores[row] ?? null, registros[row] ?? null]
      if (valor === null && id === null) return
      const place = { parcela, variavel, avaliacao }
      const by = id === null ? undefined : pack.autores[id]
      put(place, {
        ...EMPTY_CELL,
        atual: {
          ...{ id, valor, motivo: by?.motivo ?? null },
          ...{ aparelho: by?.aparelho ?? null, seq: by?.seq ?? null },
        },
      })
      if (id !== null && by)
        tell(place, {
          ...{ id, tipo: 'valor', valor, motivo: by.motivo, quem: by.quem ?? 'Alguém', quando: by.quando },
          hora_certa: by.hora_certa ?? null,
          ...{ aparelho: by.aparelho, confirmado: by.confirmado === true, fora: by.fora === true },
          ...{ estado: null, base: null },
          ...(by.antes && { antes: { ...by.antes, tipo: by.antes.tipo as Told['tipo'] } }),
        })
    })

  const toldOf = (row: KeptChange): Told => ({
    ...{ id: row.id, tipo: row.tipo, valor: row.valor, motivo: row.motivo, base: row.base },
    ...{ quem: row.nome ?? row.quem ?? 'Alguém', quando: row.quando, aparelho: row.aparelho },
    hora_certa: row.hora_certa ?? null,
    ...{ confirmado: row.confirmado, fora: row.fora === true, estado: null },
  })
  const apply = (
    change: MergedChange & Pick<KeptChange, 'parcela' | 'variavel' | 'avaliacao' | 'amostra'>,
    told: Told,
  ) => {
    const { parcela, variavel, avaliacao } = change
    if (parcela === null) return
    if (!fillsCell(change)) {
      notes.set(parcela, [...(notes.get(parcela) ?? []).filter(({ id }) => id !== told.id), told])
      return
    }
    if (variavel === null) return
    const place = { parcela, variavel, avaliacao }
    tell(place, told)
    const before = state(place)
    put(place, mergeChange(before, ofWholeCell(before, change)).cell)
  }
  for (const open of pack.conflitos) {
    const { parcela, variavel, avaliacao } = open
    if (parcela === null || variavel === null) continue
    const place = { parcela, variavel, avaliacao }
    tell(place, toldOf(open))
    put(place, { ...state(place), abertos: [...state(place).abertos, open] })
  }
  for (const row of seen) if (row.estado !== 'guardado') apply(row, toldOf(row))

  const add = (entry: OwnEntry) => {
    own.push(entry)
    const { registro, estado } = entry
    // What waits for a decision stands in no package, and is in no cell.
    if (entry.decidido || (estado !== 'guardado' && isInPackage(envio, entry))) return
    if (estado === 'recusado' || (estado !== 'guardado' && known.has(entry.id))) return
    const told: Told = {
      ...{ id: entry.id, tipo: registro.tipo, valor: registro.valor, motivo: registro.motivo },
      hora_certa: rightTime(registro.quando, registro.desvio_ms),
      ...{ quem: me, quando: registro.quando, aparelho: registro.aparelho, base: registro.base },
      ...{ confirmado: registro.confirmado, estado },
    }
    if (estado !== 'guardado') return apply(registro, told)
    // It waits on the server for who edits the trial: it stands nowhere, and is not gone.
    const { parcela, variavel, avaliacao } = registro
    if (parcela !== null && variavel) tell({ parcela, variavel, avaliacao: avaliacao ?? null }, told)
  }
  for (const entry of entries) add(entry)
  const settle = (settled: readonly OwnEntry[]) => {
    const byId = new Map(settled.map((entry) => [entry.id, entry]))
    own.forEach((entry, at) => {
      const now = byId.get(entry.id)
      if (!now) return
      own[at] = now
      const told = tellings.get(now.id)
      if (told) told.estado = now.estado
    })
  }
  return {
    ...{ pessoa, organizacao, experimento, pack, own, add, settle, changed: mudou === true },
    decides: (sides) =>
      pack.decide !== false ||
      sides.some((told) => told && (told.quem === me || own.some(({ id }) => id === told.id))),
    // The server's own shapes, which the package's schema leaves open for newer ones.
    variables: pack.variaveis as unknown as FieldVariable[],
    dates: pack.avaliacoes as unknown as FieldDate[],
    cell: state,
    told: (id) => (id === null ? undefined : tellings.get(id)),
    history: (place) => byCell.get(keyOfPlace(place)) ?? [],
    notes: (plot) => notes.get(plot) ?? [],
    photos: (plot) => (notes.get(plot) ?? []).filter((one) => one.tipo === 'foto' && !takesBack(one)),
    isTakenBack: ({ id, quem }) =>
      [...notes.values()].flat().some((one) => one.base === id && one.quem === quem && one.valor === null),
    others: () => {
      const mine = new Set(own.map(({ id }) => id))
      const packed = pack.valores.flatMap(({ registros }) =>
        registros.flatMap((id, row) => {
          const by = id === null || mine.has(id) ? undefined : pack.autores[id]
          const parcela = pack.parcelas[row]?.id
          return by && by.aparelho !== null && parcela !== undefined
            ? [{ quem: by.quem ?? 'Alguém', quando: by.hora_certa ?? by.quando, parcela }]
            : []
        }),
      )
      const since = seen.flatMap(({ id, parcela, nome, quem, quando, hora_certa, origem }) =>
        parcela === null || origem !== 'campo' || mine.has(id)
          ? []
          : [{ quem: nome ?? quem ?? 'Alguém', quando: hora_certa ?? quando, parcela }],
      )
      return [...packed, ...since]
    },
    conflicts: () => [...contested.values()],
  }
}

/** What was sent before the package was asked for is in it, whatever has become of it since. */
const isInPackage = (sending: number, { espera, envio }: OwnEntry): boolean =>
  espera === 0 && envio <= sending

/** An entry of one sample is told of the whole cell: its number among those of the others. */
function ofWholeCell<C extends MergedChange & { amostra: number | null }>(
  { atual }: CellState,
  change: C,
): C {
  if (change.amostra === null || typeof change.valor !== 'number') return change
  const held = Array.isArray(atual.valor)
    ? [...atual.valor]
    : typeof atual.valor === 'number'
      ? [atual.valor]
      : []
  held[change.amostra - 1] = change.valor
  return { ...change, valor: Array.from(held).filter((one) => typeof one === 'number') }
}
