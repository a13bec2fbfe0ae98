import { formatDateTime, type Import } from '@ensaio/domain'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSetAddress } from '../../shell/address.ts'
import { useMay } from '../../shell/organization.tsx'
import { Refusal } from '../../shell/Refusal.tsx'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Banner, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { CheckStep } from './CheckStep.tsx'
import { ColumnsStep } from './ColumnsStep.tsx'
import { ResultStep } from './ResultStep.tsx'
import { SendStep } from './SendStep.tsx'
import { type Sheet, sendSheet, useChange, useImport } from './use-import.ts'
import { Reading, WriteStep } from './WriteStep.tsx'

const STEPS = [
  { key: 'enviar', label: 'Enviar' },
  { key: 'colunas', label: 'Colunas' },
  { key: 'conferir', label: 'Conferir' },
  { key: 'gravar', label: 'Gravar' },
  { key: 'resultado', label: 'Resultado' },
] as const
export type Step = (typeof STEPS)[number]['key']

/** The furthest step that an import has come to. */
const REACHED: Record<Import['estado'], Step> = {
  lendo: 'enviar',
  falhou: 'enviar',
  colunas: 'colunas',
  conferir: 'gravar',
  gravando: 'resultado',
  concluida: 'resultado',
  desfeita: 'resultado',
}
const placeOf = (step: Step) => STEPS.findIndex(({ key }) => key === step)

/** Trials out of a spreadsheet, in five steps that the address keeps. */
export function ImportPage() {
  useTitle('Importar planilha')
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const id = search.get('id')
  const query = useImport(id)
  const create = useMay()('experiment.create')
  const importacao = query.data ?? null
  const furthest = id === null || importacao === null ? 'enviar' : REACHED[importacao.estado]
  const asked = STEPS.find(({ key }) => key === search.get('passo'))?.key
  const first: Step = importacao?.estado === 'conferir' ? 'conferir' : furthest
  const step: Step = asked !== undefined && placeOf(asked) <= placeOf(furthest) ? asked : first
  /** The same bytes were sent before: that import is open, and they may be read again. */
  const [twice, setTwice] = useState<{ id: string; sheet: Sheet } | null>(null)
  const again = useChange()
  const go = (next: Step, of: string | null = id) => {
    write({ id: of ?? '', passo: next })
    window.scrollTo({ top: 0 })
  }

  const show = (made: Import) => {
    const reached = REACHED[made.estado]
    go(reached === 'gravar' ? 'conferir' : reached, made.id)
  }
  const sendAgain = (sheet: Sheet) =>
    again.run(async () => {
      const { importacao: made } = await sendSheet(sheet, true)
      setTwice(null)
      show(made)
    })

  // What was begun before is still read.
  if (!create.allowed && id === null) return <Refusal title="Importar planilha" reason={create.reason} />
  return (
    <div className="page flex flex-col gap-6 py-8">
      <header>
        <h1 className="text-display font-semibold">Importar planilha</h1>
        <p className="text-muted">
          {importacao ? importacao.nome : 'Ensaios que já estão em Excel, LibreOffice ou CSV'}
        </p>
      </header>
      {importacao && twice?.id === importacao.id && (
        <Banner
          tone="info"
          title={`Esta planilha já foi enviada em ${formatDateTime(importacao.created_at)}.`}
          action={
            <Button size="small" busy={again.busy} onClick={() => void sendAgain(twice.sheet)}>
              Importar mesmo assim
            </Button>
          }
        >
          {again.failure ?? 'A importação daquela vez está aberta abaixo.'}
        </Banner>
      )}
      <Steps step={step} furthest={furthest} onStep={go} />
      {id !== null && query.isError ? (
        <ErrorState message={query.error.message} onRetry={() => void query.refetch()} />
      ) : id !== null && importacao === null ? (
        <Skeleton className="h-96" />
      ) : importacao === null || (step === 'enviar' && importacao.estado !== 'lendo') ? (
        <SendStep
          failed={importacao}
          onSent={(made, sheet) => {
            setTwice(sheet && { id: made.id, sheet })
            show(made)
          }}
        />
      ) : importacao.estado === 'lendo' ? (
        <Reading importacao={importacao} />
      ) : step === 'colunas' ? (
        <ColumnsStep key={importacao.id} importacao={importacao} onDone={() => go('conferir')} />
      ) : step === 'conferir' ? (
        <CheckStep importacao={importacao} onDone={() => go('gravar')} onColumns={() => go('colunas')} />
      ) : step === 'gravar' ? (
        <WriteStep importacao={importacao} onBegun={() => go('resultado')} onBack={() => go('conferir')} />
      ) : (
        <ResultStep
          importacao={importacao}
          onCheck={() => go('conferir')}
          onAnother={() => write({ id: '', passo: '' })}
        />
      )}
    </div>
  )
}

function Steps({ step, furthest, onStep }: { step: Step; furthest: Step; onStep: (step: Step) => void }) {
  return (
    <nav aria-label="Passos da importação">
      <ol className="flex flex-wrap gap-x-1 gap-y-2">
        {STEPS.map(({ key, label }, at) => {
          const here = key === step
          const open = at <= placeOf(furthest)
          const done = at < placeOf(step)
          return (
            <li key={key} className="flex items-center gap-1">
              <button
                type="button"
                disabled={!open}
                aria-current={here ? 'step' : undefined}
                onClick={() => onStep(key)}
                className={classes(
                  'inline-flex min-h-9 items-center gap-2 rounded-full py-1 pr-3 pl-1.5 text-small font-medium transition-colors',
                  here ? 'bg-accent-soft text-accent' : open ? 'text-text hover:bg-sunken' : 'text-faint',
                )}
              >
                <span
                  className={classes(
                    'figures inline-flex size-6 items-center justify-center rounded-full text-small',
                    here ? 'bg-accent text-on-accent' : 'bg-sunken text-muted',
                  )}
                >
                  {done ? <Check aria-hidden className="size-3.5" /> : at + 1}
                </span>
                {label}
              </button>
              {at < STEPS.length - 1 && <span aria-hidden className="h-px w-4 bg-line max-sm:hidden" />}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
