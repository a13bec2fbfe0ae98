import { createReadStream } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DocumentStore, MissingDocument, StoreUnavailable } from './document-store.ts'

const NAME = /^[\w-]+\.(pdf|jpg)$/
const DRAFT = '.draft'

/** Files below one folder, spread over 256 by the last characters of their random names. */
export function diskStore(folder: string): DocumentStore {
  const pathOf = (name: string) => {
    if (!NAME.test(name)) throw new Error('not a stored name')
    return join(folder, name.slice(-6, -4), name)
  }
  /** Nobody else on the machine reads documents, nor in a folder that an older version left open. */
  let closed: Promise<void> | undefined
  const close = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Some mounts know no modes.
    await chmod(folder, 0o700).catch(() => undefined)
  }
  return {
    async put(name, bytes) {
      const path = pathOf(name)
      try {
        closed ??= close().catch((error: unknown) => {
          closed = undefined
          throw error
        })
        await closed
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await write(`${path}${DRAFT}`, bytes)
        await rename(`${path}${DRAFT}`, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(`${path}${DRAFT}`, { force: true }).catch(() => undefined)
        throw named(error)
      }
    },
    async read(name, range) {
      const path = pathOf(name)
      await stat(path).catch((cause: unknown) => {
        throw codeOf(cause) === 'ENOENT' ? new MissingDocument(name, { cause }) : named(cause)
      })
      return createReadStream(path, range)
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *entries() {
      for (const spread of await readdir(folder).catch(() => [])) {
        for (const name of await readdir(join(folder, spread)).catch(() => [])) {
          const found = await stat(join(folder, spread, name)).catch(() => null)
          if (!found?.isFile()) continue
          if (NAME.test(name)) yield { name, modifiedAt: found.mtime }
          // Half written when the server died, unless it is being written now.
          else if (name.endsWith(DRAFT) && Date.now() - found.mtimeMs > 3_600_000)
            await rm(join(folder, spread, name), { force: true })
        }
      }
    },
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** What the disk said, in the store's words. */
function named(cause: unknown): unknown {
  if (/^(ENOSPC|EDQUOT)$/.test(codeOf(cause))) return new StoreUnavailable(true, { cause })
  if (/^(EIO|EROFS|EACCES|EPERM|EMFILE|ENFILE|ESTALE|ENOTDIR|ENODEV|ENXIO)$/.test(codeOf(cause)))
    return new StoreUnavailable(false, { cause })
  return cause
}

/** A renamed file is only there for good when its folder is. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
