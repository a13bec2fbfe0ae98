import {
  type AnalysisAnswer,
  type AnalysisQuery,
  bestFirst,
  crossedTable,
  type Experiment,
  equationText,
  formatFixed,
  formatNumber,
  isDunnett,
  isSignificant,
  LIBERAL,
  lettersOf,
  mainGroup,
  meanDecimals,
  NO_VALUE,
  type PairTestName,
  pText,
  scaleText,
  shownMean,
  TEST_NAMES,
  treatmentText,
} from '@ensaio/domain'
import type { DoseRegression, Group } from '@ensaio/statistics'
import { type ReactNode, useMemo, useState } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight, plot } from '../../charts/plot.ts'
import { useSetAddress } from '../../shell/address.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Input.tsx'
import { Badge, Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { Assumptions } from './Assumptions.tsx'
import { ForReport } from './ForReport.tsx'
import { PlainTable } from './PlainTable.tsx'

const TESTS: readonly PairTestName[] = ['tukey', 'scott_knott', 'snk', 'bonferroni', 'duncan', 't']
const FIRST_SENTENCES = [
  'variancia_zero',
  'dunnett_sig',
  'f_sig',
  'f_ns',
  'interacao',
  'sem_interacao',
  'adicional',
  'dunnett_ns',
  'regressao',
  'plato',
] as const

/** All of an answer: the sentence first, then what it rests on. Nothing here asks again; a test is a switch. */
export function AnalysisBody({
  experiment,
  analysis,
  query,
}: {
  experiment: Experiment
  analysis: AnalysisAnswer
  query: AnalysisQuery
}) {
  const [test, setTest] = useState<PairTestName>('tukey')
  const [anyway, setAnyway] = useState(false)
  const main = mainGroup(analysis)
  const sentences = FIRST_SENTENCES.flatMap((key) => (analysis.frases[key] ? [analysis.frases[key]] : []))
  const factorial = analysis.anova.linhas.some(({ fonte }) => fonte === 'A:B')
  const interaction = (analysis.anova.linhas.find(({ fonte }) => fonte === 'A:B')?.p ?? 1) < analysis.alfa
  const shown = analysis.grupos.filter(({ dentro, efeito }) =>
    factorial && analysis.grupos.length > 1
      ? dentro === null
        ? !interaction || efeito === 'tratamento'
        : interaction
      : true,
  )
  const crossed = interaction ? crossedTable(analysis, test) : null
  const quantitative = analysis.regressao !== undefined
  return (
    <div className="flex flex-col gap-6">
      <Card className="px-5 py-4">
        <p className="flex flex-wrap gap-1 pb-2">
          <Badge tone={analysis.origem === 'reconstruida' ? 'warn' : 'plain'}>
            {analysis.origem === 'reconstruida' ? 'reconstruída' : 'parcelas'}
          </Badge>
          <Badge>
            {analysis.delineamento} · {analysis.anova.metodo === 'reml' ? 'REML' : 'mínimos quadrados'}
          </Badge>
          <Badge>
            n = {analysis.n.validas}
            {analysis.n.perdidas + analysis.n.excluidas > 0 && ` de ${analysis.n.parcelas}`}
          </Badge>
        </p>
        {sentences.slice(0, 1).map((sentence) => (
          <p key={sentence} className="text-title font-medium">
            {sentence}
          </p>
        ))}
        {[
          ...sentences.slice(1),
          analysis.frases.cv,
          analysis.frases.perdidas,
          analysis.frases.excluidas,
        ].flatMap((sentence) =>
          sentence ? (
            <p key={sentence} className="pt-1.5 text-muted">
              {sentence}
            </p>
          ) : (
            []
          ),
        )}
        {analysis.avisos
          .filter(({ codigo }) => codigo !== 'letras_ocultas')
          .map(({ codigo, texto }) => (
            <p key={codigo} className="pt-1.5 text-small text-warn">
              {texto}
            </p>
          ))}
      </Card>

      <div className="no-print flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is the child */}
        <label className="flex items-center gap-2 text-small font-medium">
          Teste de médias
          <Select
            className="min-w-56"
            value={test}
            options={TESTS.map((value) => ({
              value,
              label: LIBERAL.has(value) ? `${TEST_NAMES[value]} (liberal)` : TEST_NAMES[value],
            }))}
            onChange={(event) => setTest(event.target.value as PairTestName)}
          />
        </label>
        <Checkbox
          label="Mostrar letras mesmo assim"
          checked={anyway}
          onChange={(event) => setAnyway(event.target.checked)}
        />
      </div>

      {crossed && (
        <Card>
          <CardHeader title="Comparações cruzadas" subtitle={crossed.titulo} />
          <PlainTable table={crossed} />
        </Card>
      )}
      {shown.map((group) => (
        <MeansOf
          key={`${group.efeito}${JSON.stringify(group.dentro)}`}
          analysis={analysis}
          group={group}
          test={test}
          anyway={anyway}
          hideLetters={quantitative && group === main}
        />
      ))}
      {main && isDunnett(main.dunnett) && <AgainstControl analysis={analysis} group={main} />}
      {main?.dunnett && 'motivo' in main.dunnett && (
        <p className="text-small text-muted">Contra a Testemunha: {main.dunnett.motivo}.</p>
      )}
      <Anova analysis={analysis} />
      {analysis.pressupostos && <Assumptions analysis={analysis} />}
      <Transformation analysis={analysis} />
      <FallBacks analysis={analysis} />
      {analysis.regressao && <Doses analysis={analysis} regression={analysis.regressao} />}
      {analysis.regressoes?.map((regression) => (
        <Doses
          key={`${regression.fator}${JSON.stringify(regression.dentro)}`}
          analysis={analysis}
          regression={regression}
        />
      ))}
      {analysis.eficacia && 'linhas' in analysis.eficacia && <Efficacies analysis={analysis} />}
      {analysis.aacpd && <Curves analysis={analysis} />}
      {analysis.arredondamento && <Rounding analysis={analysis} />}
      <ForReport experiment={experiment} analysis={analysis} query={query} test={test} anyway={anyway} />
    </div>
  )
}

const within = (analysis: AnalysisAnswer, group: Pick<Group, 'efeito' | 'dentro'>): string => {
  const name = (key: string) =>
    key === 'tratamento' ? 'Tratamentos' : (analysis.fatores[key as 'A' | 'B' | 'C']?.nome ?? key)
  const effect = group.efeito.split(':').map(name).join(' × ')
  if (!group.dentro) return effect
  return `${effect} dentro de ${Object.entries(group.dentro)
    .map(([key, level]) => `${name(key)} = ${level}`)
    .join(', ')}`
}

type GroupProps = {
  analysis: AnalysisAnswer
  group: Group
  test: PairTestName
  anyway: boolean
  hideLetters: boolean
}

function MeansOf({ analysis, group, test, anyway, hideLetters }: GroupProps) {
  const decimals = meanDecimals(analysis)
  const significant = isSignificant(analysis, group)
  const letters = (significant && !hideLetters) || anyway ? lettersOf(group, test) : null
  const unstable = analysis.arredondamento?.letras_estaveis === false
  const means = bestFirst(group, analysis.variavel.maior_melhor)
  const control =
    group.efeito === 'tratamento'
      ? group.medias.find(({ nivel }) => nivel === analysis.testemunha)
      : undefined
  const { unidade } = analysis.variavel
  const original = analysis.transformacao === 'nenhuma'
  const rows = useMemo(
    () =>
      means.flatMap((mean) => {
        const value = shownMean(mean)
        if (value === null) return []
        const low = mean.original ? mean.original.ic_baixo : mean.ic_baixo
        const high = mean.original ? mean.original.ic_alto : mean.ic_alto
        const letter = letters?.[mean.nivel]
        return [
          {
            key: mean.nivel,
            label: treatmentText(mean.nivel, group.efeito === 'tratamento' ? analysis.nomes : {}),
            value,
            low,
            high,
            ...(letter ? { mark: letter } : {}),
            control: mean.nivel === control?.nivel,
            tip: [
              `${formatFixed(value, decimals)} ${unidade}`,
              ...(low !== null && high !== null
                ? [`IC 95 %: ${formatFixed(low, decimals)} a ${formatFixed(high, decimals)}`]
                : []),
              `n = ${mean.n}`,
            ],
          },
        ]
      }),
    [means, letters, analysis.nomes, control, decimals, unidade, group.efeito],
  )
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
        <CardHeader title={within(analysis, group)} subtitle={subtitle} level={3} />
        <Table label={`Médias de ${within(analysis, group)}`}>
          <thead>
            <tr>
              <Head>{group.efeito === 'tratamento' ? 'Tratamento' : 'Nível'}</Head>
              <Head numeric>n</Head>
              <Head numeric>Média</Head>
              {letters && <Head>Letra</Head>}
              <Head numeric>Erro padrão</Head>
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
                  <Cell numeric>{mean.n}</Cell>
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
                  <Cell numeric>
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
          title={`Médias com intervalo de 95 %${group.dentro || analysis.grupos.length > 1 ? `: ${within(analysis, group)}` : ''}`}
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
          table={{
            columns: [
              { name: 'Nível' },
              { name: 'Média', numeric: true },
              { name: 'IC baixo', numeric: true },
              { name: 'IC alto', numeric: true },
            ],
            count: rows.length,
            rows: () =>
              rows.map((row) => ({
                key: row.key,
                cells: [
                  row.label,
                  formatFixed(row.value, decimals),
                  formatFixed(row.low, decimals),
                  formatFixed(row.high, decimals),
                ],
              })),
          }}
        />
      )}
    </div>
  )
}

