import { problem } from '@ensaio/domain'
import {
  type Column,
  observationId,
  plotRange,
  presentObservation,
  type Status,
  type Study,
} from '@ensaio/domain/brapi'
import { validate as isUuid, v5 as uuidOf } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { TAKEN } from '../trials/cell-plan.ts'
import type { CellWrite, Outcome, Trials } from '../trials/trials.service.ts'
import { plotsBetween, unitPage } from './brapi.repository.ts'
import { BrapiError } from './brapi-error.ts'
import { type Given, readGiven, readValue } from './given.ts'
import type { BrapiLists } from './lists.ts'
import { columnsByStudy, type World } from './world.ts'

const MOST_RECORDS = 5_000
/** Of ids of what other applications send: the same record sent again has the same. */
const NAMESPACE = '0a3f3a86-54c4-5d2e-8a55-9d1f4b0f7a10'
const AHEAD_MS = 48 * 3_600_000

interface Placed {
  /** Its place in what was sent. */
  at: number
  given: Given
  study: Study
  plot: { id: string; numero: number }
  column: Column
  write: CellWrite
}

/** Values that other applications bring, through the one place where values of plots are written. */
export function createWriter({
  handleOf,
  worldOf,
  lists,
  trials,
  namesOf,
}: {
  handleOf(actor: Actor): Handle
  worldOf(actor: Actor, around: readonly string[]): Promise<World>
  lists: BrapiLists
  trials: Trials
  namesOf: AccountsFeature['namesOf']
}) {
  /** All or nothing: what is wrong with the first one that is wrong is told, and nothing is stored. */
  const store = async (
    actor: Actor,
    records: readonly { given: Given; id: string | null }[],
    /** Each names the record that it changes; alone: the address does. */
    { named, alone = false }: { named: boolean; alone?: boolean },
  ) => {
    if (records.length > MOST_RECORDS)
      throw new BrapiError(413, `Envie no máximo ${MOST_RECORDS.toLocaleString('pt-BR')} registros por vez`)
    const plots = await plotsOf(handleOf(actor), records)
    const trialsOf = [...new Set([...plots.values()].flat().map((plot) => plot.experimento_id))]
    const world = await worldOf(actor, trialsOf)
    const sheets = await world.sheets(trialsOf)
    const columns = columnsByStudy(sheets)
    const studies = new Map(world.studies.map((study) => [study.id, study]))
    const placed = records.map(({ given, id }, at): Placed => {
      const wrong = (sentence: string, plot?: { numero: number }, column?: Column) =>
        wrongRecord(at, sentence, plot?.numero ?? given.unit, column?.name ?? given.variable)
      const candidates = (plots.get(id ?? given.unit ?? '') ?? []).filter(({ experimento_id }) =>
        studies.has(experimento_id),
      )
      for (const plot of candidates) {
        const study = studies.get(plot.experimento_id)
        const column = columns
          .get(plot.experimento_id)
          ?.find((one) =>
            id === null
              ? one.id === given.variable
              : observationId(plot.id, one.variable.id, one.date?.id ?? null) === id,
          )
        if (!study || !column) continue
        if (given.fault !== null) throw wrong(given.fault, plot, column)
        if (given.study !== null && given.study !== study.id)
          throw wrong('A parcela não é deste ensaio', plot, column)
        if (id !== null && given.unit !== null && given.unit !== plot.id)
          throw wrong('A parcela não é a deste registro', plot, column)
        if (id !== null && given.variable !== null && given.variable !== column.id)
          throw wrong('A variável não é a deste registro', plot, column)
        const read = readValue(column.variable, given.value)
        if ('wrong' in read) throw wrong(read.wrong, plot, column)
        const write = writeOf(actor, { given, id, plot, column, read, named })
        return { at, given, study, plot, column, write }
      }
      if (alone) throw problem('request.not_found')
      throw wrong(
        given.fault ?? (candidates.length === 0 ? 'A parcela não existe' : 'A variável não é deste ensaio'),
        candidates[0],
      )
    })
    const byTrial = Map.groupBy(placed, ({ study }) => study.id)
    const order = [...byTrial.values()].flat()
    const outcomes = await trials.cells.writeAll(
      actor,
      [...byTrial].map(([id, items]) => ({ id, writes: items.map(({ write }) => write) })),
      (done) => {
        const refused = done.flat().findIndex(({ estado }) => estado === 'recusado')
        const item = order[refused]
        if (item) throw wrongRecord(item.at, TAKEN, item.plot.numero, item.column.name)
      },
    )
    return told(world, placed, order, outcomes.flat())
  }

  const told = async (
    world: World,
    placed: readonly Placed[],
    order: readonly Placed[],
    outcomes: readonly Outcome[],
  ) => {
    const people = await namesOf(world.handle, [
      ...new Set(outcomes.flatMap(({ atual }) => atual.pessoa ?? [])),
    ])
    const status: Status[] = []
    const rows = new Map(
      order.map((item, at) => {
        const { given, study, plot, column, write } = item
        const outcome = outcomes[at]
        if (!outcome || outcome.estado === 'recusado' || outcome.estado === 'guardado')
          throw problem('request.conflict')
        const { valor, pessoa, coletor, quando } = outcome.atual
        const author = coletor ?? people.get(pessoa ?? '') ?? null
        const row = presentObservation(
          {
            ...{
              valor: typeof valor === 'string' ? null : valor,
              texto: typeof valor === 'string' ? valor : null,
            },
            ...{ quando: quando === null ? null : new Date(quando), coletor: author, conta: pessoa },
            externo: given.references,
            // Of what was sent now; another's value that stands has its own.
            ...(outcome.atual.id === write.entry.id && {
              hora_suspeita: write.entry.extra?.hora_suspeita === true,
              lugar: given.place,
            }),
          },
          { study, plot, column },
        )
        if (outcome.estado === 'conflito')
          status.push({
            messageType: 'WARNING',
            message: `Conflito na parcela ${plot.numero}, ${column.name}: ficou ${row.value ?? 'sem valor'} de ${author ?? 'outra pessoa'}.`,
          })
        return [item, row]
      }),
    )
    return { rows: placed.map((item) => rows.get(item)), status }
  }

  const plotsOf = async (handle: Handle, records: readonly { given: Given; id: string | null }[]) => {
    const wanted = [...new Set(records.flatMap(({ given, id }) => (id === null ? (given.unit ?? []) : [])))]
    const ranges = records.flatMap(({ id }) => (id !== null && isUuid(id) ? [id] : []))
    const between = await plotsBetween(handle, ranges.map(plotRange))
    const ids = [...wanted.filter((id) => isUuid(id)), ...between.map(({ id }) => id)]
    const { rows } = await unitPage(handle, {
      studies: null,
      ids,
      names: null,
      offset: 0,
      limit: ids.length + 1,
    })
    const byId = new Map(rows.map((row) => [row.id, row]))
    const found = new Map(
      wanted.flatMap((id) => (byId.has(id) ? [[id, [byId.get(id)].flatMap((row) => row ?? [])]] : [])),
    )
    for (const id of ranges) {
      const [from, to] = plotRange(id)
      found.set(
        id,
        rows.filter((row) => row.id >= from && row.id <= to),
      )
    }
    return found
  }

  const listed = (body: unknown): readonly unknown[] => {
    if (!Array.isArray(body)) throw new BrapiError(400, 'O corpo é uma lista de registros')
    return body
  }

  /** Plots that are there already, found by id, name or place; it never makes one. */
  const matchUnits = async (actor: Actor, body: unknown) => {
    const given = listed(body)
    if (given.length > MOST_RECORDS) throw new BrapiError(413, 'Há parcelas demais')
    const idOf = (one: unknown): string => {
      const { observationUnitDbId: id } = (one ?? {}) as { observationUnitDbId?: unknown }
      return typeof id === 'string' && isUuid(id) ? id : ''
    }
    // A plot's own id says of which trial it is.
    const known = await unitPage(handleOf(actor), {
      ...{ studies: null, ids: given.map(idOf).filter((id) => id !== ''), names: null },
      ...{ offset: 0, limit: MOST_RECORDS },
    })
    const trialOf = new Map(known.rows.map(({ id, experimento_id }) => [id, experimento_id]))
    const studyOf = (one: unknown): string =>
      String((one as { studyDbId?: unknown } | null)?.studyDbId ?? trialOf.get(idOf(one)) ?? '')
    const named = given.map(studyOf)
    const world = await worldOf(
      actor,
      [...new Set(named)].filter((id) => isUuid(id)),
    )
    const ofStudy = new Map<string, Awaited<ReturnType<BrapiLists['units']>>>()
    const rows: unknown[] = []
    for (const [at, one] of given.entries()) {
      const unit = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>
      const study = studyOf(one).slice(0, 100)
      if (!ofStudy.has(study)) ofStudy.set(study, await lists.units(world, study))
      const place = (unit.observationUnitPosition ?? {}) as Record<string, unknown>
      const found = ofStudy
        .get(study)
        ?.find(
          (plot) =>
            (unit.observationUnitDbId != null && plot.observationUnitDbId === unit.observationUnitDbId) ||
            (unit.observationUnitDbId == null &&
              (place.positionCoordinateX != null && place.positionCoordinateY != null
                ? plot.observationUnitPosition.positionCoordinateX === String(place.positionCoordinateX) &&
                  plot.observationUnitPosition.positionCoordinateY === String(place.positionCoordinateY)
                : plot.observationUnitName === String(unit.observationUnitName ?? ''))),
        )
      if (!found) throw new BrapiError(400, `Registro ${at + 1}: esta parcela não existe no ensaio`)
      rows.push(found)
    }
    return { rows, status: [] as Status[] }
  }

  return async (
    { method, path, id }: { method: string; path: string; id: string | null },
    actor: Actor,
    body: unknown,
  ): Promise<{ rows: unknown[]; status: Status[] }> => {
    if (path === 'observationunits') return matchUnits(actor, body)
    if (method === 'POST')
      return store(
        actor,
        listed(body).map((one, at) => ({ given: readGiven(one, at), id: null })),
        { named: false },
      )
    if (id !== null) return store(actor, [{ given: readGiven(body, 0), id }], { named: true, alone: true })
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new BrapiError(400, 'O corpo é um objeto de registros por identificador')
    const records = Object.entries(body).map(([key, one], at) => ({ given: readGiven(one, at), id: key }))
    return store(actor, records, { named: true })
  }
}

