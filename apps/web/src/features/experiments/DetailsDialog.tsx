import {
  brandColour,
  businessUnitName,
  clayClass,
  type Experiment,
  formatNumber,
  formatPercent,
  formatSacks,
  formatShown,
  formatYield,
  organicMatterClass,
  withUnitOnce,
} from '@ensaio/domain'
import { Pencil, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { useMark } from '../../charts/mark.ts'
import { AnalysisLine } from '../../shell/AnalysisLine.tsx'
import { QualityMark, Standing } from '../../shell/ExperimentButtons.tsx'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { Printed } from '../../shell/Printed.tsx'
import { recordPage } from '../../shell/paths.ts'
import { History } from '../../shell/RecordHistory.tsx'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Badge, ErrorState, Skeleton } from '../../ui/Surface.tsx'

type Props = {
  id: string
  onClose: () => void
  /** A part that is a feature of its own. */
  documents: (experiment: Experiment) => ReactNode
  /** What others see of it, and say. */
  sharing: (experiment: Experiment) => ReactNode
}

export function DetailsDialog({ id, onClose, documents, sharing }: Props) {
  const query = useEndpoint('getExperiment', { params: { id } })
  const experiment = query.data?.experimento
  const actions = useExperimentActions()
  const mark = useMark()
  const edit = experiment && actions.may('experiment.edit', experiment)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Detalhes do Experimento"
      description={[experiment?.nome, mark].filter(Boolean).join(' · ')}
      size="large"
      footer={
        <>
          {experiment && (
            <Button icon={<Printer aria-hidden className="size-4" />} onClick={() => window.print()}>
              Imprimir
            </Button>
          )}
          {experiment && edit && (
            <Button
              icon={<Pencil aria-hidden className="size-4" />}
              disabled={!edit.allowed}
              title={edit.allowed ? undefined : edit.reason}
              onClick={() => actions.edit(experiment.id)}
            >
              Editar
            </Button>
          )}
          {experiment && (
            <Link to={recordPage(experiment.id)} className={buttonClasses()}>
              Abrir página do experimento
            </Link>
          )}
          <Button variant="primary" onClick={onClose}>
            Fechar
          </Button>
        </>
      }
    >
      {query.isError ? (
        <ErrorState
          message={query.error.status === 404 ? 'Experimento não encontrado' : 'Erro ao buscar experimento'}
          onRetry={() => query.refetch()}
        />
      ) : experiment ? (
        <Details experiment={experiment} documents={documents(experiment)} sharing={sharing(experiment)} />
      ) : (
        <div className="grid gap-4 sm:grid-cols-2" aria-busy="true">
          {['a', 'b', 'c', 'd'].map((key) => (
            <Skeleton key={key} className="h-36" />
          ))}
        </div>
      )}
    </Dialog>
  )
}

type DetailsProps = { experiment: Experiment; documents: ReactNode; sharing: ReactNode }

