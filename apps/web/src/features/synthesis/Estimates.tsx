import {
  effectText,
  effectUnit,
  formatFixed,
  formatNumber,
  pText,
  type SynthesisAnswer,
} from '@ensaio/domain'
import { useMemo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { plot } from '../../charts/plot.ts'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { shown } from './shown.ts'

type Line = { estimativa: number; ic_baixo: number; ic_alto: number; p?: number | null }

/** The estimates side by side, who wins, and who moves them. */
export function Estimates({ answer }: { answer: SynthesisAnswer }) {
  const { reml_hk, dl_hk, efeito_fixo, sem_peso, com_imputados, vitorias, frases, k, k_todos } = answer
  const lines: [string, number, Line | { motivo: string }][] = [
    ['Efeitos ao acaso (REML, Knapp–Hartung)', k, reml_hk],
    ['DerSimonian–Laird, Knapp–Hartung', k, dl_hk],
    ['Efeito fixo', k, efeito_fixo],
    ['Média simples, sem pesos', k_todos, sem_peso],
    ...(com_imputados
      ? ([['Com erros supostos pela mediana do CV', com_imputados.k, com_imputados]] as [
          string,
          number,
          Line,
        ][])
      : []),
  ]
  const funnel = useMemo(() => funnelOf(answer), [answer])
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card>
        <CardHeader
          title="Estimativas"
          subtitle={`Efeito em ${effectUnit(answer).trim()}, IC 95 %`}
          level={3}
        />
        <Table label="Estimativas da síntese">
          <thead>
            <tr>
              <Head>Modelo</Head>
              <Head numeric>n</Head>
              <Head numeric>Efeito</Head>
              <Head numeric>IC 95 %</Head>
              <Head numeric>p</Head>
            </tr>
          </thead>
          <tbody>
            {lines.map(([name, n, line]) => (
              <Row key={name}>
                <Cell className="min-w-40">{name}</Cell>
                <Cell numeric>{formatNumber(n, 0)}</Cell>
                {'motivo' in line ? (
                  <Cell colSpan={3} className="text-small text-muted">
                    {line.motivo}
                  </Cell>
                ) : (
                  <>
                    <Cell numeric>{effectText(line.estimativa, answer, { sign: true })}</Cell>
                    <Cell numeric>
                      {effectText(line.ic_baixo, answer)} a {effectText(line.ic_alto, answer)}
                    </Cell>
                    <Cell numeric>{line.p == null ? '–' : pText(line.p).replace(/^p = /, '')}</Cell>
                  </>
                )}
              </Row>
            ))}
          </tbody>
        </Table>
        <div className="figures flex flex-col gap-2 px-5 py-4 text-small">
          {!('motivo' in vitorias) && (
            <p>
              Ganhou em {vitorias.vitorias} de {vitorias.n} ({formatFixed(100 * vitorias.taxa, 0)} %; IC 95 %:{' '}
              {formatFixed(100 * vitorias.ic_baixo, 0)} a {formatFixed(100 * vitorias.ic_alto, 0)} %; teste do
              sinal: {pText(vitorias.p_sinal)})
            </p>
          )}
          {frases['influencia'] && <p>{frases['influencia']}</p>}
        </div>
      </Card>
      {funnel && (
        <ChartCard
          title="Funil"
          subtitle={`Efeito contra a precisão · ${k} ensaios com erro experimental`}
          picture={{ draw: funnel.draw, height: 320 }}
          note={frases['funil'] ?? ''}
          table={{
            columns: [
              { name: 'Ensaio' },
              { name: 'Efeito', numeric: true },
              { name: 'Erro padrão', numeric: true },
            ],
            count: funnel.points.length,
            rows: () =>
              funnel.points.map((point) => ({
                key: point.key,
                cells: [point.label, formatNumber(point.x, 2), formatNumber(-point.y, 3)],
              })),
          }}
        />
      )}
    </div>
  )
}

function funnelOf(answer: SynthesisAnswer) {
  if ('motivo' in answer.funil || 'motivo' in answer.reml_hk) return null
  const middle = shown(answer.reml_hk.estimativa, answer)
  const points = answer.ensaios.flatMap(({ experimento_id, nome, efeito, ep, peso }) =>
    ep === null || peso === null
      ? []
      : [
          {
            key: experimento_id,
            x: shown(efeito, answer),
            // The most precise above, as it is read.
            y: -ep,
            label: nome,
            tip: [`${effectText(efeito, answer, { sign: true })}${effectUnit(answer)}`],
          },
        ],
  )
  const least = Math.min(...points.map(({ y }) => y))
  return {
    points,
    draw: plot(
      {
        points,
        mirrored: true,
        lines: [
          {
            points: [
              [middle, least],
              [middle, 0],
            ],
            dash: true,
          },
        ],
      },
      { name: 'Efeito', unit: effectUnit(answer).trim(), decimals: 0 },
      {
        name: 'Erro padrão, menor em cima',
        unit: answer.medida === 'lnrr' ? 'ln' : answer.variavel.unidade,
        decimals: answer.medida === 'lnrr' ? 3 : 0,
      },
    ),
  }
}
