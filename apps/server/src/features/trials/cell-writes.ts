import { randomUUID } from 'node:crypto'
import { type AssignedBlock, can, Problem, problem, type TrialSheetInput } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import {
  type CellWrite,
  decidedOf,
  type EnteredColumns,
  FOREIGN_PLOT,
  isSame,
  NOTHING,
  type Outcome,
  planWrites,
  standingOf,
  wholeCell,
} from './cell-plan.ts'
import {
  addChanges,
  changesAfter,
  changesByIds,
  changesOfCells,
  changesOfPerson,
  closeChanges,
  entriesOfDevice,
  isTakenBack,
  keepWithoutRight,
  lastChange,
  type NewChange,
  openChanges,
  type StoredChange,
  trialsEntered,
} from './changes.repository.ts'
import type { QualityKeeper } from './quality.service.ts'
import {
  assignBlocks,
  blocksOf,
  foreignPlots,
  isBlind,
  type StoredColumn,
  type StoredSheet,
  setBlind,
  sheetOf,
  sheetWithEntries,
} from './sheets.repository.ts'

const EXPORTED_AT_ONCE = 500

/** Words or a day for one cell, as they are typed at the desk; null takes them away. */
export interface WordEntry {
  parcela: string
  variavel: string | null
  avaliacao: string | null
  valor: string | null
  /** The entry that stood there. */
  base: string | null
}

type Store = (
  handle: Handle,
  actor: Actor,
  id: string,
  of: { before: StoredSheet; sheet: TrialSheetInput; entries: EnteredColumns },
) => Promise<StoredSheet>

