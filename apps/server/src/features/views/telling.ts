import { timingSafeEqual } from 'node:crypto'
import { formatNumber, problem } from '@ensaio/domain'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Told as ToldTrial } from './alerts.repository.ts'

/** Letters of one kind, written when they leave. */
export type Letters = Parameters<AccountsFeature['tellBy']>[0]

/** One writer for several kinds: a reference begins with the name of its kind. */
export function byKind(kinds: Readonly<Record<string, Letters>>): Letters {
  const of = (reference: string): [Letters | undefined, string] => {
    const end = reference.indexOf(' ')
    return [kinds[reference.slice(0, end)], reference.slice(end + 1)]
  }
  return {
    async told(reference) {
      const [letters, rest] = of(reference)
      return (await letters?.told(rest)) ?? null
    },
    async sent(reference) {
      const [letters, rest] = of(reference)
      await letters?.sent(rest)
    },
    async failed(reference) {
      const [letters, rest] = of(reference)
      await letters?.failed(rest)
    },
  }
}

/** What a letter carries so that one click ends letters like it: what it is about, and that we wrote it. */
export interface Tokens {
  of(subject: string): string
  /** @throws alert.not_found for what we did not write */
  subjectOf(token: string): string
}
export function endTokens(mac: AccountsFeature['mac']): Tokens {
  const tokenOf = (subject: string) => `${subject}.${mac('alert', subject).toString('base64url')}`
  return {
    of: tokenOf,
    subjectOf(token) {
      const subject = token.split('.')[0] ?? ''
      const [given, right] = [Buffer.from(token), Buffer.from(tokenOf(subject))]
      if (given.length !== right.length || !timingSafeEqual(given, right)) throw problem('alert.not_found')
      return subject
    },
  }
}

/** 'Soja - Agro Cerrado - 2024, Rio Verde-GO · 3.250 kg/ha · +16,7 % sobre a Testemunha' */
export function lineOf({
  nome,
  cidade,
  estado,
  produtividade_media,
  diferenca_percent: more,
}: ToldTrial): string {
  return [
    `${nome}, ${cidade}-${estado}`,
    ...(produtividade_media === null ? [] : [`${formatNumber(produtividade_media, 0)} kg/ha`]),
    ...(more === null ? [] : [`${more > 0 ? '+' : ''}${formatNumber(more, 1)} % sobre a Testemunha`]),
  ].join(' · ')
}
