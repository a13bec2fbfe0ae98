import { MISSING_REASONS, type OpenConflict, type ParkedChange, shownValue, takesBack } from '@ensaio/domain'

/** What a newer application made cannot be read here. */
export const fitsSomewhere = ({ tipo, valor }: ParkedChange) =>
  tipo !== 'foto' && (tipo !== 'valor' || valor !== null)

const reasonText = (motivo: string): string =>
  MISSING_REASONS[motivo as keyof typeof MISSING_REASONS] ?? motivo

/** 'Parcela 101 · Altura de plantas · 82'. */
export function parkedTitle({ tipo, valor, motivo, base, rotulos }: ParkedChange): string {
  const reason = motivo === null ? null : reasonText(motivo)
  const said =
    valor !== null
      ? shownValue({ tipo: 'texto' }, valor)
      : tipo === 'sem_valor'
        ? `Sem valor (${reason ?? MISSING_REASONS.outro})`
        : tipo === 'exclusao' || tipo === 'decisao'
          ? 'Valor apagado'
          : tipo === 'nota'
            ? 'desfeita'
            : takesBack({ tipo, valor, base })
              ? 'Foto desfeita'
              : 'Não pode ser lido aqui'
  return [...placeOf(rotulos), tipo === 'nota' ? `Anotação: ${said}` : said].filter(Boolean).join(' · ')
}

const placeOf = ({ parcela, variavel, avaliacao }: ParkedChange['rotulos']) => [
  parcela && `Parcela ${parcela}`,
  variavel,
  avaliacao,
]

/** 'Parcela 101 · Altura (cm) · 45 DAE'; of samples, which one. */
export const conflictTitle = ({ rotulos, amostra }: OpenConflict): string =>
  [...placeOf(rotulos), amostra !== null && `amostra ${amostra}`].filter(Boolean).join(' · ')

/** What one of the two says. */
export function sideText(
  formato: OpenConflict['formato'],
  { valor, motivo }: { valor: OpenConflict['valor']; motivo: string | null },
): string {
  if (valor !== null) return shownValue({ tipo: formato.tipo, casas: formato.casas ?? undefined }, valor)
  return motivo === null ? 'sem valor' : `sem valor (${reasonText(motivo)})`
}
