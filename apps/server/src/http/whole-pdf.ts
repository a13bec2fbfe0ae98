import { problem } from '@ensaio/domain'

/**
 * What is stored must open as a PDF: behind the first bytes there are objects and a root to begin from, in a
 * trailer, in a cross-reference stream, or left where a broken trailer can be rebuilt from. @throws Problem
 */
export function wholePdf(bytes: Buffer): Buffer {
  const hasObjects = /\d\s+\d+\s+obj\b/.test(bytes.toString('latin1'))
  if (!hasObjects || !(bytes.includes('/Root') || bytes.includes('/Catalog')))
    throw problem('document.invalid')
  return bytes
}
