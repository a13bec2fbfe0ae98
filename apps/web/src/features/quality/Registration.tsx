import { type Experiment, formatDay, MOST_TOGETHER } from '@ensaio/domain'
import { REGISTRATION_KINDS, type RegistrationKind, registrationList } from '@ensaio/domain/advice'
import { CircleCheck, CircleHelp, CircleX, FileDown, Minus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { open, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useSetAddress } from '../../shell/address.ts'
import { Button } from '../../ui/Button.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Select } from '../../ui/Input.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { toast } from '../../ui/toast.tsx'
import { RegistrationSet, useTogether } from './RegistrationSet.tsx'
import { RegistryForm } from './RegistryForm.tsx'

const REPORT_MS = 60_000
const KINDS = Object.entries(REGISTRATION_KINDS).map(([value, label]) => ({ value, label }))
const LOOKS = {
  Atende: { icon: CircleCheck, tone: 'text-ok' },
  'Não atende': { icon: CircleX, tone: 'text-danger' },
  'Sem dado': { icon: Minus, tone: 'text-muted' },
  'Conferir com a norma': { icon: CircleHelp, tone: 'text-warn' },
} as const

/** A checklist of what a registration would ask of the trial; which one is in the address, to be sent. */
export function Registration({ experiment }: { experiment: Experiment }) {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: true })
  const asked = search.get('registro')
  const kind = asked !== null && asked in REGISTRATION_KINDS ? (asked as RegistrationKind) : null
  // The address follows: it comes back too late to be ticked against.
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    [...new Set((search.get('conjunto') ?? '').split(','))].filter(Boolean).slice(0, MOST_TOGETHER),
  )
  const choose = (ids: readonly string[]) => {
    setChosen(ids)
    write({ conjunto: ids.join(',') })
  }
  const { together, lost } = useTogether(experiment, kind === 'inoculante' ? chosen : [])
  return (
    <Card>
      <CardHeader title="Para registro" subtitle="Uma lista para conferir, não um parecer." />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <Checkbox
          label="Este ensaio será usado em registro no MAPA"
          checked={kind !== null}
          onChange={({ target }) => write({ registro: target.checked ? 'fertilizante' : '' })}
        />
        {kind && (
          <>
            <Field label="Registro de" className="max-w-md">
              {(attributes) => (
                <Select
                  {...attributes}
                  options={KINDS}
                  value={kind}
                  onChange={({ target }) => write({ registro: target.value })}
                />
              )}
            </Field>
            {kind === 'inoculante' && (
              <RegistrationSet
                experiment={experiment}
                chosen={chosen}
                together={together}
                lost={lost}
                onChosen={choose}
              />
            )}
            <Lines experiment={experiment} kind={kind} together={together} />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="text-small text-muted">
                Esta lista ajuda a conferir. Quem decide é o MAPA; leia a norma em vigor.
              </p>
              <WithReport experiment={experiment} kind={kind} others={together.slice(1)} />
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

/** The list behind the trial's report, as one file. */
function WithReport({
  experiment,
  kind,
  others,
}: {
  experiment: Experiment
  kind: RegistrationKind
  others: readonly Experiment[]
}) {
  const [busy, setBusy] = useState(false)
  if (useSource().name === 'demo') return null
  const take = async () => {
    setBusy(true)
    try {
      const response = await open(
        'trialReport',
        {
          params: { id: experiment.id },
          query: {
            ...{ formato: 'pdf', registro: kind },
            ...(others.length > 0 && { conjunto: others.map(({ id }) => id).join(',') }),
          },
        },
        { timeoutMs: REPORT_MS },
      )
      downloadBlob(`Relatório para registro - ${experiment.nome}.pdf`, await response.blob())
    } catch (error) {
      toast.error('O relatório não pôde ser feito', reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <Button
      className="no-print"
      icon={<FileDown aria-hidden className="size-4" />}
      busy={busy}
      onClick={() => void take()}
    >
      Baixar com o relatório
    </Button>
  )
}

function Lines({
  experiment,
  kind,
  together,
}: {
  experiment: Experiment
  kind: RegistrationKind
  together: readonly Experiment[]
}) {
  const plots = useEndpoint(
    'getPlots',
    { params: { id: experiment.id } },
    { enabled: experiment.dados === 'parcelas' },
  )
  if (experiment.dados === 'parcelas' && plots.isError)
    return <ErrorState message="Erro ao buscar as parcelas" onRetry={() => plots.refetch()} />
  if (experiment.dados === 'parcelas' && !plots.data) return <Skeleton className="h-64" />
  const ficha = plots.data?.ficha ?? null
  const lines = registrationList(kind, { ...experiment, ficha }, together)
  return (
    <>
      {ficha ? (
        <RegistryForm key={ficha.versao} experiment={experiment} sheet={ficha} />
      ) : (
        <p className="text-small text-muted">
          Com as parcelas digitadas, o que a lista pede pode ser guardado aqui: altitude, datas, aplicações,
          RET e responsável.
        </p>
      )}
      <Table label="O que um registro pediria">
        <thead>
          <tr>
            <Head>Situação</Head>
            <Head>O que se pede</Head>
            <Head className="hidden sm:table-cell">Onde foi lido</Head>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ estado, regra, dado, fonte }) => {
            const { icon: Icon, tone } = LOOKS[estado]
            return (
              <Row key={regra}>
                <Cell className={`align-top whitespace-normal sm:whitespace-nowrap ${tone}`}>
                  <span className="inline-flex items-start gap-1.5">
                    <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
                    {estado}
                  </span>
                </Cell>
                <Cell className="min-w-40 align-top whitespace-normal sm:min-w-56">
                  {regra}
                  {dado && <span className="block text-small text-muted">{dado}</span>}
                  <span className="block pt-1 text-small text-muted sm:hidden">
                    {fonte.titulo}, lido em {formatDay(fonte.lido_em)}
                  </span>
                </Cell>
                <Cell className="hidden min-w-40 align-top text-small whitespace-normal text-muted sm:table-cell">
                  {fonte.titulo}, lido em {formatDay(fonte.lido_em)}
                </Cell>
              </Row>
            )
          })}
        </tbody>
      </Table>
    </>
  )
}
