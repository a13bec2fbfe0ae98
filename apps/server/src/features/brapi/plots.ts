import {
  type Column,
  eventsOf,
  placeOfPhone,
  plotRange,
  presentObservation,
  relationsOf,
  type Study,
  unitPresenter,
} from '@ensaio/domain/brapi'
import { validate as isUuid } from 'uuid'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { type Asked, onPage, passes, studiesFor } from './asked.ts'
import {
  plotRows,
  plotsBetween,
  treatmentRows,
  unitPage,
  type ValueFilter,
  type ValueRow,
  valuePage,
} from './brapi.repository.ts'
import type { Found } from './cores.ts'
import { isAnyPlot, isLevel } from './levels.ts'
import { columnsByStudy, plantedOf, type World } from './world.ts'

/** A study holds at most so many values. */
const MOST = 100_000
const LEVEL = 'observationUnitLevel'
const RELATION = 'observationUnitLevelRelationship'
const OWN = /^observation(Unit|Variable)?(DbId|Name)$/
const NUMBER = /^\d{1,6}$/

interface Narrowed {
  studies: Study[]
  ids: string[] | null
  names: number[] | null
  columns: Map<string, Column[]>
  /** Columns by which values are narrowed. */
  wanted: { experimento_id: string; variavel: string; avaliacao: string | null }[] | null
}

