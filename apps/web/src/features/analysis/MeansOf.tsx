import {
  type AnalysisAnswer,
  bestFirst,
  formatFixed,
  formatNumber,
  isSignificant,
  LIBERAL,
  lettersOf,
  meanDecimals,
  NO_VALUE,
  type PairTestName,
  scaleText,
  shownMean,
  TEST_NAMES,
} from '@ensaio/domain'
import type { Group } from '@ensaio/statistics'
import { useMemo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight } from '../../charts/plot.ts'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { meanRows, meanTable, within } from './within.ts'

type GroupProps = {
  analysis: AnalysisAnswer
  group: Group
  test: PairTestName
  anyway: boolean
  hideLetters: boolean
}

export function MeansOf({ analysis, group, test, anyway, hideLetters }: GroupProps) {
  const decimals = meanDecimals(analysis)
  const significant = isSignificant(analysis, group)
  const confidence = formatNumber(100 * (1 - analysis.alfa), 0)
  const letters = (significant && !hideLetters) || anyway ? lettersOf(group, test) : null
  const unstable = analysis.arredondamento?.letras_estaveis === false
  const means = bestFirst(group, analysis.variavel.maior_melhor)
  const control =
    group.efeito === 'tratamento'
      ? group.medias.find(({ nivel }) => nivel === analysis.testemunha)
      : undefined
  const { unidade } = analysis.variavel
  const original = analysis.transformacao === 'nenhuma'
  const rows = useMemo(() => meanRows(analysis, group, letters), [analysis, group, letters])
  const missing =
    test === 'scott_knott' && group.scott_knott && 'motivo' in group.scott_knott
      ? group.scott_knott.motivo
      : null
  const subtitle = [
    `${analysis.variavel.nome}${unidade ? ` (${unidade})` : ''}`,
    analysis.variavel.maior_melhor === false ? '(menor é melhor)' : null,
    letters
      ? `letras: ${TEST_NAMES[test]}${LIBERAL.has(test) ? ' (liberal)' : ''}`
      : significant
        ? null
        : 'F não significativo: sem letras',
    original ? null : `letras na escala ${scaleText(analysis.transformacao, analysis.lambda)}`,
    analysis.origem === 'reconstruida' ? 'reconstruída' : null,
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card>
        <CardHeader title={within(analysis, group)} subtitle={subtitle} />
        <Table label={`Médias de ${within(analysis, group)}`}>
          <thead>
            <tr>
              <Head>{group.efeito === 'tratamento' ? 'Tratamento' : 'Nível'}</Head>
              <Head numeric className="hidden sm:table-cell">
                n
              </Head>
              <Head numeric>Média</Head>
              {letters && <Head>Letra</Head>}
              <Head numeric className="hidden sm:table-cell">
                Erro padrão
              </Head>
              {control && original && <Head numeric>Δ Testemunha</Head>}
            </tr>
          </thead>
          <tbody>
            {means.map((mean) => {
              const value = shownMean(mean)
              const difference =
                control?.ajustada == null || mean.ajustada === null || mean === control
                  ? null
                  : mean.ajustada - control.ajustada
              return (
                <Row
                  key={mean.nivel}
                  className={mean === control ? 'border-t-2 border-t-line-strong bg-sunken' : ''}
                >
                  <Cell>
                    <span className="figures">{mean.nivel}</span>
                    {group.efeito === 'tratamento' && analysis.nomes[mean.nivel] !== mean.nivel && (
                      <span className="text-muted"> {analysis.nomes[mean.nivel]}</span>
                    )}
                    {mean.fora && (
                      <span className="block text-small text-muted">fora dos testes: {mean.fora}</span>
                    )}
                  </Cell>
                  <Cell numeric className="hidden sm:table-cell">
                    {mean.n}
                  </Cell>
                  <Cell numeric className="font-semibold">
                    {value === null ? NO_VALUE : formatFixed(value, decimals)}
                    {mean.aritmetica !== undefined && (
                      <span className="block text-small font-normal text-muted">
                        aritmética {formatFixed(mean.aritmetica, decimals)}
                      </span>
                    )}
                  </Cell>
                  {letters && (
                    <Cell
                      className={`figures font-semibold ${unstable ? 'text-faint' : ''}`}
                      {...(unstable ? { title: 'dependem do arredondamento' } : {})}
                    >
                      {letters[mean.nivel] ?? ''}
                    </Cell>
                  )}
                  <Cell numeric className="hidden sm:table-cell">
                    {mean.ep === null ? NO_VALUE : formatNumber(mean.ep, Math.max(2, decimals))}
                  </Cell>
                  {control && original && (
                    <Cell numeric>
                      {difference === null ? (
                        <span className="text-muted">controle</span>
                      ) : (
                        `${difference > 0 ? '+' : ''}${formatFixed(difference, decimals)}`
                      )}
                    </Cell>
                  )}
                </Row>
              )
            })}
          </tbody>
        </Table>
        <p className="px-5 py-3 text-small text-muted">
          {missing
            ? `Scott-Knott: ${missing}.`
            : unstable && letters
              ? 'As letras dependem do arredondamento do CV ou da DMS do relatório.'
              : letters
                ? 'Letras escondem o tamanho da diferença: leia-as ao lado dos intervalos.'
                : hideLetters
                  ? 'Doses são lidas pela regressão, abaixo.'
                  : ''}
        </p>
      </Card>
      {rows.length > 0 && (
        <ChartCard
          title={`Médias com intervalo de ${confidence} %${group.dentro || analysis.grupos.length > 1 ? `: ${within(analysis, group)}` : ''}`}
          subtitle={`${analysis.variavel.nome}${unidade ? ` (${unidade})` : ''}${control ? ' · linha: Testemunha' : ''}`}
          picture={{
            draw: intervals(
              rows,
              { name: analysis.variavel.nome, unit: unidade, decimals },
              control ? shownMean(control) : null,
              { hollow: analysis.origem === 'reconstruida' },
            ),
            height: intervalsHeight(rows.length),
          }}
          table={meanTable(rows, decimals)}
        />
      )}
    </div>
  )
}
