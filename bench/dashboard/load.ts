/**
 * Loads a population into an empty installation: load.ts DATA_FOLDER COUNT [SEED] [ORGANIZATIONS] (or DATABASE_URL). Of
 * several organisations the sizes follow Zipf's law; the first ones, but for one in six, show all to a brand, without
 * costs every second of them.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { meanProductivity, searchable, totalCost } from '@ensaio/domain'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
import { rebuildCells } from '../../apps/server/src/features/dashboard/cells.ts'
import { addViews, keepViews } from '../../apps/server/src/features/dashboard/views.ts'
import { type Drawn, type Names, population, populationNames } from './population.ts'

const [dataDir = 'data', countText = '10000', seedText = '1', organizationsText = '1'] = process.argv.slice(2)
const count = Number(countText)
const seed = Number(seedText)
const organizations = Number(organizationsText)
/** Of every six organisations, how many show all that they have to the brand. */
const SHARING = 5
const OF = 6
const BATCH = 20_000

const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), console.error)
const client = await database.pool.raw.connect()
try {
  await client.query('set statement_timeout = 0')
  const { rows } = await client.query('select from experimentos limit 1')
  if (rows.length > 0) throw new Error('there are experiments already')
  const started = performance.now()
  const names = populationNames(seed)
  const ids = await insertNames(client, names)
  const owners = await insertOrganizations(client)
  // The rows are whole by how they are made; the triggers' work is done once at the end.
  await client.query('set session_replication_role = replica')
  let batch: Drawn[] = []
  let done = 0
  for (const drawn of population(names, { count, seed })) {
    batch.push(drawn)
    if (batch.length < BATCH) continue
    await copyBatch(client, batch, { from: done, ids, owners })
    done += batch.length
    batch = []
    process.stdout.write(`\r${done}`)
  }
  await copyBatch(client, batch, { from: done, ids, owners })
  await client.query('set session_replication_role = origin')
  console.log(`\r${count} experiments copied in ${Math.round((performance.now() - started) / 1000)} s`)
  if (organizations > 1) await share(client, owners)
  await client.query('vacuum analyze')
  const { figures } = await rebuildCells(database.pool.handle)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await addViews(database.pool.handle)
  console.log(`${await keepViews(database.pool.handle)} views made`)
  await client.query('vacuum analyze')
  console.log(`${figures} figures; ready after ${Math.round((performance.now() - started) / 1000)} s`)
} finally {
  client.release()
  await database.close()
}

interface Ids {
  consultorias: number[]
  marcas: number[]
  produtos: number[]
  modalidades: number[]
  cidades: number[]
  regioes: Map<string, number>
  culturas: Map<string, number>
}

