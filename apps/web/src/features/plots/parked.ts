import { MISSING_REASONS, type ParkedChange, shownValue } from '@ensaio/domain'

/** What a newer application made cannot be read here. */
export const fitsSomewhere = ({ tipo, valor }: ParkedChange) =>
  tipo !== 'foto' && (tipo !== 'valor' || valor !== null)

/** 'Parcela 101 · Altura de plantas · 82'. */
export function parkedTitle({ tipo, valor, motivo, rotulos }: ParkedChange): string {
  const reason = motivo === null ? null : (MISSING_REASONS[motivo as keyof typeof MISSING_REASONS] ?? motivo)
  const said =
    valor !== null
      ? shownValue({ tipo: 'texto' }, valor)
      : tipo === 'sem_valor'
        ? `Sem valor (${reason ?? MISSING_REASONS.outro})`
        : tipo === 'exclusao' || tipo === 'decisao'
          ? 'Valor apagado'
          : 'Não pode ser lido aqui'
  const where = [rotulos.parcela && `Parcela ${rotulos.parcela}`, rotulos.variavel, rotulos.avaliacao]
  return [...where, tipo === 'nota' ? `Anotação: ${said}` : said].filter(Boolean).join(' · ')
}
