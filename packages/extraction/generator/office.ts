import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type OfficeKind = 'writer' | 'calc'

/** The name under which LibreOffice starts here, or null where it is not installed. */
export function findOffice(): string | null {
  for (const name of [process.env.SOFFICE, 'soffice', 'libreoffice'])
    try {
      if (name) execFileSync(name, ['--version'], { stdio: 'ignore' })
      if (name) return name
    } catch {
      // not this one
    }
  return null
}

/** Prints documents by LibreOffice, many in one start; texts go through a Word file first, as they do in life. */
export function printByOffice(office: string, kind: OfficeKind, sources: readonly string[]): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'ensaio-office-'))
  const profile = pathToFileURL(join(folder, 'profile')).href
  const convert = (to: string, extra: readonly string[], files: readonly string[], out: string): void => {
    mkdirSync(out, { recursive: true })
    execFileSync(
      office,
      [
        `-env:UserInstallation=${profile}`,
        '--headless',
        ...extra,
        '--convert-to',
        to,
        '--outdir',
        out,
        ...files,
      ],
      { stdio: 'ignore', timeout: 300_000 },
    )
  }
  try {
    const start = kind === 'calc' ? 'fods' : 'html'
    let files = sources.map((source, n) => {
      const file = join(folder, `${n}.${start}`)
      writeFileSync(file, source)
      return file
    })
    if (kind === 'writer') {
      convert('docx:MS Word 2007 XML', ['--infilter=HTML (StarWriter)'], files, join(folder, 'word'))
      files = sources.map((_, n) => join(folder, 'word', `${n}.docx`))
    }
    convert('pdf', [], files, join(folder, 'pdf'))
    return sources.map((_, n) => readFileSync(join(folder, 'pdf', `${n}.pdf`)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
