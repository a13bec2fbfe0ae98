import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { diskStore } from './disk-store.ts'
import { type DocumentStore, MissingDocument } from './document-store.ts'
import { s3Store } from './s3-store.ts'
import { startFakeS3 } from './test-s3.ts'

const folder = mkdtempSync(join(tmpdir(), 'ensaio-store-'))
const s3 = await startFakeS3()
const stores: Record<string, () => DocumentStore> = {
  disk: () => diskStore(folder),
  s3: () => s3Store(s3.address),
}

afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

const text = async (stream: Readable) => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe.each(Object.entries(stores))('a store on %s', (_kind, open) => {
  test('gives back what it was given, whole or in part', async () => {
    const store = open()
    await store.put('um-ab.pdf', Buffer.from('%PDF-1.7 conteúdo'))
    expect(await text(await store.read('um-ab.pdf'))).toBe('%PDF-1.7 conteúdo')
    expect(await text(await store.read('um-ab.pdf', { start: 0, end: 4 }))).toBe('%PDF-')
  })

  test('forgets what is removed, and removing twice is no error', async () => {
    const store = open()
    await store.put('dois-ab.pdf', Buffer.from('x'))
    await store.remove('dois-ab.pdf')
    await store.remove('dois-ab.pdf')
    await expect(store.read('dois-ab.pdf')).rejects.toThrow(MissingDocument)
  })

  test('lists everything with its age', async () => {
    const store = open()
    for (const name of ['a-00.pdf', 'b-01.pdf', 'c-02.pdf']) await store.put(name, Buffer.from('x'))
    const names: string[] = []
    for await (const { name, modifiedAt } of store.entries()) {
      names.push(name)
      expect(Date.now() - modifiedAt.getTime()).toBeLessThan(60_000)
    }
    expect(names).toEqual(expect.arrayContaining(['a-00.pdf', 'b-01.pdf', 'c-02.pdf', 'um-ab.pdf']))
  })
})

test('a name that is no stored name never reaches the disk', async () => {
  await expect(diskStore(folder).put('../fora.pdf', Buffer.from('x'))).rejects.toThrow()
})

test.skipIf(process.platform === 'win32')(
  'nobody else may look into the folder, not even one that was open',
  async () => {
    for (const name of ['novo', 'antigo']) {
      const path = join(folder, name)
      if (name === 'antigo') mkdirSync(path, { mode: 0o755 })
      await diskStore(path).put('um-ab.pdf', Buffer.from('x'))
      for (const each of [path, join(path, 'ab')]) expect(statSync(each).mode & 0o777).toBe(0o700)
    }
  },
)
