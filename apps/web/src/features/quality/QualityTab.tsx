import {
  type Experiment,
  formatDate,
  formatDay,
  formatNumber,
  type Quality,
  type QualityFinding,
} from '@ensaio/domain'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, reasonOf } from '../../api/client.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { QualityMark } from '../../shell/ExperimentButtons.tsx'
import { useMay } from '../../shell/organization.tsx'
import { cellPage, editField } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Registration } from './Registration.tsx'

/** What the rules find in a trial, by weight; a person may say that it is right. */
export function QualityTab({ experiment }: { experiment: Experiment }) {
  const query = useEndpoint('experimentQuality', { params: { id: experiment.id } })
  if (query.isError)
    return <ErrorState message="Erro ao buscar os apontamentos" onRetry={() => query.refetch()} />
  if (!query.data) return <Skeleton className="h-96" />
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <Findings experiment={experiment} quality={query.data} />
      <Registration experiment={experiment} />
    </div>
  )
}

/** 'entre 1.900 e 5.100 kg/ha em 95 % dos seus 212 ensaios de soja': beside the table of ranges, never in its place. */
const ownRangeText = ({ cultura, ensaios, de, ate }: NonNullable<Quality['faixa_propria']>): string =>
  `Suas médias ficam entre ${formatNumber(de, 0)} e ${formatNumber(ate, 0)} kg/ha em 95 % dos seus ${formatNumber(ensaios, 0)} ensaios de ${cultura.toLowerCase()}.`

const GROUPS = [
  { peso: 'problema', title: 'Problemas', icon: CircleAlert, tone: 'text-danger' },
  { peso: 'conferir', title: 'A conferir', icon: TriangleAlert, tone: 'text-warn' },
  { peso: 'nota', title: 'Notas', icon: Info, tone: 'text-muted' },
] as const
type Group = (typeof GROUPS)[number]

function Findings({ experiment, quality }: { experiment: Experiment; quality: Quality }) {
  const may = useMay()
  const source = useSource()
  const [asked, setAsked] = useState<QualityFinding | null>(null)
  const editable = source.name !== 'demo' && may('experiment.edit', experiment).allowed
  const { apontamentos } = quality
  const said = apontamentos.filter(({ resposta }) => resposta)
  return (
    <Card aria-labelledby="apontamentos">
      <CardHeader
        title={<span id="apontamentos">Qualidade dos dados</span>}
        subtitle="Avisos com motivo e fonte. Nenhum impede de salvar nem muda um número."
        actions={<QualityMark apontamentos={quality.apontamentos_abertos} />}
      />
      <div className="flex flex-col gap-6 px-5 pb-5">
        {quality.faixa_propria && <p className="text-muted">{ownRangeText(quality.faixa_propria)}</p>}
        {apontamentos.length === 0 && (
          <EmptyState icon={<CircleCheck aria-hidden />} title="Sem apontamentos" className="!py-6" />
        )}
        {GROUPS.map((group) => {
          const found = apontamentos.filter(({ peso, resposta }) => peso === group.peso && !resposta)
          if (found.length === 0) return null
          return (
            <section key={group.peso} aria-label={group.title} className="flex flex-col gap-2">
              <h3 className="font-semibold">{group.title}</h3>
              <FindingList
                found={found}
                experiment={experiment}
                group={group}
                onAnswer={editable ? setAsked : null}
              />
            </section>
          )
        })}
        {said.length > 0 && (
          <section aria-label="Respondidos" className="flex flex-col gap-2">
            <h3 className="font-semibold">Respondidos: está certo assim</h3>
            <FindingList found={said} experiment={experiment} group={GROUPS[2]} onAnswer={null} />
          </section>
        )}
      </div>
      {asked && <Answer experiment={experiment} finding={asked} onClose={() => setAsked(null)} />}
    </Card>
  )
}

function FindingList({
  found,
  experiment,
  group: { icon: Icon, tone },
  onAnswer,
}: {
  found: readonly QualityFinding[]
  experiment: Experiment
  group: Group
  onAnswer: ((finding: QualityFinding) => void) | null
}) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
      {found.map((finding) => {
        const { codigo, lugar, texto, fonte, resposta, peso } = finding
        return (
          <li key={`${codigo} ${lugar} ${finding.valor}`} className="flex flex-wrap gap-3 px-4 py-3">
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
            <div className="min-w-0 flex-1 basis-44">
              <p>{texto}</p>
              <p className="text-small text-muted">
                Fonte:{' '}
                {fonte.endereco ? (
                  <a
                    className="text-accent underline underline-offset-4"
                    href={fonte.endereco}
                    rel="noreferrer"
                    target="_blank"
                  >
                    {fonte.titulo}
                  </a>
                ) : (
                  fonte.titulo
                )}
                , lido em {formatDay(fonte.lido_em)}
                {fonte.antiga && ` · ${fonte.antiga}`}
              </p>
              {resposta && (
                <p className="mt-1 text-small">
                  {resposta.texto ? `“${resposta.texto}”` : 'Está certo assim'}
                  <span className="text-muted">
                    {resposta.quem && ` · ${resposta.quem}`} · {formatDate(resposta.quando)}
                  </span>
                </p>
              )}
            </div>
            <div className="no-print flex items-center gap-3 self-start">
              <Where finding={finding} experiment={experiment} />
              {onAnswer && peso !== 'nota' && (
                <Button size="small" onClick={() => onAnswer(finding)}>
                  Está certo assim
                </Button>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** The page of the form, or the tab, where it can be looked at. */
function Where({ finding: { onde }, experiment }: { finding: QualityFinding; experiment: Experiment }) {
  const to =
    onde.campo === null || onde.campo === 'ficha'
      ? cellPage(experiment.id, onde)
      : editField(experiment.id, pageOf(onde.campo), onde.campo)
  if (!experiment.permissoes.editar && onde.campo !== null) return null
  return (
    <Link to={to} className="text-small text-accent underline-offset-4 hover:underline">
      Ver o dado
    </Link>
  )
}

/** The wizard's page that asks for a field, by its path. */
function pageOf(campo: string): number {
  if (campo.startsWith('tratamentos')) return 5
  if (campo === 'latitude' || campo === 'longitude' || campo === 'estado') return 2
  if (campo.startsWith('teor_')) return 3
  if (campo === 'ano' || campo === 'cultivar') return 4
  return campo === 'experimento' ? 1 : 6
}

function Answer({
  experiment,
  finding,
  onClose,
}: {
  experiment: Experiment
  finding: QualityFinding
  onClose: () => void
}) {
  const [texto, setTexto] = useState('')
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })
  const send = async () => {
    if (texto.trim().length < 5)
      return setState({ busy: false, error: 'Diga por que está certo, em 5 a 300 caracteres' })
    setState({ busy: true, error: null })
    try {
      const { codigo, lugar, valor } = finding
      await call('answerQuality', { params: { id: experiment.id, codigo }, body: { lugar, valor, texto } })
      await experimentsChanged()
      onClose()
    } catch (error) {
      setState({ busy: false, error: reasonOf(error) })
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Está certo assim"
      description={finding.texto}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" busy={state.busy} onClick={send}>
            Guardar a resposta
          </Button>
        </>
      }
    >
      <Banner tone="info" className="mb-4">
        A resposta fica com o seu nome e a data, e vale enquanto o valor for o mesmo.
      </Banner>
      <Field label="Por que está certo" required error={state.error ?? undefined}>
        {(attributes) => (
          <Input
            {...attributes}
            maxLength={300}
            value={texto}
            onChange={(event) => setTexto(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void send()
            }}
          />
        )}
      </Field>
    </Dialog>
  )
}
