import type { WithPlots } from './test-plots.ts'
import { ALL, MEMBERS, NOBODYS, type Row, row } from './test-row.ts'
import type { World } from './test-world.ts'

/** Taken along by who may write to it: of what the researcher made, of what others made, of a received one. */
const TAKEN: Record<WithPlots, string> = {
  own: '200 200 200 403 404 404 404 404 401',
  other: '200 200 403 403 404 404 404 404 401',
  shared: '200 200 200 403 403 403 404 404 401',
  open: '200 200 403 403 403 403 404 404 401',
  embargoed: '200 200 200 403 404 404 404 404 401',
  deleted: NOBODYS,
}
/** Who entered what is told in the owner's organisation alone. */
const TOLD: Record<WithPlots, string> = {
  own: MEMBERS,
  other: MEMBERS,
  shared: '200 200 200 200 403 403 404 404 401',
  open: '200 200 200 200 403 403 404 404 401',
  embargoed: MEMBERS,
  deleted: NOBODYS,
}
const params = (world: World, kind: WithPlots) => ({ id: world.ids[kind].trial })
const PHONE = '01900000-0000-4000-8000-0000000000aa'
const change = (experimento: string, parcela: string) => ({
  ...{ v: 1, id: crypto.randomUUID(), aparelho: PHONE, seq: 1, experimento, pacote: 1, tipo: 'valor' },
  ...{ parcela, variavel: PHONE, valor: 70, quando: '2026-03-12T12:00:00Z' },
})

export const FIELD_ROWS: Row[] = [
  ...(Object.keys(TAKEN) as WithPlots[]).flatMap((kind) => [
    row('fieldPackage', kind, TAKEN[kind], (world) => ({ params: params(world, kind) })),
    row('fieldPackage', `${kind} on a phone`, TAKEN[kind], (world) => ({
      params: params(world, kind),
      query: { aparelho: PHONE },
    })),
    row('parkedFieldChanges', kind, TAKEN[kind], (world) => ({ params: params(world, kind) })),
    row('fieldSettings', kind, TAKEN[kind], (world) => ({ params: params(world, kind) })),
    row('setFieldSettings', `of ${kind}`, TAKEN[kind], (world) => ({
      params: params(world, kind),
      body: { as_cegas: false },
    })),
    row('fieldChanges', kind, TOLD[kind], (world) => ({ params: params(world, kind) })),
    row('sendFieldChanges', `of ${kind}`, ALL, (world) => ({
      body: { aparelho: PHONE, registros: [change(world.ids[kind].trial, PHONE)] },
    })),
  ]),
  ...(['own', 'other', 'shared'] as const).map((kind) =>
    row('settleFieldChange', `of ${kind}, nobody's`, TAKEN[kind].replaceAll('200', '409'), (world) => ({
      params: { ...params(world, kind), change: PHONE },
      body: { acao: 'descartar' },
    })),
  ),
  ...(Object.keys(TAKEN) as WithPlots[]).flatMap((kind) => [
    row('fieldTeam', kind, TAKEN[kind], (world) => ({ params: params(world, kind) })),
    row('createFieldInvitation', `of ${kind}`, TAKEN[kind].replaceAll('200', '201'), (world) => ({
      params: params(world, kind),
      body: { dias: 1 },
    })),
    row('revokeFieldInvitation', `of ${kind}, nobody's`, TAKEN[kind].replaceAll('200', '204'), (world) => ({
      params: { ...params(world, kind), invitation: PHONE },
    })),
    row('addToFieldTeam', `of ${kind}, nobody`, TAKEN[kind].replaceAll('200', '422'), (world) => ({
      params: { ...params(world, kind), person: PHONE },
    })),
    row('addToFieldTeam', `of ${kind}, a stranger`, TAKEN[kind].replaceAll('200', '422'), (world) => ({
      params: { ...params(world, kind), person: world.people.S.id },
    })),
    row('removeFromFieldTeam', `of ${kind}`, TAKEN[kind].replaceAll('200', '204'), (world) => ({
      params: { ...params(world, kind), person: world.people.L.id },
    })),
  ]),
  row('myFieldTrials', 'of the person', ALL),
  row('redeemFieldInvitation', 'of a guessed code', '404 404 404 404 404 404 404 404 404', {
    body: { codigo: 'x'.repeat(43), chave: 'y'.repeat(43), nome: 'Ninguém' },
  }),
  row('fieldLabel', 'of no plot', NOBODYS, { params: { codigo: 'ZZZZZZZZZZ' } }),
  row('listDevices', 'of the person', ALL),
  row('revokeDevice', 'of nobody', NOBODYS, { params: { id: '01900000-0000-4000-8000-0000000000ff' } }),
]
