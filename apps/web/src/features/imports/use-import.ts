import { IMPORT_MAX_BYTES, type Import, type ImportMapping, type ImportRow } from '@ensaio/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { actingKey } from '../../api/acting.ts'
import { type ApiError, call, open, reasonOf } from '../../api/client.ts'
import { answerIs, queryClient } from '../../api/query-client.ts'

/** How often an import at work is asked how far it is. */
const LOOK_MS = 700
export const atWork = ({ estado }: Pick<Import, 'estado'>): boolean =>
  estado === 'lendo' || estado === 'gravando'

const keyOf = (id: string) => [actingKey(), 'getImport', id]

/** An import, asked again while it is being read or written. */
export function useImport(id: string | null) {
  return useQuery<Import, ApiError>({
    queryKey: keyOf(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await call('getImport', { params: { id: id ?? '' } }, { signal })).importacao,
    refetchInterval: ({ state }) => (state.data && atWork(state.data) ? LOOK_MS : false),
  })
}

/** What an answer says of an import stands without asking again. */
export function told(importacao: Import): void {
  answerIs(keyOf(importacao.id), () => importacao)
  void queryClient.invalidateQueries({ queryKey: [actingKey(), 'listImports'] })
}

/** One change after the other, with its failure in words. */
export function useChange() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async <T>(work: () => Promise<T>): Promise<T | null> => {
    setBusy(true)
    setFailure(null)
    try {
      return await work()
    } catch (error) {
      setFailure(reasonOf(error))
      return null
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, run }
}

/** Says what columns are. */
export async function mapImport(id: string, body: ImportMapping): Promise<Import> {
  const { importacao } = await call('mapImport', { params: { id }, body }, { timeoutMs: 60_000 })
  told(importacao)
  return importacao
}

export interface CellEdit {
  linha: number
  coluna: string
  valor: string
}

export async function correct(
  id: string,
  body: { alteracoes: CellEdit[]; iguais?: boolean; mesmo_assim?: number[] },
): Promise<{ experimentos: ImportRow[]; anteriores: CellEdit[] }> {
  const { importacao, experimentos, anteriores } = await call(
    'correctImport',
    { params: { id }, body },
    { timeoutMs: 60_000 },
  )
  told(importacao)
  return { experimentos, anteriores }
}

export type Sheet = { file: File } | { texto: string }

/** Sends a spreadsheet; the same bytes once more come back as the earlier import, unless they are to be read again. */
export async function sendSheet(
  from: Sheet,
  repetir = false,
): Promise<{ importacao: Import; earlier: boolean }> {
  const query = repetir ? { query: { repetir: '1' as const } } : {}
  if ('file' in from && from.file.size > IMPORT_MAX_BYTES) throw new Error('A planilha passa de 20 MB')
  const form = 'file' in from ? new FormData() : null
  if (form && 'file' in from) form.append('arquivo', from.file, from.file.name)
  const response = await open(
    'createImport',
    (form ? query : { ...query, body: { texto: 'texto' in from ? from.texto : '' } }) as never,
    { timeoutMs: 180_000, ...(form && { form }) },
  )
  const { importacao } = (await response.json()) as { importacao: Import }
  told(importacao)
  return { importacao, earlier: response.status === 200 }
}
