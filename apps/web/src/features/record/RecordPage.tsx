import {
  brandColour,
  businessUnitName,
  clayClass,
  counted,
  type Experiment,
  formatDay,
  formatPercent,
  organicMatterClass,
} from '@ensaio/domain'
import {
  ChartScatter,
  CircleDollarSign,
  FileText,
  Grid3x3,
  History as HistoryIcon,
  ListChecks,
  Pencil,
  Printer,
  ShieldCheck,
  Smartphone,
} from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { OriginContext } from '../../charts/mark.ts'
import { AtAGlance } from '../../shell/AtAGlance.tsx'
import { useSetAddress } from '../../shell/address.ts'
import { ClosedNotice } from '../../shell/ClosedNotice.tsx'
import { QualityMark, Standing } from '../../shell/ExperimentButtons.tsx'
import { useMay, useOriginOf } from '../../shell/organization.tsx'
import { Printed } from '../../shell/Printed.tsx'
import { editPage, fieldPage, paths } from '../../shell/paths.ts'
import { History } from '../../shell/RecordHistory.tsx'
import { useTitle } from '../../shell/title.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Badge, Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Conclusion } from './Conclusion.tsx'
import { TreatmentsTable } from './TreatmentsTable.tsx'

const TABS = [
  { value: 'resumo', label: 'Resumo', icon: <ListChecks aria-hidden /> },
  { value: 'parcelas', label: 'Parcelas', icon: <Grid3x3 aria-hidden /> },
  { value: 'analise', label: 'Análise', icon: <ChartScatter aria-hidden /> },
  { value: 'economia', label: 'Economia', icon: <CircleDollarSign aria-hidden /> },
  { value: 'qualidade', label: 'Qualidade', icon: <ShieldCheck aria-hidden /> },
  { value: 'documentos', label: 'Documentos', icon: <FileText aria-hidden /> },
  { value: 'historico', label: 'Histórico', icon: <HistoryIcon aria-hidden /> },
] as const

type Part = (experiment: Experiment) => ReactNode
/** Parts that are features of their own. */
type Props = Record<
  'plots' | 'analysis' | 'economics' | 'quality' | 'paying' | 'documents' | 'sharing' | 'report',
  Part
>

/** A trial's own page: an address to send. */
export function RecordPage({
  plots,
  analysis,
  economics,
  quality,
  paying,
  documents,
  sharing,
  report,
}: Props) {
  const { id = '' } = useParams()
  const query = useEndpoint('getExperiment', { params: { id } })
  const experiment = query.data?.experimento
  useTitle(experiment?.nome ?? 'Experimento')
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const origin = useOriginOf(experiment ? `${experiment.nome} · ${experiment.consultoria}` : '')
  if (query.isError)
    return (
      <div className="page py-8">
        <Card>
          <ErrorState
            message={query.error.status === 404 ? 'Experimento não encontrado' : 'Erro ao buscar experimento'}
            onRetry={() => query.refetch()}
          />
        </Card>
      </div>
    )
  if (!experiment)
    return (
      <div className="page flex flex-col gap-6 py-8" aria-busy="true">
        <p className="sr-only">Carregando</p>
        <Skeleton className="h-9 w-2/3 max-w-xl" />
        <Skeleton className="h-11" />
        <Skeleton className="h-96" />
      </div>
    )
  // Of what another organisation did, it alone reads.
  const tabs = TABS.filter(({ value }) => value !== 'historico' || experiment.relacao === 'propria')
  const asked = search.get('aba')
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'resumo'
  return (
    <div className="page flex flex-col gap-6 py-8">
      <ClosedNotice />
      <PageHead experiment={experiment} report={report(experiment)} />
      <OriginContext value={origin}>
        <Tabs
          label="Partes do experimento"
          value={tab}
          tabs={tabs}
          onValue={(value) => write({ aba: value === 'resumo' ? '' : value })}
        >
          <TabPanel value="resumo" className="pt-6">
            <Summary
              experiment={experiment}
              paying={paying(experiment)}
              documents={documents(experiment)}
              sharing={sharing(experiment)}
            />
          </TabPanel>
          <TabPanel value="parcelas" className="pt-6">
            <Late>{plots(experiment)}</Late>
          </TabPanel>
          <TabPanel value="analise" className="pt-6">
            <Late>{analysis(experiment)}</Late>
          </TabPanel>
          <TabPanel value="economia" className="pt-6">
            <Late>{economics(experiment)}</Late>
          </TabPanel>
          <TabPanel value="qualidade" className="pt-6">
            <Late>{quality(experiment)}</Late>
          </TabPanel>
          <TabPanel value="documentos" className="pt-6">
            <Card className="max-w-3xl p-5">{documents(experiment)}</Card>
          </TabPanel>
          {experiment.relacao === 'propria' && (
            <TabPanel value="historico" className="pt-6">
              <Card className="max-w-3xl p-5">
                <h2 className="font-semibold">Histórico</h2>
                <History id={experiment.id} />
              </Card>
            </TabPanel>
          )}
        </Tabs>
      </OriginContext>
      <Printed />
    </div>
  )
}