async function insertNames(client: PoolClient, names: Names): Promise<Ids> {
  const put = async (table: string, column: string, texts: readonly string[]) => {
    await client.query(
      `insert into ${table} (${column}, busca) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
      [texts, texts.map(searchable)],
    )
    const { rows } = await client.query(`select id, busca from ${table}`)
    const idOf = new Map(rows.map((row): [string, number] => [row.busca, row.id]))
    return texts.map((text) => known(idOf.get(searchable(text)), text))
  }
  const keyed = async (table: string, column: string) => {
    const { rows } = await client.query(`select id, ${column} as nome from ${table}`)
    return new Map(rows.map((row): [string, number] => [row.nome, row.id]))
  }
  const { rows } = await client.query('select id, nome, estado from cidades where codigo_ibge is not null')
  const cities = new Map(rows.map((row): [string, number] => [`${row.nome}/${row.estado}`, row.id]))
  return {
    consultorias: await put('consultorias', 'nome', names.consultorias),
    marcas: await put('fabricantes', 'nome', names.marcas),
    produtos: await put('produtos', 'nome', names.produtos),
    modalidades: await put('modalidades', 'nome', names.modalidades),
    cidades: names.cidades.map(({ nome, estado }) => known(cities.get(`${nome}/${estado}`), nome)),
    regioes: await keyed('regioes', 'nome'),
    culturas: await keyed('culturas', 'nome_cultura'),
  }
}

function known(id: number | undefined, name: string): number {
  if (id === undefined) throw new Error(`${name} has no row`)
  return id
}

async function copyBatch(
  client: PoolClient,
  batch: readonly Drawn[],
  { from, ids, owners }: { from: number; ids: Ids; owners: readonly Owner[] },
): Promise<void> {
  const experiments: unknown[][] = []
  const treatments: unknown[][] = []
  const products: unknown[][] = []
  const analyses: unknown[][] = []
  const documents: unknown[][] = []
  for (const [index, drawn] of batch.entries()) {
    const number = from + index
    const id = idOf(number)
    const created = new Date(Date.UTC(2024, 0, 1) + number * 60_000).toISOString()
    const documento = drawn.documento ? id.replace('0', 'd') : null
    const owner = ownerOf(owners, number)
    experiments.push([
      id,
      ids.consultorias[drawn.consultoria],
      ids.marcas[drawn.marca],
      drawn.bu,
      ids.regioes.get(drawn.regional),
      ids.cidades[drawn.cidade],
      drawn.latitude,
      drawn.longitude,
      ids.culturas.get(drawn.cultura),
      drawn.cultivar,
      drawn.ano,
      drawn.argila,
      drawn.materiaOrganica,
      drawn.estatistica,
      drawn.custoProtocolo,
      drawn.roi,
      meanProductivity(drawn.tratamentos),
      totalCost(drawn.tratamentos),
      drawn.tratamentos.length,
      documento,
      created,
      created,
      Math.imul(number, 0x9e3779b1) >>> 17,
      owner.id,
      owner.acervo,
    ])
    if (documento)
      documents.push([
        ...[documento, id, `ensaio-${number}.pdf`, `bench/${number}`, 'bench', 1000, created],
        owner.id,
      ])
    for (const [t, treatment] of drawn.tratamentos.entries()) {
      treatments.push([
        id,
        t + 1,
        treatment.nome,
        ids.modalidades[treatment.modalidade],
        treatment.produtividade,
        treatment.custo,
      ])
      for (const [p, product] of treatment.produtos.entries())
        products.push([id, t + 1, p + 1, ids.produtos[product.produto], product.dose, 'L/ha', product.custo])
      for (const [a, analysis] of treatment.analises.entries())
        analyses.push([id, t + 1, a + 1, analysis.nome, analysis.valor, ''])
    }
  }
  await copy(
    client,
    'experimentos (id, consultoria_id, fabricante_id, bu, regiao_id, cidade_id, latitude, longitude, cultura_id, cultivar, ano, teor_argila, teor_materia_organica, tipo_estatistica, custo_protocolo, roi, produtividade_media, custo_total, n_tratamentos, documento_id, created_at, updated_at, amostra, organizacao_id, acervo_id)',
    experiments,
  )
  await copy(client, 'tratamentos', treatments)
  await copy(client, 'produtos_aplicados', products)
  await copy(client, 'analises_adicionais', analyses)
  await copy(
    client,
    'documentos (id, experimento_id, filename, armazenado, sha256, tamanho, created_at, organizacao_id)',
    documents,
  )
}

interface Owner {
  id: string
  acervo: number
}

/** The installation's own, and as many more as are asked for; each has one set. */
async function insertOrganizations(client: PoolClient): Promise<Owner[]> {
  if (organizations > 1) {
    await client.query(`update instalacao set organizacoes = 'varias'`)
    await client.query(
      `insert into organizacoes (nome, tipo) select 'Organização ' || n, 'consultoria' from generate_series(2, $1) n`,
      [organizations],
    )
  }
  const { rows } = await client.query<Owner>(`
    select o.id, (select min(a.id) from acervos a where a.organizacao_id = o.id) as acervo
    from organizacoes o order by o.id = (select organizacao_id from instalacao) desc, o.nome
  `)
  return rows
}

/** The more, the earlier it stands: the n-th has a share of 1/n. */
function ownerOf(owners: readonly Owner[], number: number): Owner {
  const draw = (Math.imul(number + 1, 0x85ebca6b) >>> 0) / 0x100000000
  const rank = Math.floor((owners.length + 1) ** draw) - 1
  const owner = owners[Math.min(rank, owners.length - 1)]
  if (!owner) throw new Error('no organisation')
  return owner
}

/** The installation's own is the brand. */
async function share(client: PoolClient, [brand, ...others]: readonly Owner[]): Promise<void> {
  const sharing = others.filter((_, index) => index % OF < SHARING).map(({ id }) => id)
  await client.query(
    `insert into compartilhamentos (organizacao_id, destino_id, alvo, nome, custos, documentos, comentarios, estado)
     select id, $1, 'tudo', 'Todos os experimentos', place % 2 = 0, false, false, 'aceito'
     from unnest($2::uuid[]) with ordinality s (id, place)`,
    [brand?.id, sharing],
  )
}

/** Ids in time order, as version 7 ids are. */
function idOf(number: number): string {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

async function copy(client: PoolClient, into: string, rows: readonly unknown[][]): Promise<void> {
  const lines = rows.map((row) => `${row.map((value) => value ?? '\\N').join('\t')}\n`)
  await pipeline(Readable.from([lines.join('')]), client.query(copyFrom(`copy ${into} from stdin`)))
}
