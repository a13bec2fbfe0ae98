import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { startTestServer, type TestServer } from '../../../test-server.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const IDP = 'https://idp.example/metadata'
const BASE = 'http://localhost:3000/auth/v1'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: {
      AUTH_SAML_ENTRY_POINT: 'https://idp.example/sso',
      AUTH_SAML_ISSUER: IDP,
      AUTH_SAML_CERTIFICATE: publicKey,
      AUTH_SAML_DOMAINS: 'fazenda.com.br',
    },
  })
})
afterAll(() => server.stop())

async function begin() {
  const { status, body } = await server.call('POST', '/auth/v1/sso', {
    body: {
      domain: 'fazenda.com.br',
      redirect_to: 'http://localhost:3000/dashboard',
      skip_http_redirect: true,
    },
  })
  expect(status).toBe(200)
  const url = new URL(body.url)
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return {
    id: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
    relayState: url.searchParams.get('RelayState') ?? '',
  }
}

function sign(xml: string, name: string, key: string | Buffer): string {
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  const path = `//*[local-name(.)='${name}']`
  signature.addReference({
    xpath: path,
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  })
  signature.computeSignature(xml, {
    location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signature.getSignedXml()
}

function response(
  inResponseTo: string,
  { email = 'dora@fazenda.com.br', key = privateKey, audience = `${BASE}/sso/saml/metadata` } = {},
): string {
  const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString()
  const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${BASE}/sso/saml/acs" InResponseTo="${inResponseTo}"><saml:Issuer>${IDP}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${IDP}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(60_000)}" Recipient="${BASE}/sso/saml/acs" InResponseTo="${inResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-1000)}" NotOnOrAfter="${at(60_000)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="displayName"><saml:AttributeValue>Dora Dias</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`
  return Buffer.from(sign(sign(xml, 'Assertion', key), 'Response', key)).toString('base64')
}

async function arrive(saml: string, relayState: string) {
  const answer = await fetch(`${server.url}/auth/v1/sso/saml/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ SAMLResponse: saml, RelayState: relayState }).toString(),
  })
  const location = answer.headers.get('location')
  return { status: answer.status, fragment: new URLSearchParams(location?.split('#')[1] ?? '') }
}

describe('single sign-on by SAML', () => {
  test('opens a session for a signed answer to our own request', async () => {
    const { id, relayState } = await begin()
    const { status, fragment } = await arrive(response(id), relayState)
    expect(status).toBe(303)
    const { body } = await server.call('GET', '/auth/v1/user', { token: fragment.get('access_token') ?? '' })
    expect(body).toMatchObject({ email: 'dora@fazenda.com.br', user_metadata: { name: 'Dora Dias' } })
    const change = await server.call('PUT', '/auth/v1/user', {
      token: fragment.get('access_token') ?? '',
      body: { password: 'uma-senha-qualquer' },
    })
    expect(change).toMatchObject({ status: 422, body: { error_code: 'user_sso_managed' } })
  })

  test('takes an answer once', async () => {
    const first = await begin()
    const answer = response(first.id)
    await arrive(answer, first.relayState)
    const second = await begin()
    expect((await arrive(answer, second.relayState)).fragment.get('error_code')).toBe('validation_failed')
  })

  test.each([
    ['signed by a stranger', { key: stranger }, 'validation_failed'],
    ['meant for somebody else', { audience: 'https://outro.example' }, 'validation_failed'],
    ['about another domain', { email: 'chefe@outra.com.br' }, 'sso_provider_not_found'],
  ])('refuses an answer %s', async (_what, change, code) => {
    const { id, relayState } = await begin()
    const { fragment } = await arrive(response(id, change), relayState)
    expect(fragment.get('error_code')).toBe(code)
    expect(fragment.has('access_token')).toBe(false)
  })

  test('refuses an answer that nobody asked for', async () => {
    const { relayState } = await begin()
    const { fragment } = await arrive(response(`_${randomUUID()}`), relayState)
    expect(fragment.get('error_code')).toBe('validation_failed')
  })

  test('knows its domains only', async () => {
    const answer = await server.call('POST', '/auth/v1/sso', { body: { domain: 'outra.com.br' } })
    expect(answer).toMatchObject({ status: 404, body: { error_code: 'sso_provider_not_found' } })
  })

  test('describes itself', async () => {
    const { status, bytes } = await server.call('GET', '/auth/v1/sso/saml/metadata')
    expect(status).toBe(200)
    expect(bytes.toString()).toContain(`${BASE}/sso/saml/acs`)
  })
})

test('without configuration single sign-on is off', async () => {
  const plain = await startTestServer()
  const answer = await plain.call('POST', '/auth/v1/sso', { body: { domain: 'fazenda.com.br' } })
  expect(answer).toMatchObject({ status: 404, body: { error_code: 'saml_provider_disabled' } })
  await plain.stop()
})