/** The first record that is wrong, by its place among those sent, its plot and its variable. */
const wrongRecord = (at: number, sentence: string, plot: number | string | null, variable: string | null) =>
  new BrapiError(400, `Registro ${at + 1} (${plot ?? '?'}, ${variable ?? '?'}): ${sentence}`)

function writeOf(
  actor: Actor,
  {
    given,
    id,
    plot,
    column,
    read,
    named,
  }: {
    given: Given
    id: string | null
    plot: { id: string }
    column: Column
    read: { valor: number | string | null; motivo: string | null }
    named: boolean
  },
): CellWrite {
  const device = uuidOf(JSON.stringify([actor.id, given.device]), NAMESPACE)
  const now = Date.now()
  const time = given.time ?? now
  const same =
    given.upload !== null && id === null
      ? ['envio', given.upload, given.device]
      : [id ?? 'novo', plot.id, column.id, time, read.valor, read.motivo]
  return {
    decide: null,
    unbased: { named },
    entry: {
      id: uuidOf(JSON.stringify([actor.id, ...same]), NAMESPACE),
      ...{ pessoa_id: actor.id, origem: 'brapi', aparelho: device, seq: null },
      coletor: given.collector !== null && given.collector !== actor.name ? given.collector : null,
      tipo: read.motivo !== null ? 'sem_valor' : read.valor === null ? 'exclusao' : 'valor',
      ...{
        parcela: plot.id,
        variavel: column.variable.id,
        avaliacao: column.date?.id ?? null,
        amostra: null,
      },
      ...{ valor: read.valor, motivo: read.motivo, base: null, quando: new Date(time).toISOString() },
      confirmado: false,
      extra: {
        ...(given.references.length > 0 && { referencias: given.references }),
        ...(given.place && { lugar: given.place }),
        ...(time - now > AHEAD_MS && { hora_suspeita: true }),
      },
    },
  }
}
