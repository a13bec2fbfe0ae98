/**
 * Lists under filters and searches against the plain statement that a person would write, with its count, over the
 * same tables; and the overview under crop and product: lists.ts DATA_FOLDER [RUNS]. The sides take turns.
 */
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
import { cell, inTurn, median, signUp, startServer } from './measure.ts'

const [dataDir = 'data', runsText = '11'] = process.argv.slice(2)
const RUNS = Number(runsText)

const server = await startServer(dataDir, 3991)
const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), () => undefined)
const { raw } = database.pool
const session = await signUp(server.url)
const headers = { authorization: `Bearer ${session.access_token}` }

const FROM = `from experimentos e join consultorias k on k.id = e.consultoria_id join fabricantes f on f.id = e.fabricante_id
  join regioes r on r.id = e.regiao_id join cidades ci on ci.id = e.cidade_id join culturas c on c.id = e.cultura_id
  left join documentos d on d.id = e.documento_id`
const SHOWN = `e.*, k.nome as consultoria, f.nome as marca, r.nome as regional, ci.nome as cidade, ci.estado,
  c.nome_cultura as cultura, d.filename`
const applied = (
  place: string,
) => `exists (select from produtos_aplicados a join produtos p on p.id = a.produto_id
  where a.experimento_id = e.id and p.busca like ${place})`
const searched = `(k.busca like $1 or ci.busca like $1 or c.busca like $1 or f.busca like $1 or ${applied('$1')})`

const { rows: consultancies } = await raw.query('select nome, busca from consultorias order by id limit 1')
const { rows: products } = await raw.query('select nome, busca from produtos order by id limit 1')
const { rows: cities } = await raw.query(
  `select ci.nome, ci.busca from experimentos e join cidades ci on ci.id = e.cidade_id order by e.id limit 1`,
)
const [consultancy, product, city] = [consultancies[0], products[0], cities[0]]

const LISTS: readonly [name: string, query: Record<string, string>, condition: string, values: string[]][] = [
  [
    'crop and region',
    { cultura: 'Soja', regional: 'Sul' },
    'c.nome_cultura = $1 and r.nome = $2',
    ['Soja', 'Sul'],
  ],
  [
    'year and consultancy',
    { ano: '2022', consultoria: consultancy.nome },
    'e.ano = 2022 and k.nome = $1',
    [consultancy.nome],
  ],
  ['product', { produto: product.nome }, applied('$1'), [`%${product.busca}%`]],
  [
    'crop and product',
    { cultura: 'Soja', produto: product.nome },
    `c.nome_cultura = $1 and ${applied('$2')}`,
    ['Soja', `%${product.busca}%`],
  ],
  ['search, a city', { busca: city.nome }, searched, [`%${city.busca}%`]],
  ['search, a consultancy', { busca: consultancy.nome }, searched, [`%${consultancy.busca}%`]],
  ['search, a product', { busca: product.nome }, searched, [`%${product.busca}%`]],
  ['search, two letters', { busca: 'so' }, searched, ['%so%']],
  ['search, nothing', { busca: 'zzzzqq' }, searched, ['%zzzzqq%']],
]

try {
  const { rows } = await raw.query('select count(*) as n from experimentos')
  console.log(`${rows[0].n} experiments; medians (minima) of ${RUNS} runs, milliseconds\n`)
  console.log('| list | found | endpoint | the statement and its count | ratio |\n|---|---|---|---|---|')
  for (const [name, query, condition, values] of LISTS) {
    const path = `/api/experiments?${new URLSearchParams(query)}`
    const bare = async () => {
      await raw.query(
        `select ${SHOWN} ${FROM} where e.deleted_at is null and ${condition} order by e.created_at desc, e.id desc limit 26`,
        values,
      )
      const counted = await raw.query(
        `select count(*) as n ${FROM} where e.deleted_at is null and ${condition}`,
        values,
      )
      return Number(counted.rows[0].n)
    }
    let found = 0
    const [ours, theirs] = await inTurn(
      [
        () => get(path),
        async () => {
          found = await bare()
        },
      ],
      RUNS,
    )
    row(name, found, ours, theirs)
  }
  console.log('\n| overview | endpoint |\n|---|---|')
  for (const query of [
    { cultura: 'Soja', produto: product.nome },
    { produto: product.nome },
    { cultura: 'Soja' },
  ]) {
    const path = `/api/dashboard/overview?${new URLSearchParams(query)}`
    const [ours] = await inTurn([() => get(path), async () => undefined], RUNS)
    console.log(`| ${Object.keys(query).join(' and ')} | ${cell(ours)} |`)
  }
} finally {
  await database.close()
  await server.stop()
}

async function get(path: string): Promise<void> {
  const answer = await fetch(`${server.url}${path}`, { headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

function row(name: string, found: number, ours: readonly number[], theirs: readonly number[]): void {
  const ratio = median(ours) / median(theirs)
  console.log(`| ${name} | ${found} | ${cell(ours)} | ${cell(theirs)} | ${ratio.toFixed(2)} |`)
}
