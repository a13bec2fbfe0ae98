import { join } from 'node:path'
import type { Config } from '../config.ts'
import { diskStore } from './disk-store.ts'
import type { DocumentStore } from './document-store.ts'

/** The store named by STORAGE_URL, else a folder of the data directory. */
export async function chooseStore(config: Pick<Config, 'storageUrl' | 'dataDir'>): Promise<DocumentStore> {
  if (!config.storageUrl) return diskStore(join(config.dataDir, 'documents'))
  // Loaded only when asked for: the client is large.
  const { s3Store } = await import('./s3-store.ts')
  return s3Store(config.storageUrl)
}
