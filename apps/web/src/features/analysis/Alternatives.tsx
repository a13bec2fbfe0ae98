import { type AnalysisAnswer, formatFixed, formatNumber, pText } from '@ensaio/domain'
import type { ReactNode } from 'react'
import { useSetAddress } from '../../shell/address.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'

export function Transformation({ analysis }: { analysis: AnalysisAnswer }) {
  const write = useSetAddress({ replace: false })
  const found = analysis.box_cox
  if (analysis.transformacao !== 'nenhuma')
    return (
      <Banner
        tone="info"
        action={
          <Button size="small" onClick={() => write({ transformacao: '', lambda: '' })}>
            Voltar aos dados originais
          </Button>
        }
      >
        {analysis.frases.retro}
      </Banner>
    )
  if (!found || !('lambda' in found)) return null
  const { lambda, ic_baixo, ic_alto, sugestao } = found
  return (
    <Card>
      <CardHeader
        title="Transformação (Box-Cox)"
        subtitle={`λ = ${formatNumber(lambda, 2)} (IC 95 %: ${formatNumber(ic_baixo, 2)} a ${formatNumber(ic_alto, 2)})`}
        level={3}
      />
      <div className="flex flex-wrap items-center gap-3 px-5 pb-4 text-small">
        {sugestao === null ? (
          <p className="text-muted">O intervalo contém 1: nenhuma transformação é proposta.</p>
        ) : (
          <>
            <p>A transformação com λ = {formatNumber(sugestao, 1)} aproxima os resíduos da normalidade.</p>
            <Button
              size="small"
              onClick={() => {
                const named = sugestao === 0 ? 'log' : sugestao === 0.5 ? 'raiz' : 'boxcox'
                write({ transformacao: named, lambda: named === 'boxcox' ? String(sugestao) : '' })
              }}
            >
              Analisar transformado
            </Button>
          </>
        )}
      </div>
    </Card>
  )
}

export function FallBacks({ analysis }: { analysis: AnalysisAnswer }) {
  const { nao_parametrico: ranks, welch } = analysis
  const f = analysis.anova.linhas.find(({ fonte }) => fonte === 'tratamento')
  const parts: ReactNode[] = []
  if (ranks && 'teste' in ranks) {
    const agrees = f?.p != null && f.p < analysis.alfa === ranks.p < analysis.alfa
    const different = ranks.pares.filter(({ p_ajustado }) => p_ajustado < analysis.alfa)
    parts.push(
      <div key="ranks" className="flex flex-col gap-2">
        <p>
          <strong className="font-semibold">
            {ranks.teste === 'kruskal' ? 'Kruskal-Wallis com Dunn (Holm)' : 'Friedman com Nemenyi'}
          </strong>
          : {ranks.teste === 'kruskal' ? 'H' : 'χ²'} = {formatFixed(ranks.estatistica, 2)}; gl ={' '}
          {formatNumber(ranks.gl, 0)}; {pText(ranks.p)}
          {ranks.iman_davenport &&
            ` · Iman-Davenport ${ranks.iman_davenport.f === null ? 'F infinito' : `F = ${formatFixed(ranks.iman_davenport.f, 2)}`} (${pText(ranks.iman_davenport.p)})`}
        </p>
        <ul className="figures flex flex-wrap gap-x-5 gap-y-1 text-small">
          {Object.entries(ranks.postos_medios)
            .sort(([, a], [, b]) => b - a)
            .map(([level, rank]) => (
              <li key={level}>
                {level}: {formatFixed(rank, 2)}{' '}
                <strong className="font-semibold">{ranks.letras[level] ?? ''}</strong>
              </li>
            ))}
        </ul>
        {ranks.p < analysis.alfa && (
          <p className="text-small text-muted">
            {different.length === 0
              ? 'Nenhum par difere depois do ajuste.'
              : `Diferem: ${different.map(({ a, b }) => `${a} e ${b}`).join('; ')}.`}
          </p>
        )}
        {f?.p != null && (
          <p className="text-small text-muted">
            O teste não paramétrico {agrees ? 'concorda' : 'não concorda'} com a análise de variância.
          </p>
        )}
      </div>,
    )
  }
  if (welch && 'f' in welch)
    parts.push(
      <div key="welch" className="flex flex-col gap-2">
        <p>
          <strong className="font-semibold">Welch com Games-Howell</strong>: F = {formatFixed(welch.f, 2)}; gl
          = {formatNumber(welch.gl1, 0)} e {formatNumber(welch.gl2, 1)}; {pText(welch.p)}
        </p>
        <p className="text-small text-muted">
          {welch.pares
            .filter(({ p }) => p < analysis.alfa)
            .map(({ a, b, p }) => `${a} e ${b} (${pText(p)})`)
            .join('; ') || 'Nenhum par difere.'}
        </p>
      </div>,
    )
  if (parts.length === 0) return null
  return (
    <details className="rounded-md border border-line bg-surface px-5 py-4">
      <summary className="cursor-pointer font-semibold">
        Alternativas quando os pressupostos preocupam
      </summary>
      <div className="flex flex-col gap-5 pt-4">{parts}</div>
    </details>
  )
}
