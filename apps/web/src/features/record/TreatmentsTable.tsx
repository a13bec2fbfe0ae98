import {
  type AnalysisAnswer,
  type Experiment,
  formatFixed,
  formatNumber,
  formatSacks,
  formatShown,
  formatYield,
  HIDDEN,
  isDunnett,
  isSignificant,
  mainGroup,
  NO_VALUE,
  pText,
  shortAnswer,
} from '@ensaio/domain'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { recordPage } from '../../shell/paths.ts'
import { Badge, Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

interface Line {
  code: string
  treatment: Experiment['tratamentos'][number]
  /** kg/ha and % over the control; null for the control itself. */
  gain: { kg: number; percent: number | null } | null
  letter: string | null
  /** Dunnett's, against the control. */
  p: number | null
  /** R$/ha more than the control; null where a cost is not known. */
  extra: number | null
}

function linesOf(experiment: Experiment, analysis: AnalysisAnswer | undefined): Line[] {
  const controlAt = Math.max(0, Number(/^T(\d+)$/.exec(analysis?.testemunha ?? 'T1')?.[1] ?? 1) - 1)
  const control = experiment.tratamentos[controlAt]
  const main = analysis && mainGroup(analysis)
  const ofTreatments = main?.efeito === 'tratamento' ? main : undefined
  const shown = analysis !== undefined && ofTreatments !== undefined && isSignificant(analysis, ofTreatments)
  const dunnett = ofTreatments?.dunnett
  return experiment.tratamentos.map((treatment, at) => {
    const code = `T${at + 1}`
    const kg = control ? treatment.produtividade - control.produtividade : 0
    return {
      code,
      treatment,
      gain:
        at === controlAt || !control
          ? null
          : { kg, percent: control.produtividade > 0 ? (100 * kg) / control.produtividade : null },
      letter: shown ? (ofTreatments?.letras?.tukey[code] ?? null) : null,
      p: isDunnett(dunnett) ? (dunnett.linhas.find(({ nivel }) => nivel === code)?.p ?? null) : null,
      extra:
        at === controlAt || treatment.custo === null || control?.custo == null
          ? null
          : treatment.custo - control.custo,
    }
  })
}

const signed = (value: number, decimals: number) => `${value > 0 ? '+' : ''}${formatFixed(value, decimals)}`

/** Treatments side by side: yield, difference to the control with a small bar, letter, cost. */
export function TreatmentsTable({ experiment, edit }: { experiment: Experiment; edit: ReactNode }) {
  const query = useEndpoint(
    'analysis',
    { params: { id: experiment.id }, query: { se_houver: '1' } },
    { enabled: experiment.dados !== null },
  )
  const analysis = query.data?.analise?.variavel.produtividade ? query.data.analise : undefined
  const lines = linesOf(experiment, analysis)
  const most = Math.max(1, ...lines.map(({ gain }) => Math.abs(gain?.kg ?? 0)))
  const withLetters = lines.some(({ letter }) => letter !== null)
  const withP = lines.some(({ p }) => p !== null)
  const costs = experiment.permissoes.ver_custos
    ? lines.some(({ treatment }) => treatment.custo !== null)
    : experiment.ocultos.includes('tratamentos.custo')
  const sentence = analysis?.frases.f_sig ?? analysis?.frases.f_ns ?? analysis?.frases.interacao
  const verdict = analysis && shortAnswer(analysis)
  return (
    <Card>
      <CardHeader
        title="Tratamentos"
        subtitle={`kg/ha e diferença para a Testemunha${analysis?.origem === 'reconstruida' ? ' · análise reconstruída' : ''}`}
        actions={edit}
      />
      {sentence && (
        <p className="mx-5 mb-4 rounded-md bg-accent-soft px-4 py-3">
          {sentence}
          {verdict && <span className="figures block pt-1 text-small text-muted">{verdict}</span>}
          <Link
            to={recordPage(experiment.id, 'analise')}
            className="no-print text-small text-accent underline underline-offset-4"
          >
            Ver análise
          </Link>
        </p>
      )}
      {experiment.dados === null && (
        <p className="mx-5 mb-4 text-small text-muted">
          Só médias: sem parcelas nem CV e repetições, não se sabe se as diferenças são reais.
        </p>
      )}
      <div className="hidden sm:block">
        <Table label="Tratamentos com a diferença para a Testemunha">
          <thead>
            <tr>
              <Head>Trat.</Head>
              <Head>Tratamento</Head>
              <Head numeric>Produtividade</Head>
              {withLetters && <Head>Letra</Head>}
              <Head numeric>Diferença</Head>
              <Head>
                <span className="sr-only">Diferença em barra</span>
              </Head>
              {withP && <Head numeric>p (Dunnett)</Head>}
              {costs && <Head numeric>Custo a mais</Head>}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Row key={line.code}>
                <Cell className="figures text-muted">{line.code}</Cell>
                <Cell>
                  <TreatmentName line={line} />
                </Cell>
                <Cell numeric>
                  <YieldText line={line} experiment={experiment} />
                </Cell>
                {withLetters && <Cell className="figures font-semibold">{line.letter}</Cell>}
                <Cell numeric>
                  <GainText line={line} />
                </Cell>
                <Cell className="w-28">
                  <GainBar line={line} most={most} />
                </Cell>
                {withP && (
                  <Cell numeric>{line.p === null ? NO_VALUE : pText(line.p).replace(/^p =? ?/, '')}</Cell>
                )}
                {costs && (
                  <Cell numeric>
                    <ExtraText line={line} experiment={experiment} />
                  </Cell>
                )}
              </Row>
            ))}
          </tbody>
        </Table>
      </div>
      <ul className="flex flex-col gap-3 px-4 pb-4 sm:hidden">
        {lines.map((line) => (
          <li key={line.code} className="flex flex-col gap-2 rounded-md border border-line px-3 py-2.5">
            <div className="flex items-start justify-between gap-3">
              <div className="min-w-0">
                <span className="figures text-small text-muted">{line.code} </span>
                <TreatmentName line={line} />
              </div>
              <p className="figures shrink-0 text-right">
                <YieldText line={line} experiment={experiment} letter={line.letter} />
              </p>
            </div>
            {line.gain && (
              <div className="flex items-center gap-3">
                <span className="figures shrink-0 text-small">
                  <GainText line={line} />
                </span>
                <span className="min-w-0 flex-1">
                  <GainBar line={line} most={most} />
                </span>
              </div>
            )}
            {costs && line.gain && (
              <p className="figures text-small text-muted">
                Custo a mais: <ExtraText line={line} experiment={experiment} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function TreatmentName({ line: { treatment } }: { line: Line }) {
  const products = treatment.produtos_aplicados
    .map(({ nome, dose, unidade }) =>
      dose === null ? nome : `${nome} ${formatNumber(dose, 4)} ${unidade ?? ''}`.trim(),
    )
    .join(' + ')
  return (
    <>
      <span className="font-medium">{treatment.nome}</span> <Badge>{treatment.modalidade}</Badge>
      {products && <span className="block text-small text-muted">{products}</span>}
    </>
  )
}

function YieldText({
  line: { treatment },
  experiment,
  letter = null,
}: {
  line: Line
  experiment: Experiment
  letter?: string | null
}) {
  const sacks = formatSacks(treatment.produtividade, experiment.cultura)
  return (
    <>
      <span className="font-semibold">
        {formatYield(treatment.produtividade)}
        {letter && ` ${letter}`}
      </span>
      {sacks && <span className="block text-small text-muted">{sacks}</span>}
    </>
  )
}

function GainText({ line: { gain } }: { line: Line }) {
  if (!gain) return <span className="text-muted">controle</span>
  return (
    <>
      {signed(gain.kg, 0)}
      {gain.percent !== null && <span className="text-muted"> ({signed(gain.percent, 1)}%)</span>}
    </>
  )
}

/** Left and right of zero, on one scale for all treatments. */
function GainBar({ line: { gain }, most }: { line: Line; most: number }) {
  if (!gain) return null
  const half = Math.min(50, (50 * Math.abs(gain.kg)) / most)
  return (
    <span aria-hidden className="data-colour relative block h-3 w-full min-w-20 rounded-sm bg-sunken">
      <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
      <span
        className={`absolute inset-y-0 rounded-sm ${gain.kg >= 0 ? 'bg-accent' : 'bg-warn'}`}
        style={gain.kg >= 0 ? { left: '50%', width: `${half}%` } : { right: '50%', width: `${half}%` }}
      />
    </span>
  )
}

function ExtraText({ line: { gain, extra }, experiment }: { line: Line; experiment: Experiment }) {
  if (!experiment.permissoes.ver_custos) return HIDDEN
  if (!gain || extra === null) return NO_VALUE
  return `${formatShown(extra, experiment)}/ha`
}
