import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeLines } from '../layout/lines.ts'
import { withDocument } from './pdfium.ts'
import { readPages } from './read.ts'

test('what nobody sees on a page is not read, and white letters on a dark gradient are', async () => {
  const bytes = new Uint8Array(readFileSync(new URL('../../test/hidden.pdf', import.meta.url)))
  const [page] = await withDocument(bytes, async (library, document) => readPages(library, document, {}))
  const lines = makeLines(page?.words ?? [], []).map(({ segments }) =>
    segments.map(({ text }) => text).join(' '),
  )
  expect(lines).toEqual(['Testemunha produziu 60 sc/ha', 'Mancozebe 1234', 'branco sobre azul'])
})
