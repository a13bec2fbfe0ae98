import { type FieldChange, MISSING_REASONS, takesBack, typedValue } from '@ensaio/domain'
import type { OwnEntry } from './database.ts'

/** Behind the lines that a person reads, the very entries, so that the file can be read in again. */
const MARK = '#ENSAIO-CAMPO '

const KINDS: Record<FieldChange['tipo'], string> = {
  ...{ valor: 'valor', sem_valor: 'sem valor', exclusao: 'apagado', nota: 'anotação', foto: 'foto' },
  decisao: 'decisão',
}
export const STATES: Record<OwnEntry['estado'], string> = {
  espera: 'Para enviar',
  aplicado: 'Enviado',
  igual: 'Enviado, igual ao que estava',
  conflito: 'Enviado, em conflito',
  guardado: 'Guardado no servidor, aguardando decisão',
  recusado: 'Recusado pelo servidor',
}

/** 'Salvar cópia': a readable CSV and the exact entries in one file. */
export function copyText(entries: readonly OwnEntry[]): string {
  const rows = entries.map(({ registro, estado, seq }) => [
    ...[String(seq), registro.quando, registro.rotulos.parcela ?? '', registro.rotulos.variavel ?? ''],
    ...[
      registro.rotulos.avaliacao ?? '',
      takesBack(registro) ? `${KINDS[registro.tipo]} desfeita` : KINDS[registro.tipo],
      saidIn(registro),
      STATES[estado],
      registro.id,
    ],
  ])
  const head = ['numero', 'quando', 'parcela', 'variavel', 'avaliacao', 'tipo', 'valor', 'estado', 'id']
  return `\uFEFF${[head, ...rows].map((row) => row.map(quoted).join(';')).join('\r\n')}\r\n${MARK}${JSON.stringify(entries)}\r\n`
}

/** What an entry says, without the trial: 'Altura: 82,5', 'Anotação: acamada', 'Altura: sem valor (Parcela perdida)'. */
export function entrySaid(entry: FieldChange): string {
  const { tipo, rotulos } = entry
  const said = saidIn(entry)
  const what = tipo === 'nota' ? 'Anotação' : rotulos.variavel
  const text =
    tipo === 'exclusao' || said === ''
      ? KINDS[tipo === 'nota' ? 'exclusao' : tipo]
      : tipo === 'sem_valor'
        ? `${KINDS.sem_valor} (${said})`
        : said
  return what ? `${what}: ${text}` : text
}

function saidIn({ valor, motivo }: FieldChange): string {
  if (Array.isArray(valor)) return valor.map(typedValue).join(' ')
  if (valor !== null) return typedValue(valor)
  return motivo !== null && motivo in MISSING_REASONS
    ? MISSING_REASONS[motivo as keyof typeof MISSING_REASONS]
    : (motivo ?? '')
}

/** What a spreadsheet would take for a formula is kept a text. */
const quoted = (text: string): string => {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The entries of a copy; null where it is none. */
export function readCopy(text: string): OwnEntry[] | null {
  const line = text.split(/\r?\n/).findLast((one) => one.startsWith(MARK))
  if (line === undefined) return null
  try {
    const given: unknown = JSON.parse(line.slice(MARK.length))
    return Array.isArray(given) && given.every(isEntry) ? given : null
  } catch {
    return null
  }
}

function isEntry(given: unknown): given is OwnEntry {
  const { id, seq, experimento, organizacao, registro } = (given ?? {}) as Partial<OwnEntry>
  return (
    typeof id === 'string' &&
    typeof seq === 'number' &&
    typeof experimento === 'string' &&
    typeof organizacao === 'string' &&
    registro?.id === id &&
    typeof registro.aparelho === 'string'
  )
}
