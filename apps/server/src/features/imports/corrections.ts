import { type Import, type ImportRow, problem } from '@ensaio/domain'
import { columnOf, isTrialField, textOf } from '@ensaio/domain/imports'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { placeIn } from './choices.ts'
import { lockImport, putCells, rowsAt, rowsWith, type StoredImport } from './imports.repository.ts'
import { knownNames, standingPlan } from './looking.ts'
import { presentRow } from './presenter.ts'
import { putTrials, type StoredTrial, trialsByNumber, trialsOfRows } from './trials.repository.ts'
import { understander } from './understanding.ts'

/** Trials with the cells of their rows. */
export async function rowsOf(
  handle: Handle,
  stored: StoredImport,
  of: readonly StoredTrial[],
): Promise<ImportRow[]> {
  const rows = await rowsAt(handle, stored.id, {
    folhas: of.flatMap(({ folhas }) => folhas),
    linhas: of.flatMap(({ linhas }) => linhas),
  })
  return of.map((trial) => presentRow(trial, rows, stored))
}

/** Puts cells right; the trials that they belong to are understood anew. */
export function createCorrections({
  wall,
  experiments,
  trials,
  found,
  permit,
  present,
}: {
  wall: Wall
  experiments: Experiments
  trials: Trials
  found(handle: Handle, id: string): Promise<StoredImport>
  permit(actor: Actor): void
  present(handle: Handle, stored: StoredImport): Promise<Import>
}) {
  return async function correct(
    actor: Actor,
    id: string,
    {
      alteracoes,
      iguais = false,
      mesmo_assim = [],
    }: {
      alteracoes: readonly {
        folha?: string | null | undefined
        linha: number
        coluna: string
        valor: string
      }[]
      iguais?: boolean | undefined
      mesmo_assim?: readonly number[] | undefined
    },
  ): Promise<{ importacao: Import; experimentos: ImportRow[]; anteriores: CellBefore[] }> {
    permit(actor)
    return wall
      .for(actor)
      .transaction()
      .execute(async (transaction) => {
        const locked = await lockImport(transaction, id)
        if (!locked) throw problem('import.not_found')
        const stored = await found(transaction, id)
        const { plano } = stored
        if (!['colunas', 'conferir', 'concluida'].includes(stored.estado) || !plano)
          throw problem('import.written')
        const cells = alteracoes.map((one) => ({ ...one, ...placeIn(stored, one.coluna, one.folha) }))
        const asked: Cell[] = []
        for (const { folha, linha, index, valor } of cells) {
          const from = plano.inicio[folha] ?? 1
          const [row] = await rowsAt(transaction, id, { folhas: [folha], linhas: [linha] })
          if (!row || linha < from)
            throw problem('validation.failed', {
              fields: [{ path: 'alteracoes', message: `A linha ${linha} não tem dados` }],
            })
          const same = iguais
            ? await rowsWith(transaction, id, {
                folha,
                coluna: index,
                valor: row.celulas[index] ?? null,
                from,
              })
            : []
          const told = await besides(transaction, stored, { folha, index, rows: [linha, ...same] })
          for (const at of new Set([...same, ...told]))
            asked.push({ folha, linha: at, coluna: index, valor: valor.trim() || null })
        }
        // What was named itself stands, whatever was named of its trial or of cells that say the same.
        for (const { folha, linha, index, valor } of cells)
          asked.push({ folha, linha, coluna: index, valor: valor.trim() || null })
        const plan = standingPlan(stored, plano, await knownNames(transaction, actor.organization))
        const touched = new Map<number, StoredTrial>()
        const note = (all: readonly StoredTrial[]) => {
          for (const trial of all) if (trial.gravado === null) touched.set(trial.n, trial)
        }
        for (const folha of new Set(asked.map((one) => one.folha))) {
          const linhas = asked.flatMap((one) => (one.folha === folha ? [one.linha] : []))
          note(await trialsOfRows(transaction, id, { folha, linhas }))
        }
        note(
          (await trialsByNumber(transaction, id, mesmo_assim)).map((trial) => ({
            ...trial,
            mesmo_assim: true,
          })),
        )
        const anteriores = await cellsBefore(transaction, stored, asked)
        if (cells.length > 0 && touched.size === 0 && (await allWritten(transaction, id, asked)))
          throw problem('import.written')
        await putCells(transaction, id, asked)
        const { again } = understander({ experiments, trials, actor, handle: transaction, stored, plan })
        await putTrials(transaction, id, await again([...touched.values()]))
        const now = await found(transaction, id)
        const shown = await trialsByNumber(transaction, id, [...touched.keys()].slice(0, 200))
        return {
          importacao: await present(transaction, now),
          experimentos: await rowsOf(transaction, now, shown),
          anteriores,
        }
      })
  }
}

/** Whether every trial of these rows was written: a cell that is put right there changes nothing any more. */
async function allWritten(handle: Handle, id: string, asked: readonly Cell[]): Promise<boolean> {
  const own = await Promise.all(
    [...Map.groupBy(asked, ({ folha }) => folha)].map(([folha, cells]) =>
      trialsOfRows(handle, id, { folha, linhas: cells.map(({ linha }) => linha) }),
    ),
  )
  const trials = own.flat()
  return trials.length > 0 && trials.every(({ gravado }) => gravado !== null)
}

interface CellBefore {
  linha: number
  coluna: string
  valor: string
}
type Cell = { folha: number; linha: number; coluna: number; valor: string | null }

/** What stands in cells that are about to be changed. */
async function cellsBefore(
  handle: Handle,
  { id, plano, cabeca }: StoredImport,
  asked: readonly Cell[],
): Promise<CellBefore[]> {
  const places = [...new Map(asked.map((one) => [`${one.folha} ${one.linha} ${one.coluna}`, one])).values()]
  const rows = await rowsAt(handle, id, {
    folhas: places.map(({ folha }) => folha),
    linhas: places.map(({ linha }) => linha),
  })
  const byRow = new Map(rows.map((row) => [`${row.folha} ${row.linha}`, row]))
  return places.map(({ folha, linha, coluna }) => ({
    linha,
    coluna: columnOf(plano?.forma === 'folhas' ? (cabeca?.folhas[folha]?.nome ?? '') : null, coluna),
    valor: textOf(byRow.get(`${folha} ${linha}`)?.celulas[coluna]),
  }))
}

/** What stands once in a trial is said in all of its rows that say the same. */
async function besides(
  handle: Handle,
  { id, plano }: StoredImport,
  { folha, index, rows }: { folha: number; index: number; rows: readonly number[] },
): Promise<number[]> {
  const column = plano?.colunas.find((one) => one.folha === folha && one.index === index)
  if (!column || !isTrialField(column.campo) || plano?.forma === 'larga') return []
  const trials = await trialsOfRows(handle, id, { folha, linhas: rows })
  const cells = await rowsAt(handle, id, {
    folhas: trials.flatMap(({ folhas }) => folhas),
    linhas: trials.flatMap(({ linhas }) => linhas),
  })
  const texts = new Set(
    cells
      .filter((one) => one.folha === folha && rows.includes(one.linha))
      .map(({ celulas }) => textOf(celulas[index])),
  )
  return cells.flatMap((one) =>
    one.folha === folha && textOf(one.celulas[index]) !== '' && texts.has(textOf(one.celulas[index]))
      ? [one.linha]
      : [],
  )
}