/** Plots and their values. */
export function plotLists(namesOf: AccountsFeature['namesOf']) {
  /** Which studies, plots and columns are asked for; null where nothing can be. */
  const narrow = async (world: World, asked: Asked): Promise<Narrowed | null> => {
    const { filters } = asked
    const first = (name: string) => filters.get(name)
    if (
      first(`${LEVEL}Name`)?.every((name) => name !== 'plot') ||
      first('observationLevel')?.every((name) => name !== 'plot')
    )
      return null
    if (first(`${LEVEL}Order`)?.every((order) => order !== '3' && order !== '4')) return null
    const unknown = [...filters.keys()].find(
      (name) => /^externalReference|PUI$/.test(name) || (OWN.test(name) && first(name)?.length === 0),
    )
    if (unknown) return null
    let studies = studiesFor(world.studies, asked)
    const sheets = await world.sheets(studies.map(({ id }) => id))
    studies = studies.filter(({ id }) => sheets.has(id))
    const columns = columnsByStudy(sheets)
    const [byId, byName] = [first('observationVariableDbId'), first('observationVariableName')]
    const fits = ({ id, name }: Column) => (!byId || byId.includes(id)) && (!byName || byName.includes(name))
    let wanted: Narrowed['wanted'] = null
    if (byId || byName) {
      wanted = studies.flatMap((study) =>
        (columns.get(study.id) ?? []).filter(fits).map(({ variable, date }) => ({
          ...{ experimento_id: study.id, variavel: variable.chave, avaliacao: date?.chave ?? null },
        })),
      )
      const having = new Set(wanted.map(({ experimento_id }) => experimento_id))
      studies = studies.filter(({ id }) => having.has(id))
    }
    const given = first('observationUnitDbId')
    let ids = given ? given.filter((id) => isUuid(id)) : null
    const numbers = [first('observationUnitName'), first(`${LEVEL}Code`)].filter((list) => list !== undefined)
    const names = numbers.length === 0 ? null : numbers.reduce((a, b) => a.filter((one) => b.includes(one)))
    const [name, order, code, unit] = ['Name', 'Order', 'Code', 'DbId'].map((of) => first(`${RELATION}${of}`))
    const { own: level = null, related: around = null } = asked.levels ?? {}
    const own = level?.some(isAnyPlot) ? null : level
    if (name || order || code || unit || own || around) {
      const planted = await plotRows(
        world.handle,
        studies.map(({ id }) => id),
      )
      const byStudy = new Map(studies.map((study) => [study.id, study]))
      const related = planted.flatMap(({ experimento_id, parcelas }) => {
        const [study, sheet] = [byStudy.get(experimento_id), sheets.get(experimento_id)]
        if (!study || !sheet) return []
        return parcelas
          .filter((plot) => {
            const levels = relationsOf(study, plantedOf(sheet, parcelas), plot)
            return (
              levels.some(
                (one) =>
                  (!name || name.includes(one.levelName)) &&
                  (!order || order.includes(String(one.levelOrder))) &&
                  (!code || code.includes(one.levelCode)) &&
                  (!unit || unit.includes(one.observationUnitDbId ?? '')),
              ) &&
              (!around || levels.some((one) => isLevel(one, around))) &&
              // A plot's own level is the last of them.
              (!own || levels.slice(-1).some((one) => isLevel(one, own)))
            )
          })
          .map(({ id }) => id)
      })
      const kept = new Set(related)
      ids = ids === null ? related : ids.filter((id) => kept.has(id))
    }
    return {
      ...{ studies, ids, columns, wanted },
      names: names === null ? null : names.filter((one) => NUMBER.test(one)).map(Number),
    }
  }

  const present = async (
    world: World,
    { studies, columns }: Pick<Narrowed, 'studies' | 'columns'>,
    rows: readonly ValueRow[],
  ) => {
    const byId = new Map(studies.map((study) => [study.id, study]))
    const people = await namesOf(world.handle, [...new Set(rows.flatMap(({ pessoa_id }) => pessoa_id ?? []))])
    return rows.flatMap((row) => {
      const study = byId.get(row.experimento_id)
      const column = columns
        .get(row.experimento_id)
        ?.find(
          ({ variable, date }) => variable.chave === row.variavel && (date?.chave ?? null) === row.avaliacao,
        )
      if (!study || !column) return []
      const author = row.pessoa_id === null ? null : (people.get(row.pessoa_id) ?? null)
      return [
        presentObservation(
          {
            ...{ valor: row.valor, texto: row.texto, quando: row.quando },
            ...{
              coletor: row.coletor ?? author,
              conta: row.pessoa_id,
              externo: row.extra?.referencias ?? [],
              hora_suspeita: row.extra?.hora_suspeita === true,
              fora: row.fora === true,
              lugar: row.extra?.lugar ?? placeOfPhone(row.extra?.posicao),
            },
          },
          { study, plot: { id: row.parcela, numero: row.numero }, column },
        ),
      ]
    })
  }

  /** Values by their own ids: the plots that those are made of, then the columns that fit. */
  const byOwnIds = async (world: World, asked: Asked, ids: readonly string[]): Promise<Found> => {
    const real = [...new Set(ids.filter((id) => isUuid(id)))]
    const plots = await plotsBetween(world.handle, real.map(plotRange))
    const narrowed = await narrow(world, {
      ...asked,
      filters: new Map([...asked.filters].filter(([name]) => name !== 'observationDbId')),
    })
    if (!narrowed) return { rows: [], total: 0 }
    const { rows } = await valuePage(world.handle, {
      ...{ studies: narrowed.studies.map(({ id }) => id), plots: plots.map(({ id }) => id) },
      ...{ columns: narrowed.wanted, ...timesOf(asked), offset: 0, limit: MOST },
    })
    const wanted = new Set(real)
    const found = (await present(world, narrowed, rows)).filter(({ observationDbId }) =>
      wanted.has(observationDbId),
    )
    return { rows: onPage(found, asked), total: found.length }
  }

  const observations = async (world: World, asked: Asked): Promise<Found> => {
    const own = asked.filters.get('observationDbId')
    if (own) return byOwnIds(world, asked, own)
    const narrowed = await narrow(world, ofPlots(asked))
    if (!narrowed) return { rows: [], total: 0 }
    const studies = narrowed.studies.map(({ id }) => id)
    let plots = narrowed.ids
    if (narrowed.names !== null) {
      const { rows } = await unitPage(world.handle, {
        ...{ studies, ids: plots, names: narrowed.names, offset: 0, limit: MOST },
      })
      plots = rows.map(({ id }) => id)
    }
    const { total, rows } = await valuePage(world.handle, {
      ...{ studies, plots, columns: narrowed.wanted, ...timesOf(asked) },
      ...referencesOf(asked),
      ...{ offset: asked.page * asked.size, limit: asked.size },
    })
    return { total, rows: await present(world, narrowed, rows) }
  }

  /** @param byValues what is asked is asked of their values, too */
  const units = async (world: World, asked: Asked, withValues: boolean, byValues = false) => {
    const narrowed = await narrow(world, byValues ? ofPlots(asked) : asked)
    if (!narrowed) return { rows: [], total: 0 }
    const { studies, ids, names } = narrowed
    const page = await unitPage(world.handle, {
      ...{ studies: studies.map(({ id }) => id), ids, names },
      ...{ offset: asked.page * asked.size, limit: asked.size },
    })
    const shown = [...new Set(page.rows.map(({ experimento_id }) => experimento_id))]
    const sheets = await world.sheets(shown)
    const plots = new Map(
      (await plotRows(world.handle, shown)).map((row) => [row.experimento_id, row.parcelas]),
    )
    const made = new Map(
      (await treatmentRows(world.handle, shown)).map((row) => [row.experimento_id, row.tratamentos]),
    )
    const byStudy = new Map(studies.map((study) => [study.id, study]))
    const tellers = new Map(
      shown.flatMap((id) => {
        const [study, sheet, parcelas] = [byStudy.get(id), sheets.get(id), plots.get(id)]
        if (!study || !sheet || !parcelas) return []
        const byId = new Map(parcelas.map((plot) => [plot.id, plot]))
        return [
          [
            id,
            { tell: unitPresenter(study, plantedOf(sheet, parcelas), made.get(id) ?? [], world.told), byId },
          ],
        ]
      }),
    )
    const rows = page.rows.flatMap(({ id, experimento_id }) => {
      const teller = tellers.get(experimento_id)
      const plot = teller?.byId.get(id)
      return teller && plot ? [teller.tell(plot)] : []
    })
    if (!withValues) return { rows, total: page.total }
    const values = await valuePage(world.handle, {
      ...{ studies: shown, plots: page.rows.map(({ id }) => id), columns: narrowed.wanted },
      ...{ ...timesOf(asked), ...(byValues && referencesOf(asked)), offset: 0, limit: MOST },
    })
    const own = asked.filters.get('observationDbId')
    const told = (await present(world, narrowed, values.rows)).filter(
      ({ observationDbId }) => !own || own.includes(observationDbId),
    )
    const byUnit = Map.groupBy(told, (one) => one.observationUnitDbId)
    return {
      total: page.total,
      rows: rows.map((row) => ({ ...row, observations: byUnit.get(row.observationUnitDbId) ?? [] })),
    }
  }

  /** What was applied on which day; of trials whose sheets tell of none nothing more is read. */
  const events = async (world: World, asked: Asked): Promise<Found> => {
    const chosen = studiesFor(world.studies, asked)
    const sheets = await world.sheets(chosen.map(({ id }) => id))
    const dated = chosen.filter(({ id }) => sheets.get(id)?.registro?.aplicacoes.some(({ data }) => data))
    const ids = dated.map(({ id }) => id)
    const plots = new Map(
      (await plotRows(world.handle, ids)).map((row) => [row.experimento_id, row.parcelas]),
    )
    const made = new Map(
      (await treatmentRows(world.handle, ids)).map((row) => [row.experimento_id, row.tratamentos]),
    )
    const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] = ['Start', 'End'].map((end) => {
      const [given] = asked.filters.get(`dateRange${end}`) ?? []
      return given === undefined ? undefined : Date.parse(given)
    })
    const found = dated
      .flatMap((study) => {
        const sheet = sheets.get(study.id)
        if (!sheet) return []
        const planted = { ...plantedOf(sheet, plots.get(study.id) ?? []), registro: sheet.registro }
        return eventsOf(study, planted, made.get(study.id) ?? [], world.told)
      })
      .filter((event) => {
        const at = Date.parse(event.date[0] ?? '')
        const record = { ...event, observationUnitDbId: event.observationUnitDbIds }
        return at >= from && at <= to && passes(record, asked, ['dateRangeStart', 'dateRangeEnd'])
      })
    return { rows: onPage(found, asked), total: found.length }
  }

  return {
    observations,
    units,
    events,

    /** Values as a table: a row for each plot, and for each time where those are asked for. */
    async table(world: World, asked: Asked, timed: boolean) {
      const all = { ...asked, page: 0, size: MOST }
      const found = await units(world, all, true, timed)
      const narrowed = await narrow(world, timed ? ofPlots(asked) : asked)
      const columns = (narrowed?.studies ?? []).flatMap((study) =>
        (narrowed?.columns.get(study.id) ?? []).filter(
          ({ variable, date }) =>
            !narrowed?.wanted ||
            narrowed.wanted.some(
              (one) =>
                one.experimento_id === study.id &&
                one.variavel === variable.chave &&
                one.avaliacao === (date?.chave ?? null),
            ),
        ),
      )
      const years = new Map((narrowed?.studies ?? []).map((study) => [study.id, String(study.ano)]))
      const data = found.rows.flatMap((unit) => {
        const held = Map.groupBy(unit.observations ?? [], (one) =>
          timed ? (one.observationTimeStamp ?? '') : '',
        )
        if (!timed && held.size === 0) held.set('', [])
        const level = (name: string) =>
          unit.observationUnitPosition.observationLevelRelationships.find(
            ({ levelName }) => levelName === name,
          )?.levelCode ?? ''
        return [...held].map(([time, values]) => [
          ...(timed ? [time] : []),
          ...[unit.observationUnitDbId, unit.observationUnitName, unit.studyDbId, unit.studyName],
          ...[unit.germplasmDbId ?? '', unit.germplasmName ?? ''],
          unit.observationUnitPosition.positionCoordinateX ?? '',
          unit.observationUnitPosition.positionCoordinateY ?? '',
          ...[years.get(unit.studyDbId) ?? '', level('plot'), level('block'), level('rep')],
          ...columns.map(
            ({ id }) =>
              values.find(({ observationVariableDbId }) => observationVariableDbId === id)?.value ?? '',
          ),
        ])
      })
      return {
        headerRow: [
          ...(timed ? ['observationTimeStamp'] : []),
          ...['observationUnitDbId', 'observationUnitName', 'studyDbId', 'studyName', 'germplasmDbId'],
          ...['germplasmName', 'positionCoordinateX', 'positionCoordinateY', 'year', 'plot', 'block', 'rep'],
        ],
        observationVariables: columns.map(({ id, name }) => ({
          ...{ observationVariableDbId: id, observationVariableName: name },
        })),
        data,
      }
    },
  }
}

/** Values have references of their own, plots have none. */
const ofPlots = (asked: Asked): Asked => ({
  ...asked,
  filters: new Map([...asked.filters].filter(([name]) => !/^externalReference/.test(name))),
})

function referencesOf({ filters }: Asked): Pick<ValueFilter, 'references'> {
  const ids = filters.get('externalReferenceId') ?? filters.get('externalReferenceID') ?? null
  const sources = filters.get('externalReferenceSource') ?? null
  return ids || sources ? { references: { ids, sources } } : {}
}

function timesOf({ filters }: Asked): { from: string | null; to: string | null } {
  const [from = null, to = null] = ['Start', 'End'].map((end) => {
    const given = filters.get(`observationTimeStampRange${end}`)?.[0]
    const time = given === undefined ? Number.NaN : Date.parse(given)
    return Number.isNaN(time) ? null : new Date(time).toISOString()
  })
  return { from, to }
}
