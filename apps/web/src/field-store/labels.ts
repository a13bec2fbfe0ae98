import type { StoredPackage } from './database.ts'

/** What a scanned text says: the code of a label, whatever address stands before it, in whatever letters. */
export const labelCode = (text: string): string =>
  (/\/q\/([0-9a-z]{1,20})\/?$/i.exec(text.trim())?.[1] ?? text.trim()).toUpperCase()

/** The whole address of a label, as a scanner types it. */
export const isLabelAddress = (text: string): boolean =>
  /^https?:\/\/\S+\/q\/[0-9a-z]{10}\/?$/i.test(text.trim())

/** A label by itself: its address, or its code, which no value and no word looks like. */
export const isLabel = (text: string): boolean =>
  isLabelAddress(text) || (/^[0-9A-HJKMNP-TV-Z]{10}$/i.test(text) && /\d/.test(text) && /[a-z]/i.test(text))

/** The plot of a code, or of a number in one trial, among what this phone holds. */
export function findPlot(
  packages: readonly StoredPackage[],
  text: string,
  within: string | null,
): { package: StoredPackage; plot: number } | null {
  const code = labelCode(text)
  for (const held of [...packages].sort((a) => (a.experimento === within ? -1 : 1))) {
    const plot = held.pacote.parcelas.findIndex(
      ({ codigo, numero }) =>
        codigo === code || (held.experimento === within && String(numero) === text.trim()),
    )
    if (plot >= 0) return { package: held, plot }
  }
  return null
}
