import { IMPORT_DAYS, type Import, type ImportRow } from '@ensaio/domain'
import { columnOf, textOf } from '@ensaio/domain/imports'
import type { StoredImport, StoredRow } from './imports.repository.ts'
import { CHOSEN } from './looking.ts'
import type { StoredTrial } from './trials.repository.ts'

/** As the maker, or who leads their organisation, is told. */
export function presentImport(stored: StoredImport, maker: string | null): Import {
  const { cabeca: head, plano: plan, resumo } = stored
  const chosen = { ...CHOSEN, ...stored.escolhas }
  const until = stored.gravada_em && new Date(stored.gravada_em.getTime() + IMPORT_DAYS * 86_400_000)
  return {
    id: stored.id,
    nome: stored.nome,
    estado: stored.estado,
    problema: stored.problema,
    progresso: {
      linhas: stored.linhas,
      experimentos: stored.estado === 'gravando' ? stored.criados + stored.atualizados : stored.entendidos,
    },
    formato: head?.formato ?? null,
    codificacao: head?.codificacao ?? null,
    separador: head?.separador ?? null,
    folhas: (head?.folhas ?? []).map(({ nome, linhas, colunas, oculta }) => ({
      nome,
      linhas,
      colunas,
      oculta,
    })),
    folha: plan?.folha ?? null,
    linha_titulos: plan?.linha_titulos ?? null,
    forma: plan?.forma ?? null,
    mapa: plan?.mapa ?? [],
    faltam: plan?.faltam ?? [],
    primeiro: plan?.primeiro ?? null,
    padroes: { ...chosen.padroes },
    modelo: chosen.modelo,
    safra: chosen.safra,
    vazias_apagam: chosen.vazias_apagam,
    ignorar_ocultas: chosen.ignorar_ocultas,
    notas: stored.notas,
    resumo: { linhas: stored.linhas, ...resumo },
    gravados: { criados: stored.criados, atualizados: stored.atualizados },
    desfazer_ate: until && until.getTime() > Date.now() ? until.toISOString() : null,
    criada_por: stored.criada_por === null ? null : { id: stored.criada_por, nome: maker ?? '' },
    created_at: stored.created_at.toISOString(),
  }
}

/** A trial with the cells of its rows as they stand now. */
export function presentRow(
  trial: StoredTrial,
  rows: readonly StoredRow[],
  { plano, cabeca }: StoredImport,
): ImportRow {
  const byPlace = new Map(rows.map((row) => [`${row.folha} ${row.linha}`, row]))
  const joined = plano?.forma === 'folhas'
  return {
    n: trial.n,
    linhas: trial.linhas,
    estado: trial.estado,
    id: trial.experimento_id,
    chave: trial.chave,
    dados: trial.dados,
    mudancas: trial.mudancas,
    problemas: trial.problemas,
    celulas: trial.linhas.flatMap((linha, at) => {
      const folha = trial.folhas[at] ?? 0
      const row = byPlace.get(`${folha} ${linha}`)
      if (!row) return []
      const sheet = joined ? (cabeca?.folhas[folha]?.nome ?? '') : null
      const texts = row.celulas.map((cell, index) => [columnOf(sheet, index), textOf(cell)] as const)
      return [{ folha: sheet, linha, valores: Object.fromEntries(texts.filter(([, text]) => text !== '')) }]
    }),
    gravado: trial.gravado !== null && !trial.desfeito,
  }
}
