import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { fieldTrial, HEIGHT, standing } from './field-trial.ts'
import { expect, expectAccessible, newPerson, type Person, test } from './fixtures.ts'
import { expectNothingBeyondTheEdge } from './several.ts'

// Field Book's whole way in and back, as the specification says that it goes: each address is asked for before it is
// used, the sign-in is in a browser, and the code comes back by an address of its own.

const REDIRECT = 'fieldbook://app/auth'

/** What AppAuth keeps between the browser and the exchange. */
function asking(url: string, more: Record<string, string> = {}) {
  const verifier = randomBytes(48).toString('base64url')
  const query = new URLSearchParams({
    ...{ redirect_uri: REDIRECT, client_id: 'fieldbook', response_type: 'code', prompt: 'login' },
    ...{ state: randomBytes(16).toString('base64url'), nonce: randomBytes(16).toString('base64url') },
    ...{ scope: 'openid', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...more,
  })
  return { verifier, state: query.get('state'), address: `${url}/oauth/authorize?${query}` }
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

const exchange = (url: string, code: string, verifier: string) =>
  fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: 'fieldbook', redirect_uri: REDIRECT },
      ...{ code, code_verifier: verifier },
    }),
  })

test('Field Book signs in, imports plots page by page, uploads twice and reads what it sent', async ({
  page,
  context,
  server,
  person,
}) => {
  const trial = await fieldTrial(server.url, person, [HEIGHT])
  // Of the base address, without /brapi/v2; asked for once before it is asked for.
  const discovery = `${server.url}/.well-known/openid-configuration`
  expect((await fetch(discovery)).status).toBe(200)
  const found = (await (await fetch(discovery)).json()) as Record<string, string>
  const { verifier, state, address } = asking(server.url)
  expect(address.startsWith(`${found['authorization_endpoint']}?`)).toBe(true)

  await page.goto(address)
  await expect(page.getByText('Para usar o Field Book com os seus ensaios.')).toBeVisible()
  await expectAccessible(page)
  await signIn(page, person)
  await expect(
    page.getByRole('heading', { name: 'Permitir que o Field Book use seus ensaios?' }),
  ).toBeVisible()
  await expect(page.getByText(person.email)).toBeVisible()
  await expect(page.getByText('Ler ensaios e parcelas')).toBeVisible()
  await expect(page.getByText('Gravar valores e fotos')).toBeVisible()
  await expect(page.getByLabel('Em nome de')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Permitir' }).click()
  const back = page.getByRole('link', { name: 'Voltar ao Field Book' })
  const answer = new URL((await back.getAttribute('href')) ?? '')
  expect(answer.href.startsWith(`${REDIRECT}?`)).toBe(true)
  expect(answer.searchParams.get('state')).toBe(state)
  await expectAccessible(page)

  expect((await fetch(`${server.url}/oauth/token`)).status).toBe(405)
  const given = await exchange(server.url, answer.searchParams.get('code') ?? '', verifier)
  expect(given.status).toBe(200)
  const { access_token } = (await given.json()) as { access_token: string }
  const authorization = `Bearer ${access_token}`
  const brapi = async (path: string, body?: unknown) => {
    const response = await fetch(`${server.url}/brapi/v2/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization, 'content-type': 'application/json' },
    })
    expect(response.status, path).toBe(200)
    // biome-ignore lint/suspicious/noExplicitAny: answers of BrAPI, as the client reads them
    return (await response.json()) as any
  }

  const studies = (await brapi('studies?active=true&page=0&pageSize=50')).result.data
  expect(studies.map(({ studyDbId }: { studyDbId: string }) => studyDbId)).toEqual([trial.id])
  const [variable] = (await brapi(`variables?studyDbId=${trial.id}&page=0&pageSize=50`)).result.data
  const units: { observationUnitDbId: string }[] = []
  const pages = `observationunits?studyDbId=${trial.id}&observationUnitLevelName=plot&includeObservations=true&pageSize=5`
  for (let at = 0; at < 3; at++) {
    const { result, metadata } = await brapi(`${pages}&page=${at}`)
    expect(metadata.pagination.totalCount).toBe(12)
    units.push(...result.data)
  }
  expect(new Set(units.map(({ observationUnitDbId }) => observationUnitDbId)).size).toBe(12)

  const records = units.map(({ observationUnitDbId }, at) => ({
    ...{ observationUnitDbId, studyDbId: trial.id, value: String(80 + at) },
    observationVariableDbId: variable.observationVariableDbId,
    ...{ collector: 'João da Silva', observationTimeStamp: '2026-01-14T12:00:00.000-03:00' },
    externalReferences: [
      { referenceID: `obs-${at}`, referenceSource: 'Field Book Upload' },
      { referenceID: 'aparelho-1', referenceSource: 'Field Book Device' },
    ],
  }))
  const first = (await brapi('observations', records)).result.data
  const second = (await brapi('observations', records)).result.data
  expect(first).toHaveLength(12)
  expect(second).toEqual(first)
  expect((await brapi(`observations?studyDbId=${trial.id}`)).metadata.pagination.totalCount).toBe(12)
  expect([...(await standing(server.url, person, trial.id)).values()].sort()).toEqual(
    records.map(({ value }) => Number(value)).sort(),
  )

  // The person sees it in the profile, and ends it there; over the first page the browser still asks by what to open
  // an address that nothing here opens.
  const profile = await context.newPage()
  await profile.goto('/profile')
  await expect(profile.getByText('Chrome em Linux · último uso em')).toBeVisible()
  await profile.getByRole('button', { name: 'Revogar Field Book' }).click()
  await profile.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click()
  await expect(profile.getByText('Nenhum aplicativo entrou com esta conta.')).toBeVisible()
  const after = await fetch(`${server.url}/brapi/v2/studies`, { headers: { authorization } })
  expect(after.status).toBe(401)
})

test('who is signed in already signs in for it all the same, and may refuse', async ({
  signedIn: page,
  server,
  person,
}) => {
  await page.goto(asking(server.url).address)
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await signIn(page, person)
  await page.getByRole('button', { name: 'Recusar' }).click()
  await expect(page.getByRole('heading', { name: 'Acesso recusado' })).toBeVisible()
  const href = await page.getByRole('link', { name: 'Voltar ao Field Book' }).getAttribute('href')
  expect(new URL(href ?? '').searchParams.get('error')).toBe('access_denied')
})

test('an application that is allowed at its own machine is gone back to by itself', async ({
  signedIn: page,
  server,
  allowed,
}) => {
  allowed.push('ERR_CONNECTION_REFUSED', 'http://localhost:9')
  const { address } = asking(server.url, {
    ...{ client_id: 'qbms', redirect_uri: 'http://localhost:9' },
    prompt: 'consent',
  })
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Permitir que o QBMS use seus ensaios?' })).toBeVisible()
  const gone = page.waitForRequest((request) => request.url().startsWith('http://localhost:9/?'))
  await page.getByRole('button', { name: 'Permitir' }).click()
  expect(new URL((await gone).url()).searchParams.get('code')).toBeTruthy()
})

test('a stranger, and the flow that Field Book has by default, end on a page that says so', async ({
  page,
  server,
  allowed,
}) => {
  allowed.push('/oauth/authorize')
  await page.goto(asking(server.url, { redirect_uri: 'https://mau.exemplo' }).address)
  await expect(page.getByText('Este aplicativo não está autorizado.')).toBeVisible()
  await expectAccessible(page)
  const implicit = { redirect_uri: 'https://phenoapps.org/field-book', response_type: 'id_token token' }
  await page.goto(asking(server.url, implicit).address)
  await expect(page.getByText('escolha "OAuth2 Authorization Code" em OIDC Flow')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test.describe('in every size and both themes', () => {
  for (const theme of ['light', 'dark'] as const)
    test(`${theme}: the consent and the part of the profile`, async ({ page, server }) => {
      const person = await newPerson(server.url)
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      const shots = process.env['SHOTS']
      const look = async (name: string) => {
        for (const width of [1440, 768, 390]) {
          await page.setViewportSize({ width, height: 900 })
          await expectNothingBeyondTheEdge(page)
          if (shots) await page.screenshot({ path: `${shots}/${name}-${theme}-${width}.png`, fullPage: true })
        }
        await expectAccessible(page)
      }
      const { address, verifier } = asking(server.url)
      await page.goto(address)
      await expect(page.getByLabel('Email')).toBeVisible()
      await look('entrar')
      await signIn(page, person)
      await expect(page.getByRole('button', { name: 'Permitir' })).toBeEnabled()
      await look('permitir')
      await page.getByRole('button', { name: 'Permitir' }).click()
      const back = page.getByRole('link', { name: 'Voltar ao Field Book' })
      await expect(back).toBeVisible()
      await look('permitido')
      const code = new URL((await back.getAttribute('href')) ?? '').searchParams.get('code') ?? ''
      expect((await exchange(server.url, code, verifier)).status).toBe(200)
      await page.goto('/profile')
      await expect(page.getByAltText('Código QR de configuração do Field Book')).toBeVisible()
      await look('perfil')
    })
})
