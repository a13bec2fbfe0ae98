import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, for a link that nobody guesses; only their hash is kept. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is kept of such a token. It is random itself: no key is needed. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
