import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export interface Letter {
  to: string
  subject: string
  /** What it is about, with nobody's name, for the log of an installation without SMTP. */
  about: string
  text: string
  html: string
  /** The address that the letter is about, for the log of an installation without SMTP. */
  link: string | null
  /** Where one click, without a session, ends letters like this one (RFC 8058). */
  unsubscribe?: string
}

const listHeaders = ({ unsubscribe }: Letter) =>
  unsubscribe === undefined
    ? {}
    : {
        headers: {
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }

export interface Deliver {
  /** The same id means the same letter, sent again. */
  (letter: Letter, id: string): Promise<void>
  /** Removes what was kept of letters to that address, where any is. */
  forget?(address: string): Promise<void>
}

const CONNECT_TIMEOUT_MS = 20_000
/** A server may think long about a letter before it says that it has it; cut off sooner, it has it twice. */
const THINK_TIMEOUT_MS = 120_000

/** Sends by SMTP. */
export function smtpTransport({ url, from }: { url: string; from: string }): Deliver {
  const transport = createTransport(
    {
      url,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: THINK_TIMEOUT_MS,
    },
    { from },
  )
  return async (letter, id) => {
    const { to, subject, text, html } = letter
    const messageId = `<${id}@${
      from
        .split('@')
        .at(-1)
        ?.replace(/[^\w.-]/g, '') || 'ensaio'
    }>`
    await transport.sendMail({
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId,
      ...listHeaders(letter),
    })
  }
}

/** Without SMTP the letter lies in a folder and its link is shown where the server runs. */
export function folderTransport({ folder, show }: { folder: string; show(line: string): void }): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const deliver: Deliver = async (letter) => {
    const { to, subject, about, text, html, link } = letter
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700).catch(() => undefined)
    const { message } = await transport.sendMail({
      from: 'Ensaio <nao-responda@ensaio.local>',
      to: { name: '', address: to },
      subject,
      text,
      html,
      ...listHeaders(letter),
    })
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    const name = `${stamp}-${randomUUID().slice(0, 8)}-${markOf(to)}.eml`
    await writeFile(join(folder, name), message as Buffer, { mode: 0o600 })
    if (link) show(`E-mail "${about}": ${link}`)
  }
  deliver.forget = async (address) => {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      if (name.endsWith(`-${markOf(address)}.eml`) || (await isTo(path, address)))
        await rm(path, { force: true })
    }
  }
  return deliver
}

/** Tells letters to one address apart without naming it. */
const markOf = (address: string) =>
  createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 16)

/** An older version's files say in their head only whom they are for. */
const isTo = async (path: string, address: string) =>
  (await readFile(path, 'utf8').catch(() => '')).toLowerCase().includes(`\nto: ${address}\n`)
