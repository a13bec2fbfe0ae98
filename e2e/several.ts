import type { Browser, Page } from '@playwright/test'
import { expect, newPerson, onOwnServer, type Person } from './fixtures.ts'
import type { Server } from './server.ts'

const ADMIN = 'chefe@campo.com.br'
const PASSWORD = 'sementes-2026'

export async function api(url: string, person: Person, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return (response.status === 204 ? null : await response.json()) as any
}

/** An organisation of the person's own, in whose name their session acts from then on. */
export async function organization(url: string, person: Person, nome: string, tipo: string) {
  const { organizacao } = await api(url, person, 'POST', '/api/organizations', { nome, tipo })
  await api(url, person, 'PUT', '/api/profile/organization', { id: organizacao.id })
  return organizacao as { id: string; codigo: string; nome: string }
}

/** A browser of its own with that person's session. */
export async function pageOf(browser: Browser, server: Server, person: Person): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  await context.addInitScript((session) => {
    localStorage.setItem('ensaio.auth.remember', '1')
    if (!localStorage.getItem('ensaio.auth.token'))
      localStorage.setItem('ensaio.auth.token', JSON.stringify(session))
  }, person.session)
  return context.newPage()
}

export const trial = (change: object = {}) => ({
  consultoria: 'Cerrado Pesquisa',
  marca: 'Aminoagro',
  bu: 'BU1',
  regional: 'Centro-Oeste',
  cidade: 'Rio Verde',
  estado: 'GO',
  cultura: 'Soja',
  cultivar: 'BMX Bônus IPRO',
  ano: 2024,
  tratamentos: [
    { nome: 'Testemunha', modalidade: 'Controle', produtividade: 3500 },
    {
      nome: 'Amino Foliar',
      modalidade: 'Foliar',
      produtividade: 3900,
      custo: 4321.5,
      produtos_aplicados: [{ nome: 'Amino Foliar', dose: 1, unidade: 'L/ha', custo: 4321.5 }],
    },
  ],
  tipo_estatistica: 'ANOVA',
  custo_protocolo: 4321.5,
  roi: 777,
  ...change,
})

export async function expectNothingBeyondTheEdge(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/** A server of several organisations, with its administrator. */
export const test = onOwnServer({ ADMIN_EMAIL: ADMIN }).extend<object, { chief: Person }>({
  chief: [
    async ({ server }, use) => {
      const response = await fetch(`${server.url}/auth/v1/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: ADMIN, password: PASSWORD, data: { name: 'Chefe' } }),
      })
      const session = (await response.json()) as { access_token: string }
      const chief = { name: 'Chefe', email: ADMIN, password: PASSWORD, token: session.access_token, session }
      await api(server.url, chief, 'PUT', '/api/admin/installation', { organizacoes: 'varias' })
      await use(chief)
    },
    { scope: 'worker', auto: true },
  ],
})

export { expect, newPerson }
