// Takes the pictures of docs/guia.md: the built product with the demo set and the sample reports, in both themes.
// Usage: guide-pictures.ts [NAME...], all pictures without a name.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { newPerson } from './fixtures.ts'
import { LONG_SCAN, MISREAD, REPORT, SCAN, seed } from './seed.ts'
import { startServer } from './server.ts'

const FOLDER = fileURLToPath(new URL('../docs/guia/', import.meta.url))
const SIZE = { width: 1200, height: 750 }

/** One picture: where it is taken and what is done before. */
type Shot = { name: string; path: string; signedOut?: boolean; prepare?: (page: Page) => Promise<void> }

const drop = (page: Page, files: Parameters<ReturnType<Page['getByLabel']>['setInputFiles']>[0]) =>
  page.getByLabel('Arquivo PDF').setInputFiles(files)

const SHOTS: readonly Shot[] = [
  {
    name: 'cadastro',
    path: '/register',
    signedOut: true,
    prepare: async (page) => {
      await page.getByLabel('Nome completo').fill('Ana Souza')
      await page.getByLabel('Email').fill('ana@lavouraclara.com.br')
    },
  },
  {
    name: 'aplicativos',
    path: '/profile',
    prepare: (page) => show(page, 'Aplicativos de campo'),
  },
  {
    name: 'permitir',
    path: `/oauth/authorize?${new URLSearchParams({
      ...{ client_id: 'fieldbook', redirect_uri: 'fieldbook://app/auth', response_type: 'code' },
      ...{ code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' },
    })}`,
    prepare: (page) => page.getByRole('button', { name: 'Permitir' }).waitFor(),
  },
  { name: 'extrator', path: '/extractor' },
  {
    name: 'leitura',
    path: '/extractor',
    prepare: async (page) => {
      // A byte behind the end makes it a file that was not read before.
      const buffer = Buffer.concat([readFileSync(LONG_SCAN), Buffer.from(`\n%${Math.random()}`)])
      await drop(page, { name: 'relatorio-digitalizado.pdf', mimeType: 'application/pdf', buffer })
      await page.getByText('TBIO Trunfo').waitFor({ timeout: 180_000 })
    },
  },
  {
    name: 'revisao',
    path: '/extractor',
    prepare: async (page) => {
      await drop(page, REPORT)
      await page.getByRole('button', { name: 'Confirmar Dados' }).waitFor({ timeout: 180_000 })
      await page.getByLabel('Cidade').focus()
      await page.getByRole('img', { name: 'Página 1 do relatório' }).waitFor()
    },
  },
  {
    name: 'tabelas',
    path: '/extractor',
    prepare: async (page) => {
      await drop(page, MISREAD)
      await page.getByRole('button', { name: /^Tabelas/ }).click({ timeout: 180_000 })
      await page.getByRole('region', { name: 'Tabela 2', exact: true }).waitFor()
      await page.getByRole('img', { name: 'Página 1 do relatório' }).waitFor()
    },
  },
  {
    name: 'lote',
    path: '/extractor?modo=lote',
    prepare: async (page) => {
      const pdf = readFileSync(REPORT)
      const names = ['soja-campo-verde.pdf', 'soja-sorriso.pdf', 'milho-toledo.pdf']
      await drop(page, [
        ...names.map((name) => ({ name, mimeType: 'application/pdf', buffer: pdf })),
        { name: 'trigo-ijui.pdf', mimeType: 'application/pdf', buffer: readFileSync(SCAN) },
        { name: 'faixas-rio-verde.pdf', mimeType: 'application/pdf', buffer: readFileSync(MISREAD) },
      ])
      await page
        .getByText(/lido, \d+% de confiança/)
        .nth(4)
        .waitFor({ timeout: 180_000 })
    },
  },
  {
    name: 'tratamentos',
    path: '/extractor',
    prepare: async (page) => {
      await drop(page, REPORT)
      await page.getByRole('button', { name: 'Confirmar Dados' }).click({ timeout: 180_000 })
      for (let step = 1; step <= 4; step++) {
        await page.getByText(`Página ${step} de 7`).waitFor()
        await page.getByRole('button', { name: 'Próximo' }).click()
      }
      await page.getByText('Página 5 de 7').waitFor()
    },
  },
  { name: 'planilha-colunas', path: '/importar', prepare: (page) => sendSheet(page) },
  {
    name: 'planilha-conferir',
    path: '/importar',
    prepare: async (page) => {
      await sendSheet(page)
      await page.getByRole('button', { name: 'Conferir os ensaios' }).click()
      await page
        .getByRole('gridcell', { name: /UF: GX/ })
        .first()
        .focus()
      await page.getByRole('button', { name: 'Usar “GO”' }).waitFor()
    },
  },
  {
    name: 'dashboard',
    path: '/dashboard',
    prepare: async (page) => {
      await page.getByText('Produtividade média por cultura').waitFor()
    },
  },
  {
    name: 'mapa',
    path: '/dashboard?aba=interactive',
    prepare: (page) => show(page, /^Mapa de experimentos/),
  },
  {
    name: 'correlacao',
    path: '/dashboard?aba=interactive',
    prepare: (page) => show(page, 'Variável X'),
  },
  {
    name: 'relatorio',
    path: '/dashboard',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Abrir a página' }).first().click()
      await page.getByRole('button', { name: 'Baixar relatório' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'vistas',
    path: '/dashboard?cultura=Soja',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Salvar vista' }).click()
      await page.getByLabel('Nome da vista').fill(`Soja ${Date.now() % 1000}`)
      await page.getByRole('dialog').getByRole('button', { name: 'Salvar vista' }).click()
      await page.getByText('Abrir o dashboard com esta vista').waitFor()
    },
  },
  { name: 'documentos', path: '/dashboard?aba=documents' },
  { name: 'exportar', path: '/dashboard', prepare: (page) => show(page, /^Experimentos Cadastrados/) },
]

const SHEET = [
  'Código;Consultoria;Marca;BU;Regional;Cidade;UF;Cultura;Cultivar;Safra;Delineamento;Custo do protocolo;Tratamento;Modalidade;Produto;Dose;Produtividade (sc/ha)',
  ...[
    ['SOJA-2024-017', 'Rio Verde', 'GO', 55.0, 58.3],
    ['SOJA-2024-018', 'Jataí', 'GX', 52.4, 56.1],
    ['SOJA-2024-019', 'Sorriso', 'MT', 60.2, 61.9],
  ].flatMap(([code, city, state, control, treated]) =>
    [
      ['Testemunha;;;', control],
      ['Raiz;Foliar;Nutrivia Raiz;300 mL/ha', treated],
    ].map(
      ([treatment, sacks]) =>
        `${code};Campo Certo;Aminoagro;BU1;Centro-Oeste;${city};${state};Soja;NS 7709;2023/24;DBC;1500;${treatment};${String(sacks).replace('.', ',')}`,
    ),
  ),
].join('\n')

/** Sent each time with another end: the same spreadsheet again opens what was begun with it. */
let sent = 0
async function sendSheet(page: Page): Promise<void> {
  sent += 1
  const buffer = Buffer.from(`${SHEET}${'\n'.repeat(sent)}`)
  await page
    .getByLabel('Planilha', { exact: true })
    .setInputFiles({ name: 'safra 2023-24.csv', mimeType: 'text/csv', buffer })
  await page.getByText('será convertido para kg/ha').first().waitFor()
}

/** Scrolls to a text and leaves room above it. */
async function show(page: Page, text: string | RegExp): Promise<void> {
  const place = page.getByText(text).first()
  await place.waitFor()
  await place.evaluate((element) => {
    scrollTo({ top: element.getBoundingClientRect().top + scrollY - 90 })
  })
}

async function take(browser: Browser, url: string, session: unknown, theme: 'light' | 'dark'): Promise<void> {
  const wanted = process.argv.slice(2)
  for (const { name, path, signedOut, prepare } of SHOTS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const context = await browser.newContext({
      viewport: SIZE,
      colorScheme: theme,
      locale: 'pt-BR',
      reducedMotion: 'reduce',
    })
    if (!signedOut)
      await context.addInitScript((held) => {
        localStorage.setItem('ensaio.auth.remember', '1')
        localStorage.setItem('ensaio.auth.token', JSON.stringify(held))
      }, session)
    const page = await context.newPage()
    await page.goto(`${url}${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await prepare?.(page)
    await page.waitForTimeout(900)
    const png = await page.screenshot()
    writeFileSync(`${FOLDER}${name}${theme === 'dark' ? '-escuro' : ''}.webp`, await webp(browser, png))
    await context.close()
  }
}

/** The browser itself writes WebP. */
async function webp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const data = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.82)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await page.close()
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}

mkdirSync(FOLDER, { recursive: true })
const server = await startServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const person = await newPerson(server.url)
  await seed(server.url, person)
  for (const theme of ['light', 'dark'] as const) await take(browser, server.url, person.session, theme)
} finally {
  await browser.close()
  await server.stop()
}