function Details({ experiment, documents, sharing }: DetailsProps) {
  const [open, setOpen] = useState(false)
  const { teor_argila: clay, teor_materia_organica: matter } = experiment
  const sacks = formatSacks(experiment.produtividade_media, experiment.cultura)
  const sum = experiment.custo_total
  return (
    <div className="flex flex-col gap-7">
      <Standing experiment={experiment} />
      <QualityMark apontamentos={experiment.apontamentos} />
      <AnalysisLine experiment={experiment} />
      <div className="grid gap-x-8 gap-y-7 sm:grid-cols-2">
        <Section title="Informações Básicas">
          <Fact name="Consultoria">{experiment.consultoria}</Fact>
          <Fact name="Marca">
            <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
          </Fact>
          <Fact name="Business Unit">{businessUnitName(experiment.bu)}</Fact>
          <Fact name="Regional">{experiment.regional}</Fact>
          {experiment.codigo && <Fact name="Código do ensaio">{experiment.codigo}</Fact>}
        </Section>
        <Section title="Localização e Cultura">
          <Fact name="Local">
            {experiment.cidade}/{experiment.estado}
          </Fact>
          <Fact name="Cultura">{experiment.cultura}</Fact>
          <Fact name="Cultivar">{experiment.cultivar}</Fact>
          <Fact name="Ano">{experiment.ano}</Fact>
        </Section>
        {(clay !== null || matter !== null) && (
          <Section title="Características do Solo">
            {clay !== null && (
              <Fact name="Teor de Argila">
                {formatPercent(clay)} <span className="text-muted">· {clayClass(clay).label}</span>
              </Fact>
            )}
            {matter !== null && (
              <Fact name="Matéria Orgânica">
                {formatPercent(matter)}{' '}
                <span className="text-muted">· {organicMatterClass(matter).label}</span>
              </Fact>
            )}
          </Section>
        )}
        <Section title="Resultados">
          <Fact name="Produtividade Média">
            {formatYield(experiment.produtividade_media)}
            {sacks && <span className="text-muted"> · {sacks}</span>}
          </Fact>
          <Fact name="ROI">{perHectare(experiment.roi, experiment)}</Fact>
          <Fact name="Custo do protocolo">{perHectare(experiment.custo_protocolo, experiment)}</Fact>
          {sum !== null && sum !== experiment.custo_protocolo && (
            <Fact name="Soma dos tratamentos">
              {perHectare(sum, experiment)}
              <span className="text-muted"> · alternativas, não se aplicam juntas</span>
            </Fact>
          )}
          <Fact name="Estatística">{experiment.tipo_estatistica}</Fact>
        </Section>
      </div>
      <section>
        <h3 className="mb-3 font-semibold">Tratamentos</h3>
        <ol className="flex flex-col gap-3">
          {experiment.tratamentos.map((treatment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a treatment is its place in the report
            <li key={index} className="rounded-md border border-line px-4 py-3">
              <TreatmentFacts treatment={treatment} code={`T${index + 1}`} experiment={experiment} />
            </li>
          ))}
        </ol>
      </section>
      {documents}
      {sharing}
      <Printed />
      {/* Of what another organisation did, it alone reads. */}
      {experiment.relacao === 'propria' && (
        <details className="no-print" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="cursor-pointer font-semibold">Histórico</summary>
          {open && <History id={experiment.id} />}
        </details>
      )}
    </div>
  )
}

type TreatmentProps = { treatment: Experiment['tratamentos'][number]; code: string; experiment: Experiment }

function TreatmentFacts({ treatment, code, experiment }: TreatmentProps) {
  const sacks = formatSacks(treatment.produtividade, experiment.cultura)
  const hidden = !experiment.permissoes.ver_custos
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="figures text-muted">{code}</span>
          {treatment.nome}
          <Badge>{treatment.modalidade}</Badge>
        </p>
        <p className="figures text-right">
          <span className="font-semibold">{formatYield(treatment.produtividade)}</span>
          {sacks && <span className="text-small text-muted"> · {sacks}</span>}
        </p>
      </div>
      {(hidden || (treatment.custo !== null && treatment.custo > 0)) && (
        <p className="figures text-small">
          <span className="text-muted">Custo Total:</span> {perHectare(treatment.custo, experiment)}
        </p>
      )}
      {treatment.produtos_aplicados.length > 0 && (
        <div className="text-small">
          <p className="text-muted">Produtos Aplicados</p>
          <ul className="figures">
            {treatment.produtos_aplicados.map((product, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same product may be applied twice
              <li key={index}>
                {product.nome}
                {product.dose !== null &&
                  ` · Dose: ${formatNumber(product.dose, 4)} ${product.unidade ?? ''}`}
                {hidden && ' · Custo: Oculto'}
                {product.custo !== null && ` · ${perHectare(product.custo, experiment)}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {treatment.analises_adicionais.length > 0 && (
        <div className="text-small">
          <p className="text-muted">Análises Adicionais</p>
          <ul className="figures">
            {treatment.analises_adicionais.map((analysis, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same variable may be measured twice
              <li key={index}>
                {analysis.nome}:{' '}
                {withUnitOnce(analysis.nome, formatNumber(analysis.valor, 4), analysis.unidade)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const perHectare = (value: number | null, experiment: Experiment): string =>
  formatShown(value, experiment) + (value === null ? '' : '/ha')

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">{children}</dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="figures text-right sm:text-left">{children}</dd>
    </>
  )
}
