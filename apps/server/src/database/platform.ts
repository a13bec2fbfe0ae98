import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Everything about the embedded database that differs between systems or users, in one place.
 * PostgreSQL refuses to run as root; then it runs as an unprivileged system user.
 */
export interface Identity {
  uid: number
  gid: number
}

const UNPRIVILEGED = ['postgres', 'nobody', 'daemon']

/** The user that runs the database, or null when it is simply ours. */
export function databaseIdentity(clusterFolder: string): Identity | null {
  if (process.getuid?.() !== 0) return null
  if (existsSync(clusterFolder)) {
    const { uid, gid } = statSync(clusterFolder)
    if (uid !== 0) return { uid, gid }
  }
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of UNPRIVILEGED) {
    const entry = known.find((fields) => fields[0] === name)
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new Error(
    'O banco embutido não roda como root e não há usuário sem privilégios neste sistema; defina DATABASE_URL.',
  )
}

/** Whether that user may pass through every folder on the way to a path. */
export function canReach(path: string, { uid, gid }: Identity): boolean {
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at)
    const shift = stat.uid === uid ? 6 : stat.gid === gid ? 3 : 0
    if (((stat.mode >> shift) & 1) === 0) return false
    if (at === dirname(at)) return true
  }
}

/**
 * How the database names its own folder. The child is started inside it, before it gives up root, so the
 * kernel's link to the working folder works even below a folder which that user may not enter (/root).
 */
export function clusterArgument(folder: string, identity: Identity | null): string {
  return identity && process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/** syncfs is a Linux call: one sync of the file system instead of one for every file. */
export const hasSyncfs = process.platform === 'linux'

/** A folder for programs that every user may enter, for when node_modules is not such a folder. */
export function sharedProgramFolder(temporary: string): string {
  for (const folder of ['/var/cache/ensaio', `${temporary}/ensaio-programs`]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      const stat = statSync(folder)
      if (stat.uid !== process.getuid?.()) continue
      chmodSync(folder, 0o755)
      return folder
    } catch {
      // Not writable here: the next place.
    }
  }
  throw new Error('Não há onde copiar os programas do banco embutido; defina DATABASE_URL.')
}

/** Whether a process is a PostgreSQL server working in that folder. Elsewhere than Linux: whether it lives. */
export function isPostmasterOf(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? ''
    const here = statSync(`/proc/${pid}/cwd`)
    const there = statSync(folder)
    return /postgres$/.test(command) && here.ino === there.ino && here.dev === there.dev
  } catch {
    return false
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
