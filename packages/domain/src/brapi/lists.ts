import { BLANK } from './blank.ts'
import type { Study, Told } from './studies.ts'

/** What a list is told of without what it holds. */
interface ListHead {
  id: string
  name: string
  description: string
  type: 'studies' | 'observationUnits'
  size: number
  created: Date
  modified: Date | null
}

export const presentList = ({ id, name, description, type, size, created, modified }: ListHead) => ({
  ...BLANK.list,
  dateCreated: created.toISOString(),
  dateModified: modified?.toISOString() ?? null,
  listDbId: id,
  listDescription: description,
  listName: name,
  listSize: size,
  listSource: 'Ensaio',
  listType: type,
})

/** The plots of a study, as a list of its own. */
export const plotList = (study: Study, plots: number, { idOf }: Told) =>
  presentList({
    ...{ id: idOf('lista', study.id), name: `Parcelas · ${study.studyName}`, type: 'observationUnits' },
    ...{ description: 'Parcelas de um ensaio', size: plots },
    ...{ created: study.created_at, modified: study.updated_at },
  })
