import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Deliver, folderTransport, smtpTransport } from './transport.ts'

/** SMTP when it is configured, else a folder of the data directory. */
export function chooseTransport(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Deliver {
  if (config.smtpUrl) return smtpTransport({ url: config.smtpUrl, from: config.mailFrom })
  return folderTransport({ folder: join(config.dataDir, 'outbox'), show: (line) => console.log(line) })
}
