/** Hands a URL to the person as a file. */
export function downloadUrl(url: string, filename: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
}

/** A table as CSV for Brazilian spreadsheets: `;` between cells, a byte order mark in front. */
export function downloadCsv(
  filename: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const text = [columns, ...rows].map((row) => row.map(cell).join(';')).join('\r\n')
  downloadText(filename, `\ufeff${text}\r\n`, 'text/csv')
}

/** A text as a file. */
export const downloadText = (filename: string, text: string, type: string): void =>
  downloadBlob(filename, new Blob([text], { type: `${type};charset=utf-8` }))

/** How long a browser may take to begin to read what it saves. */
const SAVED_AFTER_MS = 60_000

/** What has been fetched or made, as a file. */
export function downloadBlob(filename: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  downloadUrl(url, filename)
  setTimeout(() => URL.revokeObjectURL(url), SAVED_AFTER_MS)
}

/** A cell that begins like a formula is set apart, so that no spreadsheet runs it. */
function cell(shown: string): string {
  // A spreadsheet reads the hyphen as minus, the sign for minus as text.
  const text = shown.replace(/^\u2212(?=\d)/, '-')
  const safe = /^[=+@\t\r]|^-(?![\d.,])/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
