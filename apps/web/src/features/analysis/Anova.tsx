import { type AnalysisAnswer, formatFixed, formatNumber, pText } from '@ensaio/domain'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

export function Anova({ analysis }: { analysis: AnalysisAnswer }) {
  const { anova, residuos } = analysis
  const number = (value: number | null) =>
    value === null ? '' : formatNumber(value, Math.abs(value) < 1 ? 6 : 3)
  const stars = (p: number) => (p < 0.01 ? '**' : p < 0.05 ? '*' : 'ns')
  return (
    <Card>
      <CardHeader
        title="Análise de variância"
        subtitle={`${anova.metodo === 'reml' ? 'REML, gl de Satterthwaite' : `tipo ${anova.tipo === 'reconstruida' ? 'reconstruída' : anova.tipo}`} · ${analysis.modelo}`}
      />
      <Table label="Análise de variância">
        <thead>
          <tr>
            <Head>FV</Head>
            <Head numeric>GL</Head>
            <Head numeric>SQ</Head>
            <Head numeric>QM</Head>
            <Head numeric>F</Head>
            <Head numeric>p</Head>
          </tr>
        </thead>
        <tbody>
          {anova.linhas.map(({ fonte, rotulo, gl, sq, qm, f, p, gl_den }) => (
            <Row key={fonte}>
              <Cell>{rotulo}</Cell>
              <Cell numeric>
                {formatNumber(gl, 2)}
                {anova.metodo === 'reml' && gl_den !== null && (
                  <span className="text-muted"> ; {formatNumber(gl_den, 1)}</span>
                )}
              </Cell>
              <Cell numeric>{number(sq)}</Cell>
              <Cell numeric>{number(qm)}</Cell>
              <Cell numeric>{f === null ? '' : formatFixed(f, 2)}</Cell>
              <Cell numeric>{p === null ? '' : `${pText(p).replace(/^p =? ?/, '')} ${stars(p)}`}</Cell>
            </Row>
          ))}
          {anova.total && (
            <Row className="border-t-2 border-t-line-strong">
              <Cell>Total</Cell>
              <Cell numeric>{anova.total.gl}</Cell>
              <Cell numeric>{number(anova.total.sq)}</Cell>
              <Cell />
              <Cell />
              <Cell />
            </Row>
          )}
        </tbody>
      </Table>
      <p className="figures px-5 py-3 text-small text-muted">
        ** p &lt; 0,01; * p &lt; 0,05; ns: não significativo.{' '}
        {residuos
          .flatMap(({ chave, cv, cv_original: plain }) =>
            cv === null
              ? []
              : [
                  `CV${residuos.length > 1 ? ` (${chave.replace('residuo_', 'resíduo ')})` : ''} ${formatFixed(cv, 1)} %${plain === undefined ? '' : ' na escala transformada'}${plain == null ? '' : `, ${formatFixed(plain, 1)} % na original`}`,
                ],
          )
          .join(' · ')}
        {analysis.r2 !== null && ` · R² ${formatFixed(analysis.r2, 3)}`} · faixas gerais; dependem da cultura
        e da variável
      </p>
    </Card>
  )
}
