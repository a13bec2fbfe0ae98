import { problem, type Treatment, type TrialSheet, yieldMeans } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import { type StoredSheet, sheetOf } from './sheets.repository.ts'

/** A stored sheet as its readers take it, without the names of people. */
export const plainSheet = ({ versao, corpo, valores, alterada_em }: StoredSheet): TrialSheet => ({
  ...corpo,
  versao,
  valores: valores.map(({ variavel, avaliacao, valores }) => ({ variavel, avaliacao, valores })),
  textos: valores.flatMap(({ variavel, avaliacao, textos }) =>
    textos ? [{ variavel, avaliacao, textos }] : [],
  ),
  alterada_em: alterada_em.toISOString(),
  alterada_por: null,
  exclusoes: corpo.exclusoes.map((out) => ({ ...out, quem: null })),
})

/**
 * Treatments as they may be stored beside a sheet, and that sheet: the yields of those that have plots are the plots' and not what
 * was typed. @throws trial.treatment_in_use when one that has plots is taken away or moved
 */
export async function heldByPlots<T extends Pick<Treatment, 'nome' | 'produtividade'>>(
  handle: Handle,
  experimentId: string,
  before: readonly { nome: string }[],
  given: readonly T[],
): Promise<{ tratamentos: readonly T[]; sheet: StoredSheet | undefined }> {
  const stored = await sheetOf(handle, experimentId)
  if (!stored) return { tratamentos: given, sheet: undefined }
  const used = new Set(stored.corpo.parcelas.map(({ tratamento }) => tratamento))
  for (const number of used) {
    const [old, next] = [before[number - 1]?.nome, given[number - 1]?.nome]
    const left = old !== next && given.some(({ nome }) => nome === old)
    // Another one took the place: what stood behind one that was taken away moves up.
    const taken = old !== next && before.some(({ nome }, at) => nome === next && given[at]?.nome !== next)
    if (next === undefined || left || taken) throw problem('trial.treatment_in_use')
  }
  const means = new Map(
    yieldMeans(plainSheet(stored))?.map(({ numero, produtividade }) => [numero, produtividade]),
  )
  const tratamentos = given.map((treatment, at) => ({
    ...treatment,
    produtividade: means.get(at + 1) ?? treatment.produtividade,
  }))
  return { tratamentos, sheet: stored }
}
