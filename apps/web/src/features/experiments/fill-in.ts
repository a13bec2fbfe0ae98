import {
  type EXPERIMENT_FIELDS,
  ExperimentInput,
  ExperimentUpdate,
  formatNumber,
  type IncompleteExperiment,
  type Lack,
  labelWithUnit,
} from '@ensaio/domain'
import { ApiError, call } from '../../api/client.ts'

/** What can be filled in in the list itself, each with the lack that it ends. */
export const FILLED = {
  teor_argila: 'teor_argila',
  teor_materia_organica: 'teor_materia_organica',
  cultivar: 'cultivar',
  latitude: 'coordenadas',
  longitude: 'coordenadas',
} as const satisfies Partial<Record<keyof typeof EXPERIMENT_FIELDS, Lack>>
export type FilledKey = keyof typeof FILLED
export const FILLED_KEYS = Object.keys(FILLED) as FilledKey[]

/** Typed and not saved yet; `undefined` in a number's place: what stands there is none. */
export type Draft = { [K in FilledKey]?: (K extends 'cultivar' ? string : number) | null | undefined }
export type Mistakes = Partial<Record<FilledKey, string>>

export const lacksField = ({ faltas }: IncompleteExperiment, key: FilledKey): boolean =>
  faltas.includes(FILLED[key])

export const isCoordinate = (key: FilledKey): boolean => key === 'latitude' || key === 'longitude'

/** What the field's own rule says of what was typed. */
export function mistakeIn(key: FilledKey, draft: Draft): string | undefined {
  if (!(key in draft)) return undefined
  const value = draft[key]
  if (value === undefined) return 'Informe um número'
  return ExperimentInput.shape[key].safeParse(value).error?.issues[0]?.message
}

/** A trial changed by somebody else meanwhile: who, and what stands now where something was typed. */
export class ChangedMeanwhile extends Error {
  readonly versao: number
  constructor(message: string, versao: number) {
    super(message)
    this.versao = versao
  }
}

const shown = (value: unknown) => (typeof value === 'number' ? formatNumber(value, 6) : String(value))

/**
 * Puts what was typed into the trial as it stands, from the version that was seen.
 * @throws ChangedMeanwhile where that is not the version that stands; ApiError
 */
export async function fillIn(
  { id, versao }: Pick<IncompleteExperiment, 'id' | 'versao'>,
  draft: Draft,
): Promise<void> {
  const { experimento } = await call('getExperiment', { params: { id } })
  const body = ExperimentUpdate.safeParse({ ...experimento, ...draft, versao })
  if (!body.success)
    throw new ApiError(
      `${body.error.issues[0]?.message ?? 'Valor inválido'}. Abra o experimento para corrigi-lo.`,
    )
  try {
    await call('updateExperiment', { params: { id }, body: body.data })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'experiment.stale') throw error
    throw await changed(id, draft)
  }
}

async function changed(id: string, draft: Draft): Promise<ChangedMeanwhile> {
  const [{ experimento }, { alteracoes }] = await Promise.all([
    call('getExperiment', { params: { id } }),
    call('experimentHistory', { params: { id } }),
  ])
  const theirs = FILLED_KEYS.filter((key) => key in draft && experimento[key] !== null).map(
    (key) => `${labelWithUnit(key)}: ${shown(experimento[key])}`,
  )
  return new ChangedMeanwhile(
    [
      `${alteracoes[0]?.quem ?? 'Outra pessoa'} alterou este experimento depois que você o abriu.`,
      ...(theirs.length > 0 ? [`Está salvo: ${theirs.join('; ')}.`] : []),
      'O que você digitou continua aqui: salve de novo para gravá-lo.',
    ].join(' '),
    experimento.versao,
  )
}
