import {
  ALPHA_OPTIONS,
  type AnalysisAnswer,
  type AnalysisQuery,
  datesOf,
  type Experiment,
  scaleText,
  TRANSFORMATIONS,
  type TrialSheet,
} from '@ensaio/domain'
import { Link, useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { useSetAddress } from '../../shell/address.ts'
import { recordPage } from '../../shell/paths.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Checkbox, NumberInput, Select } from '../../ui/Input.tsx'
import { Banner, Card, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { AnalysisBody } from './AnalysisBody.tsx'
import { QUESTION_KEYS } from './question-keys.ts'

/** What one trial says of one variable, with its reasons. */
export function AnalysisTab({ experiment }: { experiment: Experiment }) {
  const [search] = useSearchParams()
  const plots = useEndpoint(
    'getPlots',
    { params: { id: experiment.id } },
    { enabled: experiment.dados === 'parcelas' },
  )
  const query = Object.fromEntries(
    QUESTION_KEYS.flatMap((key) => (search.get(key) ? [[key, search.get(key)]] : [])),
  ) as AnalysisQuery
  const analysis = useEndpoint(
    'analysis',
    { params: { id: experiment.id }, query: { ...query, se_houver: '1' } as never },
    { enabled: experiment.dados !== null, keep: true },
  )
  if (experiment.dados === null)
    return (
      <Card>
        <EmptyState
          title="Este experimento só tem médias."
          action={
            <Link to={recordPage(experiment.id, 'parcelas')} className={buttonClasses('primary')}>
              Informar parcelas
            </Link>
          }
        >
          Sem parcelas, e sem CV e número de repetições no relatório, não há ANOVA, letras nem valor de p.
        </EmptyState>
      </Card>
    )
  const sheet = plots.data?.ficha ?? null
  return (
    <div className="flex flex-col gap-6">
      <Question
        experiment={experiment}
        sheet={sheet}
        query={query}
        answer={analysis.data?.analise ?? undefined}
      />
      {analysis.isError ? (
        <Card>
          <ErrorState message={analysis.error.message} onRetry={() => analysis.refetch()} />
        </Card>
      ) : analysis.data?.recusa ? (
        <Card>
          <ErrorState message={analysis.data.recusa.detail} />
          <WayOut
            code={analysis.data.recusa.code}
            both={
              experiment.estatistica_informada?.cv != null && experiment.estatistica_informada.dms !== null
            }
          />
        </Card>
      ) : analysis.data?.analise ? (
        <div
          className={analysis.isPlaceholderData ? 'opacity-60 transition-opacity' : undefined}
          aria-busy={analysis.isPlaceholderData}
        >
          <AnalysisBody experiment={experiment} analysis={analysis.data.analise} query={query} />
        </div>
      ) : (
        <div className="flex flex-col gap-4" aria-busy="true">
          <p className="sr-only">Calculando a análise</p>
          <Skeleton className="h-16" />
          <Skeleton className="h-80" />
        </div>
      )}
    </div>
  )
}

/** What a refused question can be asked instead. */
const WAYS_OUT: Record<string, readonly { label: string; to: Record<string, string> }[]> = {
  'analysis.transform': [{ label: 'Analisar sem transformação', to: { transformacao: '', lambda: '' } }],
  'analysis.empty_cell': [
    { label: 'Analisar as combinações que existem, num só fator', to: { ignorar_fatores: '1' } },
  ],
  'rebuilt.not_allowed': [
    { label: 'Usar o CV', to: { usar: 'cv' } },
    { label: 'Usar a DMS', to: { usar: 'dms' } },
  ],
}

function WayOut({ code, both }: { code: string; both: boolean }) {
  const write = useSetAddress({ replace: false })
  const ways = code === 'rebuilt.not_allowed' && !both ? [] : (WAYS_OUT[code] ?? [])
  if (ways.length === 0) return null
  return (
    <p className="flex flex-wrap justify-center gap-3 px-4 pb-6">
      {ways.map(({ label, to }) => (
        <Button key={label} onClick={() => write(to)}>
          {label}
        </Button>
      ))}
    </p>
  )
}

type QuestionProps = {
  experiment: Experiment
  sheet: TrialSheet | null
  query: AnalysisQuery
  answer: AnalysisAnswer | undefined
}

function Question({ experiment, sheet, query, answer }: QuestionProps) {
  const write = useSetAddress({ replace: false })
  const rebuilt = answer?.origem === 'reconstruida'
  if (!sheet) return rebuilt ? <Banner tone="info">{answer.frases.reconstruida}</Banner> : null
  const responses = sheet.variaveis.filter(({ papel }) => papel === 'resposta')
  const variable = sheet.variaveis.find(({ chave }) => chave === (query.variavel ?? answer?.variavel.chave))
  const dates = variable ? datesOf(sheet, variable.chave).filter((date) => date !== null) : []
  const dateName = (key: string) => sheet.avaliacoes.find(({ chave }) => chave === key)?.nome ?? key
  const covariates = sheet.variaveis.filter(
    ({ chave, papel }) => papel === 'covariavel' && chave !== variable?.chave,
  )
  const curve = query.agregacao === 'aacpd'
  const efficacy = variable?.maior_melhor === false && sheet.testemunha !== null && !curve
  const doses = sheet.fatores.some(({ tipo }) => tipo === 'quantitativo')
  return (
    <div className="no-print flex flex-wrap items-end gap-3">
      <Labelled label="Variável">
        <Select
          value={variable?.chave ?? ''}
          options={responses.map(({ chave, nome }) => ({ value: chave, label: nome }))}
          onChange={(event) =>
            write({
              variavel: event.target.value,
              avaliacao: '',
              agregacao: '',
              eficacia: '',
              avaliacao_previa: '',
              transformacao: '',
              lambda: '',
            })
          }
        />
      </Labelled>
      {dates.length > 0 && (
        <Labelled label="Avaliação">
          <Select
            value={curve ? 'aacpd' : (query.avaliacao ?? answer?.avaliacao?.chave ?? '')}
            options={[
              ...dates.map((date) => ({ value: date, label: dateName(date) })),
              ...(dates.length >= 2 ? [{ value: 'aacpd', label: 'AACPD (área sob a curva)' }] : []),
            ]}
            onChange={(event) =>
              event.target.value === 'aacpd'
                ? write({ agregacao: 'aacpd', avaliacao: '', eficacia: '', avaliacao_previa: '' })
                : write({ agregacao: '', avaliacao: event.target.value })
            }
          />
        </Labelled>
      )}
      {!rebuilt && (
        <Labelled label="Transformação">
          <Select
            value={query.transformacao ?? 'nenhuma'}
            options={TRANSFORMATIONS.map((value) => ({
              value,
              label:
                value === 'nenhuma' ? 'Nenhuma' : value === 'boxcox' ? 'Box-Cox' : scaleText(value, null),
            }))}
            onChange={(event) => {
              const { value } = event.target
              const proposed =
                answer?.box_cox && 'lambda' in answer.box_cox ? (answer.box_cox.sugestao ?? 1) : 0.5
              write({
                transformacao: value === 'nenhuma' ? '' : value,
                lambda: value === 'boxcox' ? String(proposed) : '',
              })
            }}
          />
        </Labelled>
      )}
      {query.transformacao === 'boxcox' && (
        <Labelled label="λ">
          <NumberInput
            className="w-24"
            value={Number(query.lambda)}
            onValue={(value) =>
              typeof value === 'number' && value >= -5 && value <= 5 && write({ lambda: String(value) })
            }
          />
        </Labelled>
      )}
      {covariates.length > 0 && (
        <Labelled label="Covariável">
          <Select
            value={query.covariavel ?? ''}
            placeholder="Nenhuma"
            options={covariates.map(({ chave, nome }) => ({ value: chave, label: nome }))}
            onChange={(event) => write({ covariavel: event.target.value })}
          />
        </Labelled>
      )}
      {efficacy && (
        <Labelled label="Eficácia">
          <Select
            value={query.eficacia ?? ''}
            placeholder="Não mostrar"
            options={[
              { value: 'abbott', label: 'Abbott' },
              ...(dates.length >= 2 ? [{ value: 'henderson_tilton', label: 'Henderson-Tilton' }] : []),
            ]}
            onChange={(event) =>
              write({
                eficacia: event.target.value,
                avaliacao_previa: event.target.value === 'henderson_tilton' ? (dates[0] ?? '') : '',
              })
            }
          />
        </Labelled>
      )}
      {query.eficacia === 'henderson_tilton' && (
        <Labelled label="Avaliação prévia">
          <Select
            value={query.avaliacao_previa ?? ''}
            options={dates.map((date) => ({ value: date, label: dateName(date) }))}
            onChange={(event) => write({ avaliacao_previa: event.target.value })}
          />
        </Labelled>
      )}
      {doses && (
        <>
          <Labelled label="Preço do insumo, por unidade de dose">
            <Price value={query.preco_insumo} onValue={(value) => write({ preco_insumo: value })} />
          </Labelled>
          <Labelled label={`Preço do produto, por ${variable?.unidade.split('/')[0] || 'unidade'}`}>
            <Price value={query.preco_produto} onValue={(value) => write({ preco_produto: value })} />
          </Labelled>
        </>
      )}
      <Labelled label="Significância">
        <Select
          value={String(query.alfa ?? '0.05')}
          options={ALPHA_OPTIONS}
          onChange={(event) => write({ alfa: event.target.value === '0.05' ? '' : event.target.value })}
        />
      </Labelled>
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2">
        {sheet.testemunha !== null && sheet.fatores.length === 0 && (
          <Checkbox
            label="Deixar a Testemunha fora da análise"
            checked={query.excluir_testemunha === '1'}
            onChange={(event) => write({ excluir_testemunha: event.target.checked ? '1' : '' })}
          />
        )}
        {(query.excluir_constantes === '1' || hasConstants(answer)) && (
          <Checkbox
            label="Deixar fora os tratamentos sem variação"
            checked={query.excluir_constantes === '1'}
            onChange={(event) => write({ excluir_constantes: event.target.checked ? '1' : '' })}
          />
        )}
        {experiment.estatistica_informada?.repeticoes != null && (
          <Checkbox
            label="Reconstruída do relatório"
            checked={query.origem === 'reconstruida'}
            onChange={(event) => write({ origem: event.target.checked ? 'reconstruida' : '' })}
          />
        )}
      </div>
    </div>
  )
}

/** Some treatments vary not at all, and others do. */
const hasConstants = (answer: AnalysisAnswer | undefined): boolean => {
  const means =
    answer?.grupos[0]?.medias.filter(({ n, desvio }) => n > 1 && desvio !== null && desvio !== undefined) ??
    []
  const constant = means.filter(({ desvio }) => desvio === 0).length
  return constant > 0 && constant < means.length
}

function Price({ value, onValue }: { value: number | undefined; onValue: (value: string) => void }) {
  return (
    <NumberInput
      className="w-32"
      money
      value={value === undefined ? null : Number(value)}
      onValue={(next) => next !== undefined && onValue(next === null ? '' : String(next))}
    />
  )
}

const Labelled = ({ label, children }: { label: string; children: React.ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label className="flex min-w-0 flex-col gap-1 text-small font-medium">
    {label}
    {children}
  </label>
)
