import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../test-server.ts'
import { folderTransport } from './transport.ts'

/** A mail as it went over the wire, its quoted-printable and base64 parts read. */
function readable(raw: string): string {
  return raw
    .replace(
      /Content-Transfer-Encoding: base64\r?\n(?:.+\r?\n)*\r?\n((?:[A-Za-z0-9+/=]+\r?\n)+)/g,
      (_all, body) => Buffer.from(body, 'base64').toString('utf8'),
    )
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
}

describe('over SMTP', () => {
  let smtp: SMTPServer
  let server: TestServer
  let refuse = false
  /** Letters to these wait for an answer. */
  const slow = new Map<string, Promise<void>>()
  const received: { to: string[]; text: string }[] = []

  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          if (refuse) return done(Object.assign(new Error('try later'), { responseCode: 451 }))
          const to = session.envelope.rcptTo.map(({ address }) => address)
          received.push({ to, text: readable(Buffer.concat(chunks).toString()) })
          await slow.get(to[0] ?? '')
          done()
        })
      },
    })
    await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done))
    const { port } = smtp.server.address() as AddressInfo
    server = await startTestServer({
      env: {
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        MAIL_FROM: 'Ensaio <ensaio@exemplo.com.br>',
        LOG_LEVEL: 'silent',
      },
    })
  })
  afterAll(async () => {
    await server.stop()
    await new Promise<void>((done) => smtp.close(done))
  })

  test('a sign-up is confirmed by the letter’s link', async () => {
    const signUp = await server.call('POST', '/auth/v1/signup', {
      body: { email: 'nova@exemplo.com.br', password: PASSWORD, data: { name: 'Nova <b>Pessoa</b>' } },
    })
    expect(signUp.body).not.toHaveProperty('access_token')
    await vi.waitFor(() => expect(received).toHaveLength(1), 5000)
    const [letter] = received
    expect(letter?.to).toEqual(['nova@exemplo.com.br'])
    expect(letter?.text).toContain('Confirme o seu email')
    expect(letter?.text).toContain('Nova &lt;b&gt;Pessoa&lt;/b&gt;')
    const link = /https?:\/\/\S*\/auth\/v1\/verify\?\S+/.exec(letter?.text ?? '')?.[0] ?? ''
    const url = new URL(link)
    expect((await server.call('GET', `${url.pathname}${url.search}`)).status).toBe(303)
    const signIn = await server.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: 'nova@exemplo.com.br', password: PASSWORD },
    })
    expect(signIn.status).toBe(200)
  })

  test('a letter that cannot be delivered waits, sealed, and is tried again', async () => {
    refuse = true
    await server.call('POST', '/auth/v1/recover', { body: { email: 'nova@exemplo.com.br' } })
    const waiting = async () =>
      (
        await sql<{ attempts: number; message: Buffer }>`select attempts, message from auth.mails`.execute(
          server.handle,
        )
      ).rows
    await vi.waitFor(async () => expect((await waiting())[0]?.attempts).toBe(1), 5000)
    expect((await waiting())[0]?.message.toString('latin1')).not.toContain('reset-password')
    refuse = false
    await sql`update auth.mails set next_attempt_at = now()`.execute(server.handle)
    await vi.waitFor(() => expect(received.at(-1)?.text).toContain('/reset-password?token_hash='), 8000)
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), 2000)
  })

  test('a server that thinks long about one letter holds no other, has it once, and no transaction waits', async () => {
    let answer = () => {}
    slow.set('lenta@exemplo.com.br', new Promise((done) => (answer = done)))
    const signUp = (email: string) =>
      server.call('POST', '/auth/v1/signup', { body: { email, password: PASSWORD, data: { name: 'Lia' } } })
    const lettersTo = (email: string) => received.filter(({ to }) => to[0] === email).length
    await signUp('lenta@exemplo.com.br')
    await vi.waitFor(() => expect(lettersTo('lenta@exemplo.com.br')).toBe(1), 5000)
    for (const email of ['rapida1@exemplo.com.br', 'rapida2@exemplo.com.br']) {
      await signUp(email)
      await vi.waitFor(() => expect(lettersTo(email)).toBe(1), 3000)
    }
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'
    `.execute(server.handle)
    expect(rows[0]?.waiting).toBe(0)
    const { rows: mails } = await sql<{ attempts: number }>`select attempts from auth.mails`.execute(
      server.handle,
    )
    expect(mails).toEqual([{ attempts: 1 }])
    await new Promise((done) => setTimeout(done, 6_000))
    answer()
    await vi.waitFor(
      async () => expect((await sql`select from auth.mails`.execute(server.handle)).rows).toEqual([]),
      3000,
    )
    expect(lettersTo('lenta@exemplo.com.br')).toBe(1)
  })
})

test('without SMTP a letter lies in a folder and its link is shown', async () => {
  const server = await startTestServer()
  const folder = join(server.dataDir, 'outbox')
  mkdirSync(folder, { mode: 0o755 })
  const shown: string[] = []
  const deliver = folderTransport({ folder, show: (line) => shown.push(line) })
  const link = 'http://localhost:3000/reset-password?token_hash=abc'
  await deliver(
    {
      to: 'ana@exemplo.com.br',
      subject: 'Redefina a sua senha',
      about: 'Redefina a sua senha',
      text: link,
      html: '',
      link,
    },
    'id',
  )
  expect(statSync(folder).mode & 0o077).toBe(0)
  const [file] = readdirSync(folder)
  expect(readable(readFileSync(join(folder, file ?? ''), 'utf8'))).toContain(link)
  expect(shown).toEqual([`E-mail "Redefina a sua senha": ${link}`])
  expect(shown.join()).not.toContain('@')
  await server.stop()
})
