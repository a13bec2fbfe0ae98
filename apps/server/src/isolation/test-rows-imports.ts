import { setTimeout as sleep } from 'node:timers/promises'
import { word } from './test-canaries.ts'
import { ALL, type Row, row } from './test-row.ts'
import type { World } from './test-world.ts'

let spreadsheets = 0
/** One that the researcher sent, told apart from every other. */
const TITLES =
  'Código;Consultoria;Marca;BU;Regional;Cidade;UF;Cultura;Cultivar;Ano;Delineamento;Custo do protocolo;Tratamento;Modalidade;Produtividade'
const text = (consultoria = 'Qualquer') => {
  spreadsheets += 1
  return `${TITLES}\nW-${spreadsheets};${consultoria};Aminoagro;BU1;Sul;Sorriso;MT;Soja;X;2024;DBC;1500;Testemunha;Controle;3000`
}
const sent = async (world: World) => {
  const { importacao } = await world.made('P', 'POST', '/api/imports', {
    texto: text(word('own', 'consultoria')),
  })
  return importacao.id as string
}
const own = async (world: World) => ({ params: { id: await sent(world) } })
const understood = async (world: World) => {
  const id = await sent(world)
  await world.made('P', 'PUT', `/api/imports/${id}/mapping`, {})
  return id
}
const mapped = async (world: World) => ({ params: { id: await understood(world) } })
/** Its one trial is written. */
const written = async (world: World) => {
  const id = await understood(world)
  await world.made('P', 'POST', `/api/imports/${id}/commit`, { atualizar: false })
  for (let time = 0; time < 200; time += 1) {
    const { importacao } = await world.made('P', 'GET', `/api/imports/${id}`)
    if (importacao.estado === 'concluida') break
    await sleep(25)
  }
  return id
}

/** Its maker's and of who leads the organisation; nobody else's. */
const LEADS = '200 200 200 404 404 404 404 404 401'
/** Who reads only is told so before it is looked for. */
const CHANGES = '200 200 200 403 404 403 404 404 401'

const model = async (world: World) => {
  spreadsheets += 1
  const { modelo } = await world.made('P', 'POST', '/api/import-templates', {
    nome: `${word('own', 'sintese')} ${spreadsheets}`,
    forma: 'longa',
    mapa: { Kz: 'codigo' },
    padroes: {},
  })
  return modelo.id as string
}
const MODEL = '200 200 200 403 404 403 404 404 401'
const newModel = () => {
  spreadsheets += 1
  return { nome: `Modelo ${spreadsheets}`, forma: 'longa', mapa: { Kz: 'codigo' }, padroes: {} }
}

export const IMPORT_ROWS: Row[] = [
  row('createImport', 'of a text', '201 201 201 403 201 403 201 201 401', () => ({
    body: { texto: text() },
  })),
  row('listImports', 'one by one', ALL),
  row('getImport', "the researcher's", LEADS, own),
  row('importEvents', "the researcher's", LEADS, own),
  row('mapImport', "the researcher's", CHANGES, async (world) => ({ ...(await own(world)), body: {} })),
  row('importRows', "the researcher's", LEADS, mapped),
  row('importProblems', "the researcher's", LEADS, mapped),
  row('importProblems', "the researcher's workbook", LEADS, async (world) => ({
    ...(await mapped(world)),
    query: { formato: 'xlsx' },
  })),
  row('correctImport', "the researcher's", CHANGES, async (world) => ({
    ...(await mapped(world)),
    body: { alteracoes: [{ linha: 2, coluna: 'I', valor: 'Y' }] },
  })),
  row('commitImport', "the researcher's", CHANGES.replaceAll('200', '202'), async (world) => ({
    ...(await mapped(world)),
    body: { atualizar: false },
  })),
  row('undoImport', "the researcher's", CHANGES, async (world) => ({ params: { id: await written(world) } })),
  row('redoImport', "the researcher's, which stands", CHANGES.replaceAll('200', '409'), async (world) => ({
    params: { id: await written(world) },
  })),
  row('removeImport', "the researcher's", CHANGES.replaceAll('200', '204'), own),
  row('importTemplateWorkbook', 'of the moment', ALL),
  row('listImportTemplates', 'of the organisation', ALL),
  row('createImportTemplate', 'of the organisation', '201 201 201 403 201 403 201 201 401', () => ({
    body: newModel(),
  })),
  row('changeImportTemplate', "the owner's", MODEL, async (world) => ({
    params: { id: await model(world) },
    body: newModel(),
  })),
  row('removeImportTemplate', "the owner's", MODEL.replaceAll('200', '204'), async (world) => ({
    params: { id: await model(world) },
  })),
]
