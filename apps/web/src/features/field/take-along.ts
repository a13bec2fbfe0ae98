import type { FieldPackageSize } from '@ensaio/domain'
import { useState } from 'react'
import { askField, type FieldAnswer } from '../../api/field-client.ts'
import type { Owned } from '../../field-store/database.ts'
import { field } from './field.ts'

const LITTLE_ROOM = 50_000_000

export interface Offered {
  id: string
  nome: string
  lugar: string
  organizacao: string
  pode: boolean
}
type Found =
  | { kind: 'ok'; trials: Offered[] }
  | { kind: 'none' | 'signed-out' }
  | { kind: 'refused'; detail: string }

const isList = (name: string) => (given: unknown) =>
  Array.isArray((given as Record<string, unknown> | null)?.[name])

/** The organisations in whose names the person may act; one empty name where there is one for everybody. */
export async function organizations(token: string): Promise<FieldAnswer<string[]>> {
  const settings = await askField('settings', {}, { token, organization: null }, () => true)
  if (settings.kind !== 'ok') return settings
  if (settings.body.organizacoes === 'uma') return { kind: 'ok', body: [''] }
  const own = await askField('listOrganizations', {}, { token, organization: null }, isList('organizacoes'))
  return own.kind === 'ok' ? { kind: 'ok', body: own.body.organizacoes.map(({ id }) => id) } : own
}

/** Trials that can be taken along, of each organisation of the person; never a received one. */
export async function findTrials(search: string): Promise<Found> {
  const found: Offered[] = []
  const answer = await field.ask(async (token) => {
    const names = await organizations(token)
    if (names.kind !== 'ok') return names
    for (const organization of names.body) {
      const page = await askField(
        'listExperiments',
        { query: { limit: 30, dados: 'parcelas', ...(search ? { busca: search } : {}) } },
        { token, organization: organization === '' ? null : organization },
        isList('experimentos'),
      )
      if (page.kind !== 'ok') return page
      const team = await askField(
        'myFieldTrials',
        {},
        { token, organization: organization === '' ? null : organization },
        isList('experimentos'),
      )
      const mine = new Set(team.kind === 'ok' ? team.body.experimentos : [])
      for (const one of page.body.experimentos)
        if (one.relacao === 'propria')
          found.push({
            ...{ id: one.id, nome: one.nome, lugar: `${one.cidade}/${one.estado}` },
            ...{ organizacao: organization, pode: one.permissoes.editar || mine.has(one.id) },
          })
    }
    return { kind: 'ok' as const, body: found }
  })
  if (answer.kind === 'ok') return { kind: 'ok', trials: answer.body }
  return answer.kind === 'refused' ? { kind: 'refused', detail: answer.detail } : { kind: answer.kind }
}

/** In whose name a trial can be taken that an address names. */
export async function ownerOf(id: string): Promise<string | null> {
  const guest = field.state().person?.guest
  if (guest) return guest.organizacao
  const answer = await field.ask(async (token) => {
    const names = await organizations(token)
    if (names.kind !== 'ok') return names
    for (const organization of names.body) {
      const one = await askField(
        'getExperiment',
        { params: { id } },
        { token, organization: organization === '' ? null : organization },
        (given) => typeof (given as { experimento?: unknown } | null)?.experimento === 'object',
      )
      if (one.kind === 'ok' && one.body.experimento.relacao === 'propria')
        return { kind: 'ok' as const, body: organization }
      if (one.kind === 'none' || (one.kind === 'refused' && one.status === 401)) return one
    }
    return { kind: 'none' as const }
  })
  return answer.kind === 'ok' ? answer.body : null
}

/** What would come along, and how big it is on its way; null where the server does not say. */
export async function sizeOf(id: string, organization: string): Promise<FieldPackageSize | null> {
  const answer = await field.ask((token) =>
    askField(
      'fieldPackageSize',
      { params: { id } },
      { token, organization: organization === '' ? null : organization },
      (given) => typeof (given as { bytes?: unknown } | null)?.bytes === 'number',
    ),
  )
  return answer.kind === 'ok' ? answer.body : null
}

/** How much room there is left, where it is little; null where there is enough, or nobody knows. */
export async function littleRoom(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
  if (quota === undefined || usage === undefined) return null
  return quota - usage < LITTLE_ROOM ? quota - usage : null
}

type Going = { part: number | null; error: string | null }

/** Takes a trial along: how far it is, and what went wrong. */
export function useTaking(): [Going, (owned: Omit<Owned, 'pessoa'>) => Promise<boolean>] {
  const [going, setGoing] = useState<Going>({ part: null, error: null })
  const take = async (owned: Omit<Owned, 'pessoa'>) => {
    const { person } = field.state()
    if (!person) return false
    setGoing({ part: 0, error: null })
    const outcome = await field.take({ ...owned, pessoa: person.id }, (part) =>
      setGoing({ part, error: null }),
    )
    const error =
      outcome.kind === 'refused'
        ? outcome.detail
        : outcome.kind === 'cut'
          ? 'A transferência parou e continua de onde parou. Tente de novo com internet.'
          : outcome.kind === 'signed-out'
            ? 'Entre de novo para levar o ensaio.'
            : null
    setGoing({ part: null, error })
    return outcome.kind === 'taken'
  }
  return [going, take]
}
