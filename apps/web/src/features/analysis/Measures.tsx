import {
  type AnalysisAnswer,
  formatFixed,
  formatNumber,
  type PairTestName,
  TEST_NAMES,
  treatmentText,
} from '@ensaio/domain'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight } from '../../charts/plot.ts'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

export function Efficacies({ analysis }: { analysis: AnalysisAnswer }) {
  const found = analysis.eficacia && 'linhas' in analysis.eficacia ? analysis.eficacia : null
  if (!found) return null
  const rows = found.linhas.map((line) => ({
    key: line.nivel,
    label: treatmentText(line.nivel, analysis.nomes),
    value: line.eficacia,
    low: line.ic_baixo,
    high: line.ic_alto,
    tip: [`${formatFixed(line.eficacia, 1)} %`],
  }))
  return (
    <ChartCard
      title={`Eficácia de controle (${found.metodo === 'abbott' ? 'Abbott' : 'Henderson-Tilton'})`}
      subtitle="% em relação à Testemunha"
      picture={{
        draw: intervals(rows, { name: 'Eficácia', unit: '%', decimals: 0 }, 0),
        height: intervalsHeight(rows.length),
      }}
      table={{
        columns: [
          { name: 'Tratamento' },
          { name: 'Eficácia (%)', numeric: true },
          { name: 'IC baixo', numeric: true },
          { name: 'IC alto', numeric: true },
        ],
        count: rows.length,
        rows: () =>
          rows.map((row) => ({
            key: row.key,
            cells: [row.label, formatFixed(row.value, 1), formatFixed(row.low, 1), formatFixed(row.high, 1)],
          })),
      }}
      note="As letras pertencem às contagens, nunca às eficácias."
    />
  )
}

export function Curves({ analysis }: { analysis: AnalysisAnswer }) {
  const found = analysis.aacpd
  if (!found) return null
  return (
    <Card>
      <CardHeader
        title="Área sob a curva de progresso (AACPD)"
        subtitle={`${found.avaliacoes} avaliações em ${formatNumber(found.duracao, 0)} dias`}
        level={3}
      />
      {found.avaliacoes < 3 && (
        <p className="px-5 pb-2 text-small text-warn">Menos de três avaliações: a área diz pouco.</p>
      )}
      <Table label="AACPD por tratamento">
        <thead>
          <tr>
            <Head>Tratamento</Head>
            <Head numeric>AACPD</Head>
            <Head numeric>Relativa, por dia</Head>
            <Head numeric>Controle (%)</Head>
          </tr>
        </thead>
        <tbody>
          {found.medias.map(({ nivel, aacpd, relativa, controle }) => (
            <Row key={nivel}>
              <Cell>{treatmentText(nivel, analysis.nomes)}</Cell>
              <Cell numeric>{formatFixed(aacpd, 1)}</Cell>
              <Cell numeric>{formatFixed(relativa, 2)}</Cell>
              <Cell numeric>{formatFixed(controle, 1)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

export function Rounding({ analysis }: { analysis: AnalysisAnswer }) {
  const found = analysis.arredondamento
  if (!found) return null
  const printed = analysis.letras_impressas
  return (
    <Card>
      <CardHeader
        title="Efeito do arredondamento"
        subtitle="o CV (ou a DMS) do relatório mais e menos meia unidade da última casa"
        level={3}
      />
      <p className="figures px-5 pb-4">
        F de {formatFixed(found.f_baixo, 2)} a {formatFixed(found.f_alto, 2)}; p de{' '}
        {formatFixed(found.p_baixo, 3)} a {formatFixed(found.p_alto, 3)}.{' '}
        {found.letras_estaveis ? 'As letras não mudam.' : 'As letras dependem do arredondamento.'}
        {printed && (
          <span className="block pt-1">
            Letras do relatório ({TEST_NAMES[printed.teste as PairTestName] ?? printed.teste}):{' '}
            {printed.conferem
              ? 'conferem'
              : printed.divergencias
                  .map(
                    ({ a, b, impresso, calculado }) =>
                      `${a} e ${b}: no relatório ${impresso}, aqui ${calculado}`,
                  )
                  .join('; ')}
            .
          </span>
        )}
      </p>
    </Card>
  )
}
