import { randomUUID } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
  /** The address that the letter is about, for the log of an installation without SMTP. */
  link: string | null
}

export type Deliver = (letter: Letter) => Promise<void>

const SMTP_TIMEOUT_MS = 20_000

/** Sends by SMTP. */
export function smtpTransport({ url, from }: { url: string; from: string }): Deliver {
  const transport = createTransport(
    {
      url,
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
    },
    { from },
  )
  return async ({ to, subject, text, html }) => {
    await transport.sendMail({ to: { name: '', address: to }, subject, text, html })
  }
}

/** Without SMTP the letter lies in a folder and its link is shown where the server runs. */
export function folderTransport({ folder, show }: { folder: string; show(line: string): void }): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return async ({ to, subject, text, html, link }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700).catch(() => undefined)
    const { message } = await transport.sendMail({
      from: 'Ensaio <nao-responda@ensaio.local>',
      to: { name: '', address: to },
      subject,
      text,
      html,
    })
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    await writeFile(join(folder, `${stamp}-${randomUUID().slice(0, 8)}.eml`), message as Buffer, {
      mode: 0o600,
    })
    if (link) show(`E-mail "${subject}": ${link}`)
  }
}
