import { formatFixed, formatNumber, type JointAnswer, pText } from '@ensaio/domain'
import { useMemo, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { plot } from '../../charts/plot.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import type { SynthesisAddress } from './synthesis-address.ts'

/** Trials with plots and the same treatments in one analysis; asked for when somebody wants it. */
export function JointPart({ address }: { address: SynthesisAddress }) {
  const [open, setOpen] = useState(false)
  return (
    <Card>
      <CardHeader
        title="Análise conjunta e estabilidade"
        subtitle="Ensaios do filtro em blocos casualizados, com parcelas e os mesmos tratamentos"
        actions={
          <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Fechar a conjunta' : 'Fazer a conjunta'}
          </Button>
        }
      />
      {open && <Asked address={address} />}
    </Card>
  )
}

function Asked({ address }: { address: SynthesisAddress }) {
  const { produto } = address.query
  const asked = useEndpoint('jointAnalysis', { query: { ...address.filter, ...(produto && { produto }) } })
  if (asked.isError)
    return asked.error.code === 'synthesis.no_joint' ? (
      <EmptyState title={asked.error.message}>
        Escolha um produto ou filtros que deixem esses ensaios.
      </EmptyState>
    ) : (
      <ErrorState message={asked.error.message} onRetry={() => asked.refetch()} />
    )
  if (!asked.data)
    return (
      <div className="px-5 pb-5" aria-busy="true">
        <p className="sr-only">Calculando a análise conjunta</p>
        <Skeleton className="h-64" />
      </div>
    )
  return <Joined answer={asked.data.conjunta} />
}

const decimals = (value: number) => (Math.abs(value) >= 100 ? 0 : 2)

function Joined({ answer }: { answer: JointAnswer }) {
  const { frases, avisos, anova, ensaios, tabela, niveis, estabilidade, medias, variavel } = answer
  const unit = variavel.unidade
  return (
    <div className="flex flex-col gap-5 pb-5">
      <div className="figures flex flex-col gap-2 px-5">
        {Object.values(frases).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {avisos.length > 0 && (
          <Banner tone="info">
            {avisos.map(({ codigo, texto }) => (
              <p key={codigo}>{texto}</p>
            ))}
          </Banner>
        )}
      </div>
      <Table label={`Média de cada tratamento em cada ensaio, ${unit}`}>
        <thead>
          <tr>
            <Head>Ambiente</Head>
            {niveis.map((nivel) => (
              <Head key={nivel} numeric>
                {nivel}
              </Head>
            ))}
            <Head numeric>QM resíduo</Head>
            <Head numeric>p</Head>
          </tr>
        </thead>
        <tbody>
          {tabela.map(({ ambiente, medias: own }, at) => (
            <Row key={ambiente}>
              <Cell>{ambiente}</Cell>
              {own.map((media, index) => (
                <Cell key={niveis[index]} numeric>
                  {formatFixed(media, decimals(media))}
                </Cell>
              ))}
              <Cell numeric>{formatNumber(ensaios[at]?.qm, 3)}</Cell>
              <Cell numeric>
                {ensaios[at]?.p == null ? '–' : pText(ensaios[at]?.p ?? 1).replace(/^p = /, '')}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      <Table label="Quadro da análise conjunta">
        <thead>
          <tr>
            <Head>Fonte</Head>
            <Head numeric>GL</Head>
            <Head numeric>SQ</Head>
            <Head numeric>QM</Head>
            <Head numeric>F</Head>
            <Head numeric>p</Head>
          </tr>
        </thead>
        <tbody>
          {anova.linhas.map(({ fonte, rotulo, gl, sq, qm, f, p }) => (
            <Row key={fonte}>
              <Cell>{rotulo}</Cell>
              <Cell numeric>{formatNumber(gl, 0)}</Cell>
              <Cell numeric>{formatNumber(sq, 3)}</Cell>
              <Cell numeric>{formatNumber(qm, 3)}</Cell>
              <Cell numeric>{f === null ? '–' : formatFixed(f, 2)}</Cell>
              <Cell numeric>{p === null ? '–' : pText(p).replace(/^p = /, '')}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {'motivo' in estabilidade ? (
        <Table label="Médias e postos dos tratamentos">
          <thead>
            <tr>
              <Head>Tratamento</Head>
              <Head numeric>Média</Head>
              <Head numeric>Posto</Head>
            </tr>
          </thead>
          <tbody>
            {medias.map(({ nivel, media, posto }) => (
              <Row key={nivel}>
                <Cell>{nivel}</Cell>
                <Cell numeric>{formatFixed(media, decimals(media))}</Cell>
                <Cell numeric>{formatNumber(posto, 1)}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      ) : (
        <Stability rows={estabilidade} unit={unit} />
      )}
    </div>
  )
}

type StabilityRows = Extract<JointAnswer['estabilidade'], readonly unknown[]>

function Stability({ rows, unit }: { rows: StabilityRows; unit: string }) {
  const draw = useMemo(() => {
    const means = rows.map(({ media }) => media)
    return plot(
      {
        points: rows.map(({ nivel, media, b }) => ({
          ...{ key: nivel, x: media, y: b, label: nivel, name: nivel },
          tip: [`média ${formatFixed(media, decimals(media))} ${unit}`, `b = ${formatFixed(b, 2)}`],
        })),
        lines: [{ points: [[Math.min(...means), 1] as const, [Math.max(...means), 1] as const], dash: true }],
      },
      { name: 'Média', unit, decimals: Math.max(...means) >= 100 ? 0 : 1 },
      { name: 'b', unit: '', decimals: 1 },
    )
  }, [rows, unit])
  return (
    <>
      <div className="px-5">
        <ChartCard
          title="Média e resposta ao ambiente"
          subtitle="b acima de 1: responde mais que a média aos ambientes bons"
          picture={{ draw, height: 320 }}
          table={{
            columns: [
              { name: 'Tratamento' },
              { name: `Média (${unit})`, numeric: true },
              { name: 'b', numeric: true },
            ],
            count: rows.length,
            rows: () =>
              rows.map(({ nivel, media, b }) => ({
                key: nivel,
                cells: [nivel, formatFixed(media, decimals(media)), formatFixed(b, 2)],
              })),
          }}
        />
      </div>
      <Table label="Estabilidade dos tratamentos">
        <thead>
          <tr>
            <Head>Tratamento</Head>
            <Head numeric>Média</Head>
            <Head numeric>b</Head>
            <Head numeric>p (b = 1)</Head>
            <Head numeric>S²d</Head>
            <Head numeric>R²</Head>
            <Head numeric>Wricke (%)</Head>
            <Head numeric>Lin–Binns</Head>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ nivel, media, b, p_b, s2d, r2, wricke_percent, lin_binns }) => (
            <Row key={nivel}>
              <Cell>{nivel}</Cell>
              <Cell numeric>{formatFixed(media, decimals(media))}</Cell>
              <Cell numeric>{formatFixed(b, 2)}</Cell>
              <Cell numeric>{p_b === null ? '–' : pText(p_b).replace(/^p = /, '')}</Cell>
              <Cell numeric>{formatNumber(s2d, 3)}</Cell>
              <Cell numeric>{r2 === null ? '–' : formatFixed(r2, 2)}</Cell>
              <Cell numeric>{wricke_percent === null ? '–' : formatFixed(wricke_percent, 1)}</Cell>
              <Cell numeric>{formatNumber(lin_binns, 3)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </>
  )
}
