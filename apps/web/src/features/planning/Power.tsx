import { ALPHA_OPTIONS, CROPS, formatFixed, formatNumber } from '@ensaio/domain'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { plot } from '../../charts/plot.ts'
import { useSetAddress } from '../../shell/address.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberInput, Select } from '../../ui/Input.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

const POWER = 0.8

/** Power and detectable difference by the number of repetitions; the question stands in the address. */
export function Power() {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: true })
  const number = (key: string, instead: number) => {
    const value = Number(search.get(key))
    return search.get(key) && Number.isFinite(value) ? value : instead
  }
  const design = search.get('delineamento') === 'DIC' ? 'DIC' : 'DBC'
  const treatments = number('tratamentos', 6)
  const cv = number('cv', 10)
  const difference = number('diferenca', 10)
  const alpha = search.get('alfa') ?? '0.05'
  const [crop, setCrop] = useState('Soja')
  const history = useEndpoint('cvHistory', { query: { cultura: crop } })
  const answer = useEndpoint(
    'power',
    {
      query: {
        delineamento: design,
        tratamentos: treatments,
        cv,
        diferenca: difference,
        alfa: alpha as '0.05',
      },
    },
    { keep: true },
  )
  const median = history.data?.mediana ?? null
  const rows = answer.data?.poder.linhas ?? []
  const suggested = answer.data?.poder.sugerido ?? null
  const whole = (key: string, least: number, most: number) => (value: number | null | undefined) =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= least &&
    value <= most &&
    write({ [key]: String(value) })
  const positive = (key: string) => (value: number | null | undefined) =>
    typeof value === 'number' && value >= 0.01 && value <= 1000 && write({ [key]: String(value) })
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card>
        <CardHeader
          title="Número de repetições"
          subtitle="poder do teste t de um par e do F, e a diferença vista com 80 % de poder"
        />
        <div className="grid gap-4 px-5 pb-4 sm:grid-cols-2">
          <Field label="Delineamento">
            {(control) => (
              <Select
                {...control}
                value={design}
                options={[
                  { value: 'DBC', label: 'DBC – Blocos casualizados' },
                  { value: 'DIC', label: 'DIC – Inteiramente casualizado' },
                ]}
                onChange={(event) => write({ delineamento: event.target.value })}
              />
            )}
          </Field>
          <Field label="Tratamentos">
            {(control) => (
              <NumberInput {...control} value={treatments} onValue={whole('tratamentos', 2, 500)} />
            )}
          </Field>
          <Field label="CV">
            {(control) => <NumberInput {...control} unit="%" value={cv} onValue={positive('cv')} />}
          </Field>
          <Field label="Diferença a detectar">
            {(control) => (
              <NumberInput
                {...control}
                unit="% da média"
                value={difference}
                onValue={positive('diferenca')}
              />
            )}
          </Field>
          <Field label="Significância">
            {(control) => (
              <Select
                {...control}
                value={alpha}
                options={ALPHA_OPTIONS}
                onChange={(event) => write({ alfa: event.target.value })}
              />
            )}
          </Field>
          <Field label="CV dos ensaios de">
            {(control) => (
              <Select
                {...control}
                value={crop}
                options={CROPS}
                onChange={(event) => setCrop(event.target.value)}
              />
            )}
          </Field>
        </div>
        <p className="figures flex flex-wrap items-center gap-3 px-5 pb-4 text-small text-muted">
          {median === null ? (
            `Ainda não há análises registradas de ${crop.toLocaleLowerCase('pt-BR')}.`
          ) : (
            <>
              mediana de {history.data?.n} {history.data?.n === 1 ? 'ensaio' : 'ensaios'} de{' '}
              {crop.toLocaleLowerCase('pt-BR')}: {formatFixed(median, 1)} %
              <Button size="small" onClick={() => write({ cv: String(Math.round(median * 10) / 10) })}>
                Usar
              </Button>
            </>
          )}
        </p>
        {answer.isError ? (
          <ErrorState message={answer.error.message} onRetry={() => answer.refetch()} />
        ) : rows.length === 0 ? (
          <Skeleton className="mx-5 mb-5 h-64" />
        ) : (
          <>
            <p className="mx-5 mb-3 rounded-md bg-accent-soft px-4 py-3 font-medium">
              {suggested === null
                ? 'Nem 20 repetições bastam para ver esta diferença com 80 % de poder.'
                : `${suggested} ${design === 'DBC' ? 'blocos' : 'repetições'} bastam para ver ${formatNumber(difference, 1)} % entre dois tratamentos com 80 % de poder.`}
            </p>
            <Table label="Poder por número de repetições" className="max-h-96">
              <thead>
                <tr>
                  <Head numeric>{design === 'DBC' ? 'Blocos' : 'Repetições'}</Head>
                  <Head numeric>gl</Head>
                  <Head numeric>Poder (t)</Head>
                  <Head numeric>Poder (F)</Head>
                  <Head numeric>Diferença detectável (%)</Head>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ r, gl, poder_t, poder_f, dif_detectavel_80 }) => (
                  <Row key={r} className={r === suggested ? 'bg-accent-soft font-semibold' : ''}>
                    <Cell numeric>
                      {r}
                      {r === suggested && <span className="sr-only"> (sugerido)</span>}
                    </Cell>
                    <Cell numeric>{gl}</Cell>
                    <Cell numeric>{formatFixed(100 * poder_t, 0)} %</Cell>
                    <Cell numeric>{formatFixed(100 * poder_f, 0)} %</Cell>
                    <Cell numeric>{formatFixed(dif_detectavel_80, 1)}</Cell>
                  </Row>
                ))}
              </tbody>
            </Table>
          </>
        )}
      </Card>
      <ChartCard
        title="Poder do teste t"
        subtitle={`${formatNumber(difference, 1)} % da média, CV ${formatNumber(cv, 1)} %`}
        picture={{
          draw: plot(
            {
              points: rows.map(({ r, poder_t, dif_detectavel_80 }) => ({
                key: String(r),
                x: r,
                y: 100 * poder_t,
                label: `${r} ${design === 'DBC' ? 'blocos' : 'repetições'}`,
                tip: [
                  `poder ${formatFixed(100 * poder_t, 0)} %`,
                  `vê ${formatFixed(dif_detectavel_80, 1)} %`,
                ],
                strong: r === suggested,
              })),
              lines: [
                { points: rows.map(({ r, poder_t }): [number, number] => [r, 100 * poder_t]), strong: true },
                {
                  points: [
                    [rows[0]?.r ?? 2, 100 * POWER],
                    [rows.at(-1)?.r ?? 20, 100 * POWER],
                  ],
                  dash: true,
                },
              ],
            },
            { name: design === 'DBC' ? 'Blocos' : 'Repetições', unit: '', decimals: 0 },
            { name: 'Poder', unit: '%', decimals: 0 },
          ),
          height: 320,
        }}
        table={{
          columns: [
            { name: 'Repetições', numeric: true },
            { name: 'Poder (%)', numeric: true },
          ],
          count: rows.length,
          rows: () =>
            rows.map(({ r, poder_t }) => ({
              key: String(r),
              cells: [String(r), formatFixed(100 * poder_t, 1)],
            })),
        }}
        note="Linha tracejada: 80 %."
      />
    </div>
  )
}
