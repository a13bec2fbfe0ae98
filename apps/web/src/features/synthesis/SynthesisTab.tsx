import { counted, NOT_A_SAMPLE, type SynthesisAnswer, type SynthesisQuery } from '@ensaio/domain'
import { ClipboardCopy, Combine } from 'lucide-react'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { Chooser } from './Chooser.tsx'
import { Estimates } from './Estimates.tsx'
import { Forest } from './Forest.tsx'
import { JointPart } from './JointPart.tsx'
import { LeftOut } from './LeftOut.tsx'
import { RecordButton, Records } from './Records.tsx'
import { type SynthesisAddress, useSynthesisAddress } from './synthesis-address.ts'
import { WhyItVaries } from './WhyItVaries.tsx'

/** What a product does against the control over all trials of the filter. */
export function SynthesisTab() {
  const address = useSynthesisAddress()
  return (
    <>
      <Chooser address={address} />
      {!address.asked ? (
        <Card>
          <EmptyState
            icon={<Combine aria-hidden />}
            title="Escolha um produto para comparar com a Testemunha"
          >
            De cada ensaio do filtro entra um só efeito: a média dos tratamentos com o produto menos a
            Testemunha.
          </EmptyState>
        </Card>
      ) : (
        <Answered address={address} query={address.query} />
      )}
      <JointPart address={address} />
      <Records />
    </>
  )
}

function Answered({ address, query }: { address: SynthesisAddress; query: SynthesisQuery }) {
  const asked = useEndpoint('synthesis', { query }, { keep: true })
  if (asked.isError)
    return (
      <Card>
        {asked.error.code === 'synthesis.none' ? (
          <EmptyState
            icon={<Combine aria-hidden />}
            title={asked.error.message}
            action={
              <Button
                onClick={() =>
                  address.set({ sozinho: '', retirar: '', dose_min: '', dose_max: '', variavel: '' })
                }
              >
                Tirar as condições da síntese
              </Button>
            }
          >
            Escolha outro produto ou alargue os filtros.
          </EmptyState>
        ) : (
          <ErrorState message={asked.error.message} onRetry={() => asked.refetch()} />
        )}
      </Card>
    )
  if (!asked.data)
    return (
      <div className="flex flex-col gap-6" aria-busy="true">
        <p className="sr-only">Calculando a síntese</p>
        <Skeleton className="h-40" />
        <Skeleton className="h-96" />
      </div>
    )
  const answer = asked.data.sintese
  return (
    <div
      aria-busy={asked.isPlaceholderData}
      className={classes('flex min-w-0 flex-col gap-6', asked.isPlaceholderData && 'opacity-50')}
    >
      <Sentence answer={answer} query={query} />
      <Forest answer={answer} address={address} />
      <Estimates answer={answer} />
      <WhyItVaries answer={answer} address={address} />
      <LeftOut answer={answer} address={address} />
    </div>
  )
}

/** The sentence as it leaves the page, with what must not be left behind. */
const sentenceToSend = ({ frases, avisos }: SynthesisAnswer): string =>
  [
    frases['sintese'] ?? frases['sintese_ns'] ?? frases['sem_ep'] ?? '',
    ...avisos.filter(({ codigo }) => codigo !== 'sem_ep').map(({ texto }) => `${texto}.`),
  ].join(' ')

export function Sentence({ answer, query }: { answer: SynthesisAnswer; query: SynthesisQuery }) {
  const { frases, avisos } = answer
  const main = frases['sintese'] ?? frases['sintese_ns'] ?? frases['sem_ep']
  const few = avisos.filter(({ codigo }) => codigo !== 'amostra')
  return (
    <Card>
      <CardHeader
        title={`${answer.produto} contra a Testemunha`}
        subtitle={`${answer.medida === 'lnrr' ? 'Razão das médias, em %' : `Diferença das médias, em ${answer.variavel.unidade}`} · ${counted(answer.k, 'ensaio', 'ensaios')} com erro experimental de ${answer.k_todos} comparados`}
        actions={
          <>
            <Button
              size="small"
              icon={<ClipboardCopy aria-hidden className="size-4" />}
              onClick={() => {
                // Over plain HTTP from another machine there is no clipboard.
                const copied =
                  navigator.clipboard?.writeText(sentenceToSend(answer)) ?? Promise.reject(new Error())
                copied.then(
                  () => toast.success('Frase copiada'),
                  () => toast.error('O navegador não deixou copiar'),
                )
              }}
            >
              Copiar frase
            </Button>
            <RecordButton query={query} answer={answer} />
          </>
        }
      />
      <div className="flex flex-col gap-3 px-5 pb-5">
        <p className="figures text-title" data-testid="sintese-frase">
          {main}
        </p>
        {frases['economia'] && <p className="figures">{frases['economia']}</p>}
        {frases['variacao'] && <p className="figures text-muted">{frases['variacao']}</p>}
        {few.length > 0 && (
          <Banner tone="info">
            <ul className="flex flex-col gap-1">
              {few.map(({ codigo, texto }) => (
                <li key={codigo}>{texto}</li>
              ))}
            </ul>
          </Banner>
        )}
        <p className="text-small text-muted">{NOT_A_SAMPLE}</p>
      </div>
    </Card>
  )
}
