import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, variable } from '../trials/test-trials.ts'
import { unitPage, valuePage } from './brapi.repository.ts'

const [PLOTS, VARIABLES] = [1200, 10]
let server: TestServer
let ana: Person
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person()
})
afterAll(() => server.stop())

test('values of the plots of a large trial are read though the database believes that all trials are small', async () => {
  const of = asking(server, ana)
  for (let n = 0; n < 2; n += 1) await of.planted()
  // As autovacuum leaves it, which looks at a table once some fifty rows have come.
  await sql`alter table parcelas set (autovacuum_enabled = false)`.execute(server.handle)
  await sql`alter table valores set (autovacuum_enabled = false)`.execute(server.handle)
  await sql`analyze parcelas`.execute(server.handle)
  const variaveis = Array.from({ length: VARIABLES }, (_, n) => variable(`v${n}`, { nome: `Variável ${n}` }))
  const study = await of.planted({
    variaveis,
    parcelas: Array.from({ length: PLOTS }, (_, n) => ({
      ...{ numero: n + 1, tratamento: (n % 3) + 1, bloco: Math.floor(n / 3) + 1 },
    })),
    valores: variaveis.map(({ chave }) => ({
      ...{ variavel: chave, avaliacao: null, valores: Array.from({ length: PLOTS }, (_, n) => n + 100) },
    })),
  })
  const handle = await server.inNameOf(ana)
  const { total, rows } = await handle.transaction().execute(async (within) => {
    const page = await unitPage(within, {
      ...{ studies: [study], ids: null, names: null, offset: 0, limit: PLOTS },
    })
    // All plots against all values took some 8 s for each of two statements; each plot beside its values, 0.1 s.
    await sql`set local statement_timeout = '4s'`.execute(within)
    return valuePage(within, {
      ...{ studies: [study], plots: page.rows.map(({ id }) => id), columns: null, from: null, to: null },
      ...{ offset: 0, limit: PLOTS * VARIABLES },
    })
  })
  expect([total, rows.length]).toEqual([PLOTS * VARIABLES, PLOTS * VARIABLES])
  expect(rows.every(({ numero, valor }) => valor === numero + 99)).toBe(true)
})