const Late = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<Skeleton className="h-96" />}>{children}</Suspense>
)

const KINDS = { parcelas: 'parcelas', reconstruida: 'reconstruída' } as const

function PageHead({ experiment, report }: { experiment: Experiment; report: ReactNode }) {
  const { cidade, estado, cultura, cultivar, ano, dados } = experiment
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <p className="no-print text-small">
          <Link to={paths.dashboard} className="text-accent underline-offset-4 hover:underline">
            Dashboard
          </Link>
        </p>
        <h1 className="text-display font-semibold break-words">{experiment.nome}</h1>
        <p className="figures text-muted">
          {cultura}, {cultivar} · {cidade}/{estado} · {ano} ·{' '}
          {counted(experiment.n_tratamentos, 'tratamento', 'tratamentos')}
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-1">
          <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
          <Badge>{dados === null ? 'só médias' : KINDS[dados]}</Badge>
          {!experiment.pdf_filename && experiment.permissoes.ver_documentos && <Badge>Sem relatório</Badge>}
          <QualityMark apontamentos={experiment.apontamentos} className="px-1" />
          <Standing experiment={experiment} />
        </div>
      </div>
      <div className="no-print flex flex-wrap gap-2">
        {report}
        {experiment.relacao === 'propria' && experiment.permissoes.editar && (
          <Button
            icon={<Smartphone aria-hidden className="size-4" />}
            // The field is an entry of its own.
            onClick={() => location.assign(fieldPage(experiment.id))}
          >
            Levar para o campo
          </Button>
        )}
        <Button icon={<Printer aria-hidden className="size-4" />} onClick={() => window.print()}>
          Imprimir
        </Button>
      </div>
    </header>
  )
}

function Summary({
  experiment,
  paying,
  documents,
  sharing,
}: {
  experiment: Experiment
  paying: ReactNode
  documents: ReactNode
  sharing: ReactNode
}) {
  const may = useMay()
  const source = useSource()
  const edit =
    source.name === 'demo'
      ? { allowed: false as const, reason: 'Dados de demonstração não podem ser alterados' }
      : may('experiment.edit', experiment)
  const { teor_argila: clay, teor_materia_organica: matter } = experiment
  const part = (page: number, what: string) => (
    <EditPart id={experiment.id} page={page} what={what} edit={edit} />
  )
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <AtAGlance trial={experiment} costs={experiment.permissoes.ver_custos} />
        <Suspense>{paying}</Suspense>
        <TreatmentsTable experiment={experiment} edit={part(5, 'tratamentos')} />
        <Conclusion experiment={experiment} edit={edit} />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Card className="p-5">{documents}</Card>
        <Facts
          title="Informações básicas"
          edit={part(1, 'informações básicas')}
          facts={[
            ['Consultoria', experiment.consultoria],
            ['Business Unit', businessUnitName(experiment.bu)],
            ['Regional', experiment.regional],
            ['Código do ensaio', experiment.codigo],
            ['Cadastrado em', formatDay(experiment.created_at)],
          ]}
        />
        <Facts
          title="Solo"
          edit={part(3, 'solo')}
          facts={[
            ['Teor de argila', clay === null ? null : `${formatPercent(clay)} · ${clayClass(clay).label}`],
            [
              'Matéria orgânica',
              matter === null ? null : `${formatPercent(matter)} · ${organicMatterClass(matter).label}`,
            ],
          ]}
        />
        <Facts
          title="Estatística"
          edit={part(6, 'estatística')}
          facts={[['Tipo', experiment.tipo_estatistica], ...informed(experiment)]}
        />
        {sharing}
      </div>
    </div>
  )
}

function informed({ estatistica_informada: told }: Experiment): [string, string | null][] {
  if (!told) return []
  return [
    ['Delineamento do relatório', told.delineamento],
    ['Repetições', told.repeticoes === null ? null : String(told.repeticoes)],
    ['CV', told.cv === null ? null : formatPercent(told.cv, told.cv_casas ?? 1)],
  ]
}

type Decision = { allowed: true } | { allowed: false; reason: string }

function EditPart({ id, page, what, edit }: { id: string; page: number; what: string; edit: Decision }) {
  const label = (
    <>
      <Pencil aria-hidden className="size-4" />
      Editar<span className="sr-only"> {what}</span>
    </>
  )
  return edit.allowed ? (
    <Link to={editPage(id, page)} className={`no-print ${buttonClasses('quiet', 'small')}`}>
      {label}
    </Link>
  ) : (
    <Button variant="quiet" size="small" disabled title={edit.reason} className="no-print">
      {label}
    </Button>
  )
}

function Facts({
  title,
  edit,
  facts,
}: {
  title: string
  edit: ReactNode
  facts: readonly (readonly [string, string | null])[]
}) {
  const known = facts.filter(([, value]) => value !== null && value !== '')
  return (
    <Card>
      <CardHeader title={title} actions={edit} />
      {known.length === 0 ? (
        <p className="px-5 pb-4 text-small text-muted">Não informado.</p>
      ) : (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-5 pb-4">
          {known.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-small text-muted">{name}</dt>
              <dd className="figures min-w-0 text-right break-words">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}
