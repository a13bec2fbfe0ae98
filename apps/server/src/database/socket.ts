import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Identity } from './platform.ts'

/** A socket's address holds 107 bytes; PostgreSQL adds its file's name to the folder. */
const LONGEST_FOLDER = 107 - '/.s.PGSQL.5432'.length

/** The socket lies in the cluster's own folder (0700), or in a private temporary one when that is too deep. */
export function socketFolder(clusterFolder: string, identity: Identity | null): string {
  if (Buffer.byteLength(clusterFolder) <= LONGEST_FOLDER) return clusterFolder
  const name = createHash('sha256').update(clusterFolder).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `ensaio-${name}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = statSync(folder).uid
  const ours = [process.getuid?.(), identity?.uid]
  if (!ours.includes(owner)) throw new Error(`A pasta ${folder} pertence a outro usuário.`)
  if (identity) chownSync(folder, identity.uid, identity.gid)
  chmodSync(folder, 0o700)
  return folder
}
