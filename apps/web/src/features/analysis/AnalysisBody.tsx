import {
  type AnalysisAnswer,
  type AnalysisQuery,
  crossedTable,
  type Experiment,
  isDunnett,
  LIBERAL,
  mainGroup,
  type PairTestName,
  TEST_NAMES,
} from '@ensaio/domain'
import { type ReactNode, useState } from 'react'
import { Checkbox, Select } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader } from '../../ui/Surface.tsx'
import { AgainstControl } from './AgainstControl.tsx'
import { FallBacks, Transformation } from './Alternatives.tsx'
import { Anova } from './Anova.tsx'
import { Assumptions } from './Assumptions.tsx'
import { Dates } from './Dates.tsx'
import { Doses } from './Doses.tsx'
import { ForReport } from './ForReport.tsx'
import { MeansOf } from './MeansOf.tsx'
import { Curves, Efficacies, Rounding } from './Measures.tsx'
import { PlainTable } from './PlainTable.tsx'

const TESTS: readonly PairTestName[] = ['tukey', 'scott_knott', 'snk', 'bonferroni', 'duncan', 't']
const FIRST_SENTENCES = [
  'variancia_zero',
  'f_sig',
  'f_ns',
  'dunnett_sig',
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
  const crossed = interaction ? crossedTable(analysis, { experiment, test }) : null
  const quantitative = analysis.regressao !== undefined
  // Where the effect of the doses depends on the other factor, they are read within its levels, else over all.
  const regressions = (analysis.regressoes ?? []).filter(({ dentro }) => (dentro !== null) === interaction)
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
      <Folded when={crossed !== null} title={`Cada comparação, com intervalos (${shown.length})`}>
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
      </Folded>
      {main && isDunnett(main.dunnett) && <AgainstControl analysis={analysis} group={main} />}
      {main?.dunnett && 'motivo' in main.dunnett && (
        <p className="text-small text-muted">Contra a Testemunha: {main.dunnett.motivo}.</p>
      )}
      <Anova analysis={analysis} />
      {analysis.pressupostos && <Assumptions analysis={analysis} />}
      <Transformation analysis={analysis} />
      <FallBacks analysis={analysis} />
      {analysis.regressao && <Doses analysis={analysis} regression={analysis.regressao} />}
      <Folded when={regressions.length > 2} title={`Doses dentro de cada nível (${regressions.length})`}>
        {regressions.map((regression) => (
          <Doses
            key={`${regression.fator}${JSON.stringify(regression.dentro)}`}
            analysis={analysis}
            regression={regression}
          />
        ))}
      </Folded>
      {analysis.eficacia && 'linhas' in analysis.eficacia && <Efficacies analysis={analysis} />}
      {analysis.aacpd && <Curves analysis={analysis} />}
      {analysis.origem === 'parcelas' && <Dates analysis={analysis} query={query} test={test} />}
      {analysis.arredondamento && <Rounding analysis={analysis} />}
      <ForReport experiment={experiment} analysis={analysis} query={query} test={test} anyway={anyway} />
    </div>
  )
}

/** Many parts of one kind stand behind a line that opens them. */
function Folded({ when, title, children }: { when: boolean; title: string; children: ReactNode }) {
  if (!when) return children
  return (
    <details className="rounded-md border border-line bg-surface px-5 py-4">
      <summary className="cursor-pointer font-semibold">{title}</summary>
      <div className="flex flex-col gap-6 pt-4">{children}</div>
    </details>
  )
}
