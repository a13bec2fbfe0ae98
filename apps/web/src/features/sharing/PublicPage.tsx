import {
  brandColour,
  businessUnitName,
  formatCurrency,
  formatNumber,
  formatPercent,
  formatSacks,
  formatYield,
  HIDDEN,
  type PublicExperiment,
  withUnitOnce,
} from '@ensaio/domain'
import { FileText, Lock } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { type ApiError, call, open, reasonOf } from '../../api/client.ts'
import { AtAGlance } from '../../shell/AtAGlance.tsx'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/Input.tsx'
import { Badge, Banner, Card, CardHeader, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

const FILE_MS = 120_000
const withPassword = (password: string): { headers?: Record<string, string> } =>
  // A header holds no more than Latin letters as they are.
  password ? { headers: { 'x-link-password': encodeURIComponent(password) } } : {}

/** One trial, for whoever has its link. */
export function PublicPage() {
  const { token = '' } = useParams()
  const [experiment, setExperiment] = useState<PublicExperiment | null>(null)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  useTitle(experiment ? `${experiment.cultura} ${experiment.ano}` : 'Experimento')
  const ask = async (typed: string, signal?: AbortSignal) => {
    setBusy(true)
    try {
      const answer = await call(
        'publicExperiment',
        { params: { token } },
        { ...withPassword(typed), ...(signal && { signal }) },
      )
      setExperiment(answer.experimento)
      setFailure(null)
    } catch (error) {
      if (signal?.aborted) return
      setFailure(error as ApiError)
    }
    setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link
  useEffect(() => {
    const leave = new AbortController()
    void ask('', leave.signal)
    return () => leave.abort()
  }, [token])

  if (experiment)
    return (
      <main id="conteudo" className="page flex flex-col gap-6 py-8">
        <Shown experiment={experiment} onFile={() => fileOf(token, password)} />
      </main>
    )
  const asked = failure?.code === 'link.password'
  return (
    <main id="conteudo" className="page flex justify-center py-10 sm:py-16">
      <Card className="flex w-full max-w-md flex-col gap-5 self-start px-6 py-7 sm:px-8">
        <h1 className="text-display font-semibold">Experimento</h1>
        {!failure && <Skeleton className="h-24" />}
        {asked && (
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event: FormEvent) => {
              event.preventDefault()
              void ask(password)
            }}
          >
            <p className="flex items-center gap-2 text-muted">
              <Lock aria-hidden className="size-4 shrink-0" /> Este link tem uma senha.
            </p>
            {failure && password && <Banner tone="danger">{reasonOf(failure)}</Banner>}
            <Field label="Senha do link">
              {(control) => (
                <PasswordInput
                  {...control}
                  name="senha"
                  autoComplete="off"
                  value={password}
                  onChange={({ target }) => setPassword(target.value)}
                />
              )}
            </Field>
            <div>
              <Button type="submit" variant="primary" busy={busy} disabled={!password}>
                Abrir
              </Button>
            </div>
          </form>
        )}
        {failure && !asked && (
          <>
            <Banner tone="danger">{reasonOf(failure)}</Banner>
            {failure.offline ? (
              <Button busy={busy} onClick={() => void ask('')}>
                Tentar novamente
              </Button>
            ) : (
              <Link to={paths.landing} className={buttonClasses()}>
                Ir para o início
              </Link>
            )}
          </>
        )}
      </Card>
    </main>
  )
}

async function fileOf(token: string, password: string): Promise<void> {
  const response = await open(
    'publicDocument',
    { params: { token } },
    { ...withPassword(password), timeoutMs: FILE_MS },
  )
  downloadBlob('relatorio.pdf', await response.blob())
}

function Shown({ experiment, onFile }: { experiment: PublicExperiment; onFile: () => Promise<void> }) {
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const hidden = experiment.ocultos.length > 0
  const money = (value: number | null) =>
    hidden ? HIDDEN : `${formatCurrency(value)}${value === null ? '' : '/ha'}`
  const sacks = formatSacks(experiment.produtividade_media, experiment.cultura)
  const facts: [string, ReactNode][] = [
    ['Consultoria', experiment.consultoria],
    ['Business Unit', businessUnitName(experiment.bu)],
    ['Local', `${experiment.cidade}/${experiment.estado}`],
    ['Regional', experiment.regional],
    ['Cultivar', experiment.cultivar],
    ['Teor de Argila', formatPercent(experiment.teor_argila)],
    ['Matéria Orgânica', formatPercent(experiment.teor_materia_organica)],
    ['Estatística', experiment.tipo_estatistica],
    ['Produtividade Média', `${formatYield(experiment.produtividade_media)}${sacks ? ` · ${sacks}` : ''}`],
    ['ROI', money(experiment.roi)],
    ['Custo do protocolo', money(experiment.custo_protocolo)],
  ]
  const file = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await onFile()
    } catch (error) {
      setFailure(reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <p className="text-muted break-words">{experiment.organizacao.nome} mostra</p>
          <h1 className="text-display font-semibold break-words">
            {experiment.cultura} · {experiment.cidade}/{experiment.estado} · {experiment.ano}
          </h1>
          <p className="mt-1">
            <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
          </p>
        </div>
        {experiment.documento && (
          <Button icon={<FileText aria-hidden className="size-4" />} busy={busy} onClick={file}>
            Baixar o relatório
          </Button>
        )}
      </header>
      {failure && <Banner tone="danger">Erro ao baixar PDF. {failure}</Banner>}
      <AtAGlance trial={experiment} costs={!hidden} />
      <Card>
        <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 px-5 py-5 sm:grid-cols-3 lg:grid-cols-4">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-small text-muted">{name}</dt>
              <dd className="font-medium break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card>
        <CardHeader title="Tratamentos" />
        <Table label="Tratamentos">
          <thead>
            <tr>
              <Head>Tratamento</Head>
              <Head>Produtos aplicados</Head>
              <Head>Análises adicionais</Head>
              <Head numeric>Custo</Head>
              <Head numeric>Produtividade</Head>
            </tr>
          </thead>
          <tbody>
            {experiment.tratamentos.map((treatment, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a treatment is its place in the report
              <Row key={index}>
                <Cell className="min-w-40">
                  <span className="figures text-muted">T{index + 1}</span> {treatment.nome}
                  <span className="block text-small text-muted">{treatment.modalidade}</span>
                </Cell>
                <Cell className="figures min-w-44 text-small">
                  {treatment.produtos_aplicados
                    .map(({ nome, dose, unidade }) =>
                      dose === null ? nome : `${nome} ${formatNumber(dose, 4)} ${unidade ?? ''}`,
                    )
                    .join('; ') || '–'}
                </Cell>
                <Cell className="figures min-w-44 text-small">
                  {treatment.analises_adicionais
                    .map(
                      ({ nome, valor, unidade }) =>
                        `${nome}: ${withUnitOnce(nome, formatNumber(valor, 4), unidade)}`,
                    )
                    .join('; ') || '–'}
                </Cell>
                <Cell numeric>{money(treatment.custo)}</Cell>
                <Cell numeric>{formatYield(treatment.produtividade)}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </Card>
    </>
  )
}
