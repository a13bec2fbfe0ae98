import { Secret, TOTP } from 'otpauth'
import { toString as draw } from 'qrcode'

const SECRET_BYTES = 20
const PERIOD_S = 30
const SKEW_STEPS = 1

export interface TotpEnrolment {
  secret: string
  uri: string
  /** An SVG picture. */
  qrCode: string
}

export async function enrolTotp({
  issuer,
  account,
}: {
  issuer: string
  account: string
}): Promise<TotpEnrolment> {
  const totp = codes(new Secret({ size: SECRET_BYTES }), issuer.replaceAll(':', ''), account)
  const uri = totp.toString()
  return { secret: totp.secret.base32, uri, qrCode: await drawQr(uri) }
}

/** An SVG picture. The client puts it into a data address without encoding it, where `#` would end it. */
export async function drawQr(text: string): Promise<string> {
  const svg = await draw(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 1 })
  return svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black')
}

/** The time step that a code belongs to, or null when it is wrong. */
export function totpStep(secret: string, code: string, now = Date.now()): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = codes(Secret.fromBase32(secret)).validate({ token: code, window: SKEW_STEPS, timestamp: now })
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta
}

const codes = (secret: Secret, issuer = '', label = '') =>
  new TOTP({ secret, issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD_S })