/** The one place where single values of plots are written, whoever sends them: phone, desk or another application. */
export function createCellWrites({
  wall,
  experiments,
  quality,
  store,
  asInput,
}: {
  wall: Wall
  experiments: Experiments
  quality: QualityKeeper
  store: Store
  /** The sheet as it stands, to be stored again. */
  asInput(before: StoredSheet, columns: StoredColumn[], treatments: number): TrialSheetInput
}) {
  /**
   * Inside the transaction that locked the trial: the entries, what they change of the sheet and what follows from it
   * are written together, one sheet for all of them.
   */
  const writeIn = async (
    handle: Handle,
    actor: Actor,
    id: string,
    { before, writes, editor }: { before: StoredSheet; writes: readonly CellWrite[]; editor: boolean },
  ): Promise<Outcome[]> => {
    const entries = writes.map(({ entry }) => entry)
    const [named, inCells] = [
      await changesByIds(
        handle,
        id,
        entries.map((entry) => entry.id),
      ),
      await changesOfCells(handle, id, cellsOf(entries)),
    ]
    const met = new Set(inCells.map((row) => row.id))
    const rows = [...inCells, ...named.filter((row) => !met.has(row.id))]
    const foreign = await foreignPlots(handle, id, cellsOf(entries).plots)
    const plan = planWrites(before, rows, writes, { editor, foreign })
    let written = before
    if (plan.touched.size > 0) {
      const { n_tratamentos: count } = await experiments.get(actor, id, handle)
      const sheet = asInput(before, plan.columns, count)
      written = await store(handle, actor, id, { before, sheet, entries: plan })
    }
    await addChanges(handle, id, plan.added)
    await closeChanges(handle, id, plan.closed)
    await quality.keep(handle, id, written)
    return plan.outcomes
  }

  /** Several trials together, or none of them; what `check` throws of what became of them undoes it all. */
  const writeAll = (
    actor: Actor,
    trials: readonly { id: string; writes: readonly CellWrite[] }[],
    check: (outcomes: readonly Outcome[][]) => void = () => undefined,
  ): Promise<Outcome[][]> =>
    wall
      .for(actor)
      .transaction()
      .execute(async (handle) => {
        // In one order, so that two who write to the same trials never wait for each other.
        const edited = new Set<string>()
        for (const id of trials.map((trial) => trial.id).sort()) {
          const locked = await experiments.lockFor(handle, actor, 'plots.collect', id)
          const of = { owner: locked.created_by, organization: locked.organizacao_id }
          if (!actor.guest && can(actor, 'plots.edit', of).allowed) edited.add(id)
        }
        const outcomes: Outcome[][] = []
        for (const { id, writes } of trials) {
          const before = await sheetWithEntries(handle, id)
          // A sheet that was taken away: what was recorded for it is kept all the same.
          const done = before
            ? writeIn(handle, actor, id, { before, writes, editor: edited.has(id) })
            : aside(handle, id, writes)
          outcomes.push(await done)
        }
        check(outcomes)
        return outcomes
      })
  const write = async (actor: Actor, id: string, writes: readonly CellWrite[]): Promise<Outcome[]> =>
    (await writeAll(actor, [{ id, writes }])).flat()

  const aside = async (handle: Handle, id: string, writes: readonly CellWrite[]): Promise<Outcome[]> => {
    const known = await changesByIds(
      handle,
      id,
      writes.map(({ entry }) => entry.id),
    )
    const met = new Map(known.map((row) => [row.id, row]))
    const plots = await foreignPlots(handle, id, cellsOf(writes.map(({ entry }) => entry)).plots)
    const foreign = ({ id, parcela }: CellWrite['entry']) => !met.has(id) && plots.has(parcela ?? '')
    const fresh = writes.filter(({ entry }, at) => {
      const first = writes.findIndex((other) => other.entry.id === entry.id) === at
      return first && !met.has(entry.id) && !foreign(entry)
    })
    await addChanges(
      handle,
      id,
      fresh.map(({ entry }) => ({ ...entry, fora: false, estado: 'guardado', revisao: null })),
    )
    await quality.keep(handle, id)
    return writes.map(({ entry }) => {
      if (foreign(entry)) return { id: entry.id, estado: 'recusado', atual: NOTHING, razao: FOREIGN_PLOT }
      const row = met.get(entry.id)
      const own = !row || isSame(row, entry)
      const estado = own ? (row?.estado ?? 'guardado') : 'recusado'
      return { id: entry.id, estado, atual: NOTHING, razao: row && own ? decidedOf(row) : null }
    })
  }

  return {
    /** @throws experiment.not_found, permission.denied, share.received */
    writeAll,

    /**
     * What was typed at the desk for variables of words, in the transaction that locked the trial for who edits it.
     * @throws validation.failed where a cell cannot hold it
     */
    async enterIn(
      handle: Handle,
      actor: Actor,
      id: string,
      { before, entries }: { before: StoredSheet; entries: readonly WordEntry[] },
    ): Promise<void> {
      const quando = new Date().toISOString()
      const writes = entries.map(
        (entry): CellWrite => ({
          decide: null,
          entry: {
            ...{ id: randomUUID(), pessoa_id: actor.id, origem: 'mesa', aparelho: null, seq: null },
            ...{ coletor: null, tipo: entry.valor === null ? 'exclusao' : 'valor', ...entry },
            ...{ amostra: null, motivo: null, quando, confirmado: false, extra: null },
          },
        }),
      )
      for (const { estado, razao } of await writeIn(handle, actor, id, { before, writes, editor: true }))
        if (estado !== 'aplicado' && estado !== 'igual')
          throw problem('validation.failed', {
            fields: [{ path: 'celulas', message: razao ?? 'Este valor não cabe aqui' }],
          })
    },

    /** Entries behind a number, and the version of the sheet. */
    async after(actor: Actor, id: string, page: { after: number; limit: number }) {
      const handle = wall.for(actor)
      const rows = await changesAfter(handle, id, page)
      const sheet = await sheetOf(handle, id)
      return { rows, versao: sheet?.versao ?? 0, corpo: sheet?.corpo ?? null }
    },

    last: (actor: Actor, id: string) => lastChange(wall.for(actor), id),

    /** All that a person entered, for the export of their account; with it what others collected by their invitation. */
    async *enteredBy(reader: Reader) {
      const handle = wall.for(reader)
      for (const experimento of await trialsEntered(handle, reader.id)) {
        for (let after = 0; ; ) {
          const page = await changesOfPerson(handle, experimento, {
            ...{ person: reader.id, after, limit: EXPORTED_AT_ONCE },
          })
          for (const { ordem: _, pessoa_id: __, ...entry } of page) yield { experimento, ...entry }
          const last = page.at(-1)
          if (!last) break
          after = last.ordem
        }
      }
    },

    /** What a phone takes along: the sheet, who entered what stands, and what is open. @throws trial.none */
    forField: (actor: Actor, id: string) =>
      wall
        .for(actor)
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (handle) => {
          const stored = await sheetWithEntries(handle, id)
          if (!stored) throw problem('trial.none')
          const marks = [
            ...new Set(stored.valores.flatMap(({ registros }) => registros.flatMap((one) => one ?? []))),
          ]
          const current = await changesByIds(handle, id, marks)
          return {
            sheet: { ...stored.corpo, versao: stored.versao },
            columns: stored.valores,
            current,
            before: await changesByIds(handle, id, [...new Set(current.flatMap(({ base }) => base ?? []))]),
            open: await openChanges(handle, id, 'conflito'),
            last: await lastChange(handle, id),
            blind: (await isBlind(handle, id)) === true,
            blocks: await blocksOf(handle, id),
          }
        }),

    /** The treatments of the sheet, and whether phones get letters for them. @throws trial.none */
    async blindness(actor: Actor, id: string) {
      const handle = wall.for(actor)
      const sheet = await sheetOf(handle, id)
      if (!sheet) throw problem('trial.none')
      const numbers = sheet.corpo.tratamentos.map(({ numero }) => numero)
      const blocks = [...new Set(sheet.corpo.parcelas.flatMap(({ bloco }) => bloco ?? []))]
      const assigned = new Map((await blocksOf(handle, id)).map(({ bloco, quem }) => [bloco, quem]))
      return {
        ...{ blind: (await isBlind(handle, id)) === true, numbers },
        blocks: blocks.sort((a, b) => a - b).map((bloco) => ({ bloco, quem: assigned.get(bloco) ?? null })),
      }
    },
    setCollection: (
      actor: Actor,
      id: string,
      { blind, blocks }: { blind: boolean | undefined; blocks: readonly AssignedBlock[] | undefined },
    ): Promise<void> =>
      wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'plots.edit', id)
          if ((await isBlind(handle, id)) === null) throw problem('trial.none')
          if (blind !== undefined) await setBlind(handle, id, blind)
          if (blocks) await assignBlocks(handle, id, blocks)
        }),

    /** Entries without a place that nobody dealt with. */
    parked: (actor: Actor, id: string) => openChanges(wall.for(actor), id, 'guardado'),

    /** Values that wait for a decision, each with its place and what stands there. */
    async conflicts(actor: Actor, id: string) {
      const handle = wall.for(actor)
      const open = await openChanges(handle, id, 'conflito')
      const sheet = open.length > 0 ? await sheetWithEntries(handle, id) : null
      if (!sheet) return []
      const rows = Map.groupBy(await changesOfCells(handle, id, cellsOf(open)), wholeCell)
      return open.flatMap((row) => {
        const place = standingOf(sheet, rows.get(wholeCell(row)) ?? [], row)
        return place ? [{ row, ...place }] : []
      })
    },

    /**
     * Of two values one stays, as an editor says who saw both.
     * @throws change.settled where it was decided meanwhile, or another value stands
     */
    decide: (
      actor: Actor,
      id: string,
      change: string,
      { ficar, base }: { ficar: 'atual' | 'registro'; base: string | null },
    ): Promise<Outcome | null> =>
      wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'plots.edit', id)
          const [open] = await changesByIds(handle, id, [change])
          if (open?.estado !== 'conflito' || open.encerrado) throw problem('change.settled')
          const before = await sheetWithEntries(handle, id)
          if (!before) throw problem('trial.none')
          const rows = (await changesOfCells(handle, id, cellsOf([open]))).filter(
            (row) => wholeCell(row) === wholeCell(open),
          )
          const held = standingOf(before, rows, open)
          if (!held || held.atual.id !== base)
            throw problem('change.settled', {
              detail: 'Outro valor vale agora nesta célula. Confira de novo.',
            })
          const { valor, motivo } = ficar === 'atual' ? held.atual : open
          const entry: CellWrite['entry'] = {
            ...{ id: randomUUID(), pessoa_id: actor.id, origem: 'mesa', aparelho: null, seq: null },
            ...{ coletor: null, tipo: 'decisao', parcela: open.parcela, variavel: open.variavel },
            ...{ avaliacao: open.avaliacao, amostra: open.amostra, valor, motivo, base },
            ...{ quando: new Date().toISOString(), confirmado: false, extra: null },
          }
          const [outcome] = await writeIn(handle, actor, id, {
            ...{ before, writes: [{ decide: [change], entry }], editor: true },
          })
          return placed(outcome, 'ficar')
        }),

    /** Puts an entry without a place where an editor says, or ends it. @throws change.settled */
    settle: (actor: Actor, id: string, change: string, to: Place | null): Promise<Outcome | null> =>
      wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'plots.edit', id)
          const [kept] = await changesByIds(handle, id, [change])
          if (kept?.estado !== 'guardado' || kept.encerrado) throw problem('change.settled')
          await closeChanges(handle, id, [change])
          if (!to) {
            await quality.keep(handle, id)
            return null
          }
          // What a newer application made says nothing that could be put anywhere.
          if (kept.tipo === 'valor' && kept.valor === null)
            throw problem('validation.failed', {
              fields: [{ path: 'parcela', message: 'Este registro não tem um valor que se possa colocar' }],
            })
          const before = await sheetWithEntries(handle, id)
          if (!before) throw problem('trial.none')
          const [outcome] = await writeIn(handle, actor, id, {
            ...{ before, writes: [placedAt(actor, kept, to)], editor: true },
          })
          return placed(outcome, 'parcela')
        }),

    /** One as it is written down. */
    entry: async (handle: Handle, id: string, entry: string): Promise<StoredChange | undefined> =>
      (await changesByIds(handle, id, [entry]))[0],

    /** A photo that who took it has taken back. */
    isTakenBack,

    /** A number of the device stands for another entry already: two profiles send under one id. */
    async usedTwice(actor: Actor, device: string, writes: readonly CellWrite[]): Promise<boolean> {
      const ids = new Map(writes.map(({ entry }) => [entry.seq, entry.id]))
      const seqs = writes.flatMap(({ entry }) => entry.seq ?? [])
      if (seqs.length === 0) return false
      const used = await entriesOfDevice(wall.for(actor), { person: actor.id, device, seqs })
      return (
        used.some(({ id, seq }) => ids.get(seq) !== id) ||
        ids.size < new Set(writes.map(({ entry }) => entry.id)).size
      )
    },

    /** Of who took the trial along and has no right to it now. @returns ids that were kept */
    async keepWithoutRight(
      actor: Actor,
      id: string,
      { device, writes }: { device: string; writes: readonly CellWrite[] },
    ): Promise<ReadonlyMap<string, Pick<Outcome, 'estado' | 'razao'>>> {
      const changes = writes.map(
        ({ entry }): NewChange => ({ ...entry, fora: false, estado: 'guardado', revisao: null }),
      )
      const kept = await keepWithoutRight(wall.for(actor), id, { device, changes })
      return new Map(kept.map((row) => [row.id, { estado: row.estado, razao: decidedOf(row) }]))
    },

    /** One that what follows from it refuses, as a mean out of all bounds, never holds the others. */
    async writeEach(actor: Actor, id: string, writes: readonly CellWrite[]): Promise<Outcome[]> {
      try {
        return await write(actor, id, writes)
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'validation.failed')) throw error
        const outcomes: Outcome[] = []
        for (const one of writes) outcomes.push(...(await writeOrKeep(actor, id, one)))
        return outcomes
      }
    },
  }

  async function writeOrKeep(actor: Actor, id: string, one: CellWrite): Promise<Outcome[]> {
    try {
      return await write(actor, id, [one])
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'validation.failed')) throw error
      return wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'plots.collect', id)
          return aside(handle, id, [one])
        })
    }
  }
}
/** The cells that entries are of. */
const cellsOf = (entries: readonly { parcela: string | null; variavel: string | null }[]) => ({
  plots: [...new Set(entries.flatMap(({ parcela }) => parcela ?? []))],
  variables: [...new Set(entries.flatMap(({ variavel }) => variavel ?? []))],
})
/** What an editor put somewhere; without a place again, nothing is done at all. @throws validation.failed */
function placed(outcome: Outcome | undefined, path: string): Outcome | null {
  if (outcome?.estado === 'guardado' || outcome?.estado === 'recusado')
    throw problem('validation.failed', {
      fields: [{ path, message: outcome.razao ?? 'Este valor não cabe aqui' }],
    })
  return outcome ?? null
}
type Place = Record<'variavel' | 'avaliacao' | 'base', string | null> & { parcela: string }

/** What an entry is in another place: a decision decides nothing there. */
const kindThere = ({ tipo, valor, motivo }: StoredChange): StoredChange['tipo'] => {
  if (tipo !== 'decisao') return tipo
  if (valor !== null) return 'valor'
  return motivo === null ? 'exclusao' : 'sem_valor'
}

/** It stays whose it was, and of when it was; who put it there is noted. */
const placedAt = (actor: Actor, kept: StoredChange, to: Place): CellWrite => ({
  decide: null,
  entry: {
    ...{ id: randomUUID(), pessoa_id: kept.pessoa_id ?? actor.id, origem: 'mesa', aparelho: null, seq: null },
    ...{ coletor: kept.coletor, tipo: kindThere(kept), ...to, amostra: kept.amostra },
    ...{ valor: kept.valor, motivo: kept.motivo, quando: kept.quando.toISOString() },
    ...{ confirmado: kept.confirmado, extra: { de: kept.id, colocado_por: actor.id } },
  },
})

export type CellWrites = ReturnType<typeof createCellWrites>
export type TakenSheet = Awaited<ReturnType<CellWrites['forField']>>
export type OpenCell = Awaited<ReturnType<CellWrites['conflicts']>>[number]
