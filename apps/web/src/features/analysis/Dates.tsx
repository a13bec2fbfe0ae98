import {
  type AnalysisAnswer,
  type AnalysisQuery,
  datesOf,
  formatFixed,
  isSignificant,
  lettersOf,
  mainGroup,
  meanDecimals,
  type PairTestName,
  pText,
  shownMean,
  treatmentText,
} from '@ensaio/domain'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight, plot } from '../../charts/plot.ts'
import { Card, CardHeader, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { meanRows, meanTable } from './within.ts'

/** More dates than a table of means has room for. */
const MOST_DATES = 12

/** One variable on all of its dates: the agronomist's own table, letters by date. */
export function Dates({
  analysis,
  query,
  test,
}: {
  analysis: AnalysisAnswer
  query: AnalysisQuery
  test: PairTestName
}) {
  const { id = '' } = useParams()
  const sheet = useEndpoint('getPlots', { params: { id } }).data?.ficha
  const dates = sheet ? datesOf(sheet, analysis.variavel.chave).filter((date) => date !== null) : []
  if (!sheet || dates.length < 2 || dates.length > MOST_DATES) return null
  return (
    <DatesTable
      key={dates.join(' ')}
      id={id}
      analysis={analysis}
      query={query}
      test={test}
      dates={dates.map((key) => {
        const date = sheet.avaliacoes.find(({ chave }) => chave === key)
        return { key, name: date?.nome ?? key, day: date?.daa ?? null }
      })}
    />
  )
}

type DateOf = { key: string; name: string; day: number | null }
type TableProps = {
  id: string
  analysis: AnalysisAnswer
  query: AnalysisQuery
  test: PairTestName
  dates: readonly DateOf[]
}

function DatesTable({ id, analysis, query, test, dates }: TableProps) {
  // As many questions as there are dates, always the same of one table.
  const answers = dates.map(({ key }) => {
    const asked = {
      ...query,
      avaliacao: key,
      agregacao: undefined,
      eficacia: undefined,
      avaliacao_previa: undefined,
    }
    // biome-ignore lint/correctness/useHookAtTopLevel: the list of dates is the component's key
    return useEndpoint('analysis', {
      params: { id },
      query: { ...asked, variavel: analysis.variavel.chave, se_houver: '1' } as never,
    })
  })
  const decimals = meanDecimals(analysis)
  const found = answers.map(({ data }) => data?.analise ?? undefined)
  const levels = mainGroup(analysis)?.medias.map(({ nivel }) => nivel) ?? []
  const lines = useMemo(
    () =>
      levels.map((level) => ({
        level,
        points: dates.flatMap(({ day, name }, at) => {
          const mean = found[at] && mainGroup(found[at])?.medias.find(({ nivel }) => nivel === level)
          const value = mean ? shownMean(mean) : null
          return value === null || day === null ? [] : [{ x: day, y: value, name }]
        }),
      })),
    [levels, dates, found],
  )
  const drawn = lines.every(({ points }) => points.length >= 2)
  const figures = useMemo(
    () =>
      found.map((one) => {
        const group = one && mainGroup(one)
        return one && group
          ? meanRows(one, group, isSignificant(one, group) ? lettersOf(group, test) : null)
          : []
      }),
    [found, test],
  )
  const ends = figures.flatMap((rows) =>
    rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
  )
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <CardHeader
          title="Todas as avaliações"
          subtitle={`${analysis.variavel.nome}${analysis.variavel.unidade ? ` (${analysis.variavel.unidade})` : ''} · Letras comparam tratamentos dentro de cada data.`}
        />
        <Table label="Médias por avaliação">
          <thead>
            <tr>
              <Head>Tratamento</Head>
              {dates.map(({ key, name }) => (
                <Head key={key} numeric>
                  {name}
                </Head>
              ))}
            </tr>
          </thead>
          <tbody>
            {levels.map((level) => (
              <Row key={level}>
                <Cell>{treatmentText(level, analysis.nomes)}</Cell>
                {dates.map(({ key }, at) => {
                  const one = found[at]
                  const group = one && mainGroup(one)
                  const mean = group?.medias.find(({ nivel }) => nivel === level)
                  const value = mean ? shownMean(mean) : null
                  const letters = one && group && isSignificant(one, group) ? lettersOf(group, test) : null
                  return (
                    <Cell key={key} numeric>
                      {answers[at]?.isPending ? (
                        <Skeleton className="ml-auto h-4 w-12" />
                      ) : value === null ? (
                        '...'
                      ) : (
                        formatFixed(value, decimals)
                      )}{' '}
                      <strong className="font-semibold">{letters?.[level] ?? ''}</strong>
                    </Cell>
                  )
                })}
              </Row>
            ))}
            <Row className="border-t-2 border-t-line-strong text-small text-muted">
              <Cell>F (p)</Cell>
              {dates.map(({ key }, at) => {
                const line = found[at]?.anova.linhas.find(({ fonte }) => fonte === 'tratamento')
                return (
                  <Cell key={key} numeric>
                    {line?.f == null || line.p === null
                      ? ''
                      : `${formatFixed(line.f, 2)} (${pText(line.p).replace(/^p =? ?/, '')})`}
                  </Cell>
                )
              })}
            </Row>
          </tbody>
        </Table>
      </Card>
      <section
        aria-label="Médias por data, na mesma escala"
        className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3"
      >
        {dates.map(({ key, name }, at) => {
          const rows = figures[at] ?? []
          return rows.length === 0 ? null : (
            <ChartCard
              key={key}
              title={name}
              subtitle={`${analysis.variavel.nome} · mesma escala em todas as datas`}
              picture={{
                draw: intervals(
                  rows,
                  { name: analysis.variavel.nome, unit: analysis.variavel.unidade, decimals },
                  rows.find(({ control }) => control)?.value ?? null,
                  { hollow: analysis.origem === 'reconstruida', within: ends },
                ),
                height: intervalsHeight(rows.length),
              }}
              table={meanTable(rows, decimals)}
            />
          )
        })}
      </section>
      {drawn && (
        <ChartCard
          title="Curva por tratamento"
          subtitle={`médias de ${analysis.variavel.nome} pelas datas`}
          picture={{
            draw: plot(
              {
                points: lines.flatMap(({ level, points }) =>
                  points.map((point) => ({
                    key: `${level} ${point.x}`,
                    x: point.x,
                    y: point.y,
                    label: treatmentText(level, analysis.nomes),
                    tip: [point.name, `${formatFixed(point.y, decimals)} ${analysis.variavel.unidade}`],
                    strong: level === analysis.testemunha,
                  })),
                ),
                lines: lines.map(({ level, points }) => ({
                  points: points.map(({ x, y }): [number, number] => [x, y]),
                  strong: level !== analysis.testemunha,
                  dash: level === analysis.testemunha,
                })),
              },
              { name: 'Dias após a aplicação', unit: '', decimals: 0 },
              { name: analysis.variavel.nome, unit: analysis.variavel.unidade, decimals },
            ),
            height: 300,
          }}
          table={{
            columns: [
              { name: 'Tratamento' },
              { name: 'Dias', numeric: true },
              { name: 'Média', numeric: true },
            ],
            count: lines.length,
            rows: () =>
              lines.flatMap(({ level, points }) =>
                points.map(({ x, y }) => ({
                  key: `${level} ${x}`,
                  cells: [treatmentText(level, analysis.nomes), String(x), formatFixed(y, decimals)],
                })),
              ),
          }}
          note="Linha tracejada: Testemunha."
        />
      )}
    </div>
  )
}