function AgainstControl({ analysis, group }: { analysis: AnalysisAnswer; group: Group }) {
  const decimals = meanDecimals(analysis)
  const dunnett = isDunnett(group.dunnett) ? group.dunnett : null
  if (!dunnett) return null
  const confidence = formatNumber(100 * (1 - analysis.alfa), 0)
  const unit = analysis.transformacao === 'nenhuma' ? analysis.variavel.unidade : 'escala transformada'
  const rows = dunnett.linhas.map((line) => ({
    key: line.nivel,
    label: treatmentText(line.nivel, analysis.nomes),
    value: line.diferenca,
    low: line.ic_baixo,
    high: line.ic_alto,
    ...(line.p < analysis.alfa ? { mark: '*' } : {}),
    tip: [
      `${formatFixed(line.diferenca, decimals)} ${unit}`,
      `IC ${confidence} %: ${formatFixed(line.ic_baixo, decimals)} a ${formatFixed(line.ic_alto, decimals)}`,
      pText(line.p),
    ],
  }))
  return (
    <ChartCard
      title="Contra a Testemunha"
      subtitle={`Diferença com intervalo simultâneo de ${confidence} % (Dunnett${dunnett.exato ? '' : ', aproximado'}) · ${unit}`}
      picture={{
        draw: intervals(
          rows,
          { name: 'Diferença', unit, decimals: analysis.transformacao === 'nenhuma' ? decimals : 2 },
          0,
          {
            hollow: analysis.origem === 'reconstruida',
          },
        ),
        height: intervalsHeight(rows.length),
      }}
      table={{
        columns: [
          { name: 'Tratamento' },
          { name: 'Diferença', numeric: true },
          { name: '%', numeric: true },
          { name: 'IC baixo', numeric: true },
          { name: 'IC alto', numeric: true },
          { name: 'p', numeric: true },
        ],
        count: rows.length,
        rows: () =>
          dunnett.linhas.map((line) => ({
            key: line.nivel,
            cells: [
              treatmentText(line.nivel, analysis.nomes),
              formatFixed(line.diferenca, decimals),
              formatFixed(line.percentual ?? null, 1),
              formatFixed(line.ic_baixo, decimals),
              formatFixed(line.ic_alto, decimals),
              pText(line.p).replace(/^p =? ?/, ''),
            ],
          })),
      }}
      note={
        analysis.diferenca_detectavel == null
          ? undefined
          : `Diferença detectável com 80 % de poder: ${formatFixed(analysis.diferenca_detectavel, decimals)} ${unit}`
      }
    />
  )
}

