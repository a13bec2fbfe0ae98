import { problem, templateKeys } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Workbooks } from '../../jobs/workbooks.ts'
import { shareOf } from '../../places.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { modelChoices, notesOf } from './choices.ts'
import { changeImport, fileOf, insertRows, removeRows, type StoredImport } from './imports.repository.ts'
import { CHOSEN, firstTrial, groupRows, knownNames, planFor } from './looking.ts'
import { templateByTitles } from './templates.repository.ts'
import { putTrials, removeTrials, type UnderstoodTrial } from './trials.repository.ts'
import { understander } from './understanding.ts'

/** Work on an import is somebody's for so many seconds; it is renewed at every batch. */
export const LEASE_S = 20

type Planned = Awaited<ReturnType<typeof planFor>>

/** What becomes of a file, step by step: its cells, its columns, its trials. */
export function createStages({
  wall,
  workbooks,
  experiments,
  trials,
  found,
}: {
  wall: Wall
  workbooks: Workbooks
  experiments: Experiments
  trials: Trials
  found(handle: Handle, id: string): Promise<StoredImport>
}) {
  /** Reads the file's cells into the import, and guesses its columns. */
  const read = async (actor: Actor, id: string) => {
    const handle = wall.for(actor)
    const stored = await found(handle, id)
    const bytes = await fileOf(handle, id)
    if (!bytes) throw problem('import.not_found')
    const { rodada } = stored
    const { codificacao, separador } = { ...CHOSEN, ...stored.escolhas }
    await removeTrials(handle, id)
    await removeRows(handle, id)
    let count = 0
    const head = await workbooks.read(bytes, {
      who: shareOf(actor),
      texto: stored.texto,
      ...(codificacao !== null && { codificacao }),
      ...(separador !== null && { separador }),
      async rows(folha, first, rows) {
        const filled = rows.flatMap((celulas, at) =>
          celulas.some((cell) => cell !== null) ? [{ folha, linha: first + at + 1, celulas }] : [],
        )
        if (filled.length > 0) await insertRows(handle, id, filled)
        count += filled.length
        if (!(await changeImport(handle, id, { linhas: count, lease: LEASE_S }, { rodada })))
          throw problem('import.not_found')
      },
    })
    if (count === 0) throw problem('import.empty')
    await changeImport(handle, id, { cabeca: head, linhas: count }, { rodada })
    return guess(actor, id, { titles: true })
  }

  /** Finds out what the columns are; by the titles of a saved model where they are the same. */
  const guess = async (actor: Actor, id: string, { titles }: { titles: boolean }): Promise<Planned> => {
    const handle = wall.for(actor)
    let stored = await found(handle, id)
    const names = await knownNames(handle, actor.organization)
    let plan = await planFor(handle, stored, names)
    if (titles && !stored.escolhas.modelo && plan.linha_titulos > 0) {
      const model =
        (await templateByTitles(handle, templateKeys(plan.mapa))) ??
        (await templateByTitles(
          handle,
          plan.mapa.map(({ titulo }) => titulo),
        ))
      if (model) {
        const escolhas = { ...stored.escolhas, ...modelChoices(model) }
        await changeImport(handle, id, { escolhas })
        stored = await found(handle, id)
        plan = await planFor(handle, stored, names)
      }
    }
    const { plan: _, filled, ...looked } = plan
    if (filled === 0) throw problem('import.empty')
    plan = { ...plan, primeiro: await firstTrial(handle, stored, plan) }
    const plano = { ...looked, primeiro: plan.primeiro ?? null }
    await changeImport(
      handle,
      id,
      { estado: 'colunas', plano, notas: notesOf(stored), problema: null, lease: null },
      { rodada: stored.rodada },
    )
    return plan
  }

  /** Understands every trial anew. */
  const understand = async (actor: Actor, id: string, { plan, filled: _, ...plano }: Planned) => {
    const handle = wall.for(actor)
    const stored = await found(handle, id)
    const { rodada } = stored
    const grouped = await groupRows(handle, stored, { plan, inicio: plano.inicio })
    if (grouped.rows === 0) throw problem('import.empty')
    if (grouped.tooMany)
      throw problem('import.too_large', { detail: 'A planilha passa de 10.000 experimentos' })
    await removeTrials(handle, id)
    const { all } = understander({ experiments, trials, actor, handle, stored, plan })
    let done = 0
    const put = async (batch: readonly UnderstoodTrial[]): Promise<boolean> => {
      await putTrials(handle, id, batch)
      done += batch.length
      return changeImport(handle, id, { entendidos: done, lease: LEASE_S }, { rodada })
    }
    // One batch is stored while the next is understood.
    let storing = Promise.resolve(true)
    try {
      for await (const batch of all(grouped.groups, new Set())) {
        if (!(await storing)) return
        storing = put(batch)
        storing.catch(() => undefined)
      }
    } catch (error) {
      // What is told of the failure is the last word.
      await storing.catch(() => undefined)
      throw error
    }
    if (!(await storing)) return
    await changeImport(
      handle,
      id,
      { estado: 'conferir', plano, linhas: grouped.rows, problema: null, lease: null },
      { rodada },
    )
  }

  return { read, guess, understand }
}
