import { type Trial, word } from './test-canaries.ts'
import { ALL, NOBODYS, type Row, row } from './test-row.ts'
import type { World } from './test-world.ts'

const NONE = '422 422 422 422 422 422 422 422 401'
/** Who sees no trial with the product is told what they would be of one that nobody has. */
const COMPARED: Partial<Record<Trial, string>> = {
  own: '200 200 200 200 422 422 422 422 401',
  shared: '200 200 200 200 200 200 422 422 401',
  open: '200 200 200 200 200 200 422 422 401',
  embargoed: '200 200 200 200 422 422 422 422 401',
  deleted: NONE,
}
const asked = (trial: Trial) => ({ produto: word(trial, 'produto') })

/** One that the researcher recorded. */
const recorded = async (world: World, compartilhada: boolean) => {
  const body = { ...asked('own'), titulo: word('own', 'sintese'), compartilhada }
  const { registro } = await world.made('P', 'POST', '/api/syntheses', body)
  return { params: { id: registro.id } }
}
const PRIVATE = '404 404 200 404 404 404 404 404 401'
const SHARED = '200 200 200 200 404 404 404 404 401'

export const SYNTHESIS_ROWS: Row[] = [
  ...Object.entries(COMPARED).flatMap(([kind, status]): Row[] => {
    const trial = kind as Trial
    return [
      row('synthesis', kind, status, { query: { ...asked(trial), preco: 130 } }),
      row('synthesis', `${kind}, its ratio with errors supposed`, status, {
        query: {
          ...asked(trial),
          medida: 'lnrr',
          imputar: '1',
          moderador: 'teor_argila',
          subgrupo: 'regional',
        },
      }),
      row('synthesis', `${kind}, by the name of its treatment`, status, {
        query: { tratamento: word(trial, 'tratamento') },
      }),
    ]
  }),
  row('synthesisProducts', 'of all', ALL),
  row('synthesisProducts', 'that are called so', ALL, { query: { busca: word('own', 'produto') } }),
  row('jointAnalysis', 'of all', NONE, { query: { variavel: 'kz' } }),
  row('recordSynthesis', 'of the researcher', '201 201 201 403 422|403 422|403 422|403 422|403 401', {
    body: asked('own'),
  }),
  row('listSyntheses', 'one by one', ALL),
  row('getSynthesis', 'private', PRIVATE, (world) => recorded(world, false)),
  row('getSynthesis', 'shared in the organisation', SHARED, (world) => recorded(world, true)),
  row('rerunSynthesis', 'private', PRIVATE, (world) => recorded(world, false)),
  row('rerunSynthesis', 'shared in the organisation', SHARED, (world) => recorded(world, true)),
  row('removeSynthesis', 'private', PRIVATE.replaceAll('200', '204'), (world) => recorded(world, false)),
  row('removeSynthesis', 'shared in the organisation', '403 403 204 403 404 404 404 404 401', (world) =>
    recorded(world, true),
  ),
  row('getSynthesis', 'unknown', NOBODYS, { params: { id: '01900000-0000-7000-8000-00000000aaaa' } }),
]