function Anova({ analysis }: { analysis: AnalysisAnswer }) {
  const { anova, residuos } = analysis
  const number = (value: number | null) =>
    value === null ? '' : formatNumber(value, Math.abs(value) < 1 ? 6 : 3)
  const stars = (p: number) => (p < 0.01 ? '**' : p < 0.05 ? '*' : 'ns')
  return (
    <Card>
      <CardHeader
        title="Análise de variância"
        subtitle={`${anova.metodo === 'reml' ? 'REML, gl de Satterthwaite' : `tipo ${anova.tipo}`} · ${analysis.modelo}`}
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
          .flatMap(({ chave, cv }) =>
            cv === null
              ? []
              : [
                  `CV${residuos.length > 1 ? ` (${chave.replace('residuo_', 'resíduo ')})` : ''} ${formatFixed(cv, 1)} %`,
                ],
          )
          .join(' · ')}
        {analysis.r2 !== null && ` · R² ${formatFixed(analysis.r2, 3)}`} · faixas de CV gerais; dependem da
        cultura e da variável.
      </p>
    </Card>
  )
}

function Transformation({ analysis }: { analysis: AnalysisAnswer }) {
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

function FallBacks({ analysis }: { analysis: AnalysisAnswer }) {
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

function Doses({ analysis, regression }: { analysis: AnalysisAnswer; regression: DoseRegression }) {
  const { doses, medias, modelos, particao, escolhido } = regression
  const decimals = meanDecimals(analysis)
  const factor = analysis.fatores[regression.fator ?? 'A']
  const chosen = modelos.find(({ modelo }) => modelo === escolhido.modelo)
  const low = Math.min(...doses)
  const high = Math.max(...doses)
  const curve = useMemo(() => {
    if (!chosen) return []
    const { a, b, c = 0 } = chosen.coef
    const at = (x: number) => {
      if (chosen.x0 === undefined) return a + b * x + c * x * x
      const u = Math.min(x, chosen.x0)
      return chosen.modelo === 'linear_plato' ? a + b * u : a + b * (u - (u * u) / (2 * chosen.x0))
    }
    return Array.from({ length: 101 }, (_, i): [number, number] => {
      const x = low + ((high - low) * i) / 100
      return [x, at(x)]
    })
  }, [chosen, low, high])
  const unit = factor?.unidade ?? ''
  const NAMES = {
    linear: 'Linear',
    quadratico: 'Quadrático',
    linear_plato: 'Linear com platô',
    quadratico_plato: 'Quadrático com platô',
  }
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <ChartCard
        title={`Resposta a ${factor?.nome ?? 'doses'}${regression.dentro ? `: ${within(analysis, { efeito: regression.fator ?? 'A', dentro: regression.dentro })}` : ''}`}
        subtitle={
          chosen
            ? `${NAMES[chosen.modelo]}: ${equationText(chosen)} · R² ${formatFixed(chosen.r2, 3)}`
            : escolhido.razao
        }
        picture={{
          draw: plot(
            {
              points: doses.map((dose, at) => ({
                key: String(dose),
                x: dose,
                y: medias[at] ?? 0,
                label: `${formatNumber(dose, 4)} ${unit}`,
                tip: [`${formatFixed(medias[at] ?? null, decimals)} ${analysis.variavel.unidade}`],
              })),
              lines: curve.length > 0 ? [{ points: curve, strong: true }] : [],
            },
            { name: factor?.nome ?? 'Dose', unit, decimals: 1 },
            { name: analysis.variavel.nome, unit: analysis.variavel.unidade, decimals },
          ),
          height: 320,
        }}
        table={{
          columns: [
            { name: 'Dose', numeric: true },
            { name: 'Média', numeric: true },
          ],
          count: doses.length,
          rows: () =>
            doses.map((dose, at) => ({
              key: String(dose),
              cells: [formatNumber(dose, 4), formatFixed(medias[at] ?? null, decimals)],
            })),
        }}
        note={escolhido.razao}
      />
      <Card>
        <CardHeader
          title="Modelos de dose"
          level={3}
          subtitle={particao
            .map(({ termo, f, p }) => `${termo}: F = ${formatFixed(f, 2)} (${pText(p)})`)
            .join(' · ')}
        />
        <Table label="Modelos de dose">
          <thead>
            <tr>
              <Head>Modelo</Head>
              <Head>Equação</Head>
              <Head numeric>R²</Head>
              <Head numeric>Falta de ajuste</Head>
              <Head numeric>Dose de máximo ou x₀</Head>
              <Head numeric>Dose econômica</Head>
            </tr>
          </thead>
          <tbody>
            {modelos.map((model) => {
              const best = model.x0 ?? (model.maximo?.e_maximo ? model.maximo.dose : null)
              const [from, to] =
                model.x0 === undefined
                  ? [model.maximo?.ic_baixo, model.maximo?.ic_alto]
                  : [model.x0_ic_baixo, model.x0_ic_alto]
              const interval = (a: number | null | undefined, b: number | null | undefined) =>
                a == null || b == null ? null : (
                  <span className="block text-small text-muted">
                    {formatNumber(a, 1)} a {formatNumber(b, 1)}
                  </span>
                )
              return (
                <Row key={model.modelo} className={model === chosen ? 'bg-accent-soft' : ''}>
                  <Cell className="font-medium">{NAMES[model.modelo]}</Cell>
                  <Cell className="figures whitespace-nowrap">{equationText(model)}</Cell>
                  <Cell numeric>{formatFixed(model.r2, 3)}</Cell>
                  <Cell numeric>{model.falta_ajuste ? pText(model.falta_ajuste.p) : NO_VALUE}</Cell>
                  <Cell numeric>
                    {best === null ? NO_VALUE : `${formatNumber(best, 1)} ${unit}`}
                    {model.na_borda ? (
                      <span className="block text-small text-muted">
                        o platô não foi alcançado nas doses testadas
                      </span>
                    ) : (
                      interval(from, to)
                    )}
                    {model.maximo?.e_maximo && !model.maximo.dentro && (
                      <span className="block text-small text-muted">fora das doses testadas</span>
                    )}
                  </Cell>
                  <Cell numeric>
                    {model.economica ? `${formatNumber(model.economica.dose, 1)} ${unit}` : NO_VALUE}
                    {interval(model.economica?.ic_baixo, model.economica?.ic_alto)}
                  </Cell>
                </Row>
              )
            })}
          </tbody>
        </Table>
      </Card>
    </div>
  )
}

function Efficacies({ analysis }: { analysis: AnalysisAnswer }) {
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

function Curves({ analysis }: { analysis: AnalysisAnswer }) {
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

function Rounding({ analysis }: { analysis: AnalysisAnswer }) {
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
