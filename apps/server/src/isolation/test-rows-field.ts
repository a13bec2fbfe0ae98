import { createHash } from 'node:crypto'
import { pngOf } from '../features/photos/test-pictures.ts'
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

/** A new photo that the owner took of one plot after the other. */
let taken = 0
async function photoOf(world: World, kind: WithPlots): Promise<{ id: string; photo: string }> {
  const { trial } = world.ids[kind]
  taken += 1
  const { ficha } = await world.made('D', 'GET', `/api/experiments/${trial}/plots`)
  const photo = crypto.randomUUID()
  const aparelho = crypto.randomUUID()
  const bytes = pngOf(8, 8)
  const arquivo = { sha256: createHash('sha256').update(bytes).digest('hex'), tamanho: bytes.length }
  await world.made('D', 'POST', '/api/field/changes', {
    aparelho,
    registros: [
      {
        ...{ v: 1, id: photo, aparelho, seq: 1, experimento: trial, pacote: 1, tipo: 'foto', arquivo },
        ...{ parcela: ficha.parcelas[taken % ficha.parcelas.length].id, quando: '2026-03-12T12:00:00Z' },
      },
    ],
  })
  await world.made('D', 'PUT', `/api/experiments/${trial}/photos/${photo}/part`, part(bytes))
  return { id: trial, photo }
}
function part(bytes: Uint8Array): FormData {
  const form = new FormData()
  form.set('de', '0')
  form.set('parte', new Blob([new Uint8Array(bytes)]), 'parte')
  return form
}
const PHOTOGRAPHED = ['own', 'other', 'shared', 'embargoed'] as const
/** What is nobody's to send on but who announced it. */
const SENT = (kind: WithPlots) => TAKEN[kind].replaceAll('200', '404').replace(/^404/, '200')

export const FIELD_ROWS: Row[] = [
  ...(Object.keys(TAKEN) as WithPlots[]).map((kind) =>
    row('listPhotos', kind, TOLD[kind], (world) => ({ params: params(world, kind) })),
  ),
  ...PHOTOGRAPHED.flatMap((kind) => [
    row('getPhoto', `of ${kind}`, TOLD[kind], async (world) => ({ params: await photoOf(world, kind) })),
    row('getPhoto', `of ${kind}, small`, TOLD[kind], async (world) => ({
      params: await photoOf(world, kind),
      query: { pequena: '1' },
    })),
    row('removePhoto', `of ${kind}`, TAKEN[kind].replaceAll('200', '204'), async (world) => ({
      params: await photoOf(world, kind),
    })),
    row('putPhotoPart', `of the owner's in ${kind}`, SENT(kind), async (world) => ({
      params: await photoOf(world, kind),
      body: part(pngOf(8, 8)),
    })),
  ]),
  row('getSignedPhoto', 'by a forged address', NOBODYS.replace('401', '404'), async (world) => {
    const { id, photo } = await photoOf(world, 'own')
    const ate = String(Date.now() + 60_000)
    return { params: { photo }, query: { ensaio: id, ate, sinal: 'A'.repeat(43) } }
  }),
  ...(Object.keys(TAKEN) as WithPlots[]).flatMap((kind) => [
    row('fieldPackage', kind, TAKEN[kind], (world) => ({ params: params(world, kind) })),
    row('fieldPackageSize', kind, TAKEN[kind], (world) => ({ params: params(world, kind) })),
    row('fieldLabels', kind, TAKEN[kind], (world) => ({ params: params(world, kind) })),
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
  ...(['own', 'other', 'shared'] as const).map((kind) =>
    row('settleFieldChange', `of ${kind}, to decide`, TAKEN[kind].replaceAll('200', '409'), (world) => ({
      params: { ...params(world, kind), change: PHONE },
      body: { acao: 'decidir', ficar: 'registro', base: null },
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
