import { counted, IMPORT_MAX_COLUMNS, type ImportMapping, problem } from '@ensaio/domain'
import { isField, standardProblem } from '@ensaio/domain/imports'
import type { Handle } from '../../database/handle.ts'
import type { Chosen, StoredImport } from './imports.repository.ts'
import { CHOSEN, knownNames } from './looking.ts'
import { type StoredTemplate, templateById } from './templates.repository.ts'

/** What a saved model says, as choices. */
export const modelChoices = ({ id, nome, forma, mapa, padroes }: StoredTemplate): Partial<Chosen> => ({
  modelo: { id, nome },
  titulos: mapa,
  forma,
  padroes,
})

/** What is said of the file as a whole. */
export function notesOf({ cabeca, escolhas }: StoredImport): string[] {
  const head = cabeca
  if (!head) return []
  const rows = head.folhas.reduce((sum, { linhas_ocultas }) => sum + linhas_ocultas.length, 0)
  const columns = head.folhas.reduce((sum, { colunas_ocultas }) => sum + colunas_ocultas.length, 0)
  const sheets = head.folhas.filter(({ oculta, linhas }) => oculta && linhas > 0).length
  const skipped = escolhas.ignorar_ocultas === true
  return [
    ...head.avisos,
    ...(rows > 0
      ? [
          skipped
            ? `${counted(rows, 'linha oculta foi ignorada', 'linhas ocultas foram ignoradas')}`
            : counted(rows, 'linha oculta foi incluída', 'linhas ocultas foram incluídas'),
        ]
      : []),
    ...(columns > 0
      ? [
          skipped
            ? counted(columns, 'coluna oculta foi ignorada', 'colunas ocultas foram ignoradas')
            : counted(columns, 'coluna oculta foi incluída', 'colunas ocultas foram incluídas'),
        ]
      : []),
    ...(sheets > 0
      ? [counted(sheets, 'folha oculta pode ser escolhida', 'folhas ocultas podem ser escolhidas')]
      : []),
  ]
}

/** What was chosen before, with what is said now. */
export async function chosenWith(
  handle: Handle,
  stored: StoredImport,
  given: ImportMapping,
): Promise<Partial<Chosen>> {
  const before: Chosen = { ...CHOSEN, ...stored.escolhas }
  const { mapa = {}, decimal = {}, padroes, modelo, ...plain } = given
  if (given.folha != null && !stored.cabeca?.folhas.some(({ nome }) => nome === given.folha))
    throw problem('validation.failed', {
      fields: [{ path: 'folha', message: 'Esta folha não está na planilha' }],
    })
  // Another sheet, row of titles or form has columns of its own: what was said of the former ones says nothing of them.
  const other =
    (given.folha !== undefined && given.folha !== before.folha && stored.plano?.folha !== given.folha) ||
    (given.linha_titulos !== undefined && given.linha_titulos !== stored.plano?.linha_titulos) ||
    (given.forma !== undefined && given.forma !== stored.plano?.forma)
  const said = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const base: Chosen = {
    ...before,
    ...said,
    ...(other && { mapa: {}, decimal: {}, titulos: {}, modelo: null }),
  }
  const columns = new Set(stored.plano?.mapa.map(({ coluna }) => coluna))
  for (const coluna of Object.keys(mapa))
    if (!other && stored.plano && !columns.has(coluna))
      throw problem('validation.failed', {
        fields: [{ path: `mapa.${coluna}`, message: 'Esta coluna não está na planilha' }],
      })
  for (const [coluna, campo] of Object.entries(mapa))
    if (campo !== null && !isField(campo))
      throw problem('validation.failed', {
        fields: [{ path: `mapa.${coluna}`, message: 'Escolha um campo da lista' }],
      })
  const standards = Object.entries(padroes ?? {})
  const names = standards.length > 0 ? await knownNames(handle, stored.organizacao_id) : null
  for (const [campo, texto] of names ? standards : []) {
    const wrong = !isField(campo)
      ? 'Escolha um campo da lista'
      : texto.trim() === '' || names === null
        ? null
        : standardProblem(campo, texto, { safra: given.safra ?? before.safra, names })
    if (wrong) throw problem('validation.failed', { fields: [{ path: `padroes.${campo}`, message: wrong }] })
  }
  const model = modelo ? await templateById(handle, modelo) : null
  if (modelo && !model) throw problem('import.template_not_found')
  const merged: Chosen = {
    ...base,
    mapa: { ...base.mapa, ...mapa },
    decimal: { ...base.decimal, ...decimal },
    padroes: padroes === undefined ? base.padroes : filledOnly({ ...base.padroes, ...padroes }),
  }
  if (modelo === null) return { ...merged, modelo: null, titulos: {} }
  return model ? { ...merged, ...modelChoices(model), mapa: { ...mapa } } : merged
}

const filledOnly = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))

export const sheetIndex = ({ plano, cabeca }: StoredImport): number =>
  Math.max(0, cabeca?.folhas.findIndex(({ nome }) => nome === plano?.folha) ?? 0)

/** 'A' -> 0, 'AA' -> 26. */
export const columnIndex = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** 'F', or 'Tratamentos!F' where sheets are joined. */
export function placeIn(
  stored: StoredImport,
  column: string,
  sheet: string | null = null,
): { folha: number; index: number } {
  const at = column.lastIndexOf('!')
  const letters = column.slice(at + 1).toUpperCase()
  const name = at === -1 ? sheet : column.slice(0, at)
  if (name === null && stored.plano?.forma === 'folhas')
    throw problem('validation.failed', {
      fields: [{ path: 'alteracoes', message: 'Diga a folha da coluna, que são várias' }],
    })
  const folha =
    name === null ? sheetIndex(stored) : (stored.cabeca?.folhas.findIndex(({ nome }) => nome === name) ?? -1)
  const index = /^[A-Z]{1,3}$/.test(letters) ? columnIndex(letters) : -1
  if (folha === -1 || index === -1 || index >= IMPORT_MAX_COLUMNS)
    throw problem('validation.failed', {
      fields: [{ path: 'alteracoes', message: `A coluna ${column.slice(0, 60)} não está na planilha` }],
    })
  return { folha, index }
}
