import { formatDateTime } from '@ensaio/domain'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { isFromReview, pendingHandoff } from '../../shell/handoff.ts'
import { useActingFor } from '../../shell/organization.tsx'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { type Draft, dropDraft, readDraft } from './draft.ts'
import { blankValues, valuesOfExperiment, valuesOfExtraction } from './form-values.ts'
import { WizardForm } from './WizardForm.tsx'

/** Creates an experiment, or edits the one named by `?id=`. */
export function WizardPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  useTitle(id ? 'Editar experimento' : 'Novo experimento')
  // What was left unsaved is kept apart for each organisation.
  if (!useActingFor().known) return <Skeleton className="page my-8 h-96" />
  return id ? <EditExperiment key={id} id={id} /> : <NewExperiment />
}

function NewExperiment() {
  const [search] = useSearchParams()
  const [handoff] = useState(() => (isFromReview(search) ? pendingHandoff() : null))
  return (
    <Drafted experimentId={null} ignore={handoff !== null} dropLabel="Começar do zero">
      {(resumed) => (
        <WizardForm
          initial={resumed?.values ?? (handoff ? valuesOfExtraction(handoff.result.data) : blankValues())}
          editing={null}
          file={handoff?.file ?? null}
          missingFilename={resumed?.filename ?? null}
          evidence={handoff?.result.metadata.fields ?? {}}
          {...(resumed ? { firstStep: resumed.step } : {})}
        />
      )}
    </Drafted>
  )
}

type DraftedProps = {
  experimentId: string | null
  /** Something newer than a draft is at hand. */
  ignore?: boolean
  dropLabel: string
  /** Gets the draft that is gone on with, if any. */
  children: (resumed: Draft | null) => ReactNode
}

/** Offers what was left unsaved before anything else. */
function Drafted({ experimentId, ignore = false, dropLabel, children }: DraftedProps) {
  const { keeper, formerKeeper } = useActingFor()
  const [offered, setOffered] = useState(() =>
    ignore
      ? null
      : (readDraft(keeper, experimentId) ?? (formerKeeper && readDraft(formerKeeper, experimentId))),
  )
  const [resumed, setResumed] = useState<Draft | null>(null)
  if (!offered) return children(resumed)
  return (
    <div className="page max-w-3xl py-8">
      <Banner
        tone="info"
        title="Você tem um rascunho não salvo"
        action={
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              variant="primary"
              onClick={() => {
                setResumed(offered)
                if (formerKeeper) dropDraft(formerKeeper, experimentId)
                setOffered(null)
              }}
            >
              Continuar rascunho
            </Button>
            <Button
              size="small"
              onClick={() => {
                dropDraft(keeper, experimentId)
                if (formerKeeper) dropDraft(formerKeeper, experimentId)
                setOffered(null)
              }}
            >
              {dropLabel}
            </Button>
          </div>
        }
      >
        {[offered.values.cultura, offered.values.consultoria].filter(Boolean).join(' - ') || 'Sem nome'} ·
        guardado em {formatDateTime(offered.savedAt)}
      </Banner>
    </div>
  )
}

function EditExperiment({ id }: { id: string }) {
  const experiment = useEndpoint('getExperiment', { params: { id } }, { staleTime: 0 })
  if (experiment.isError) {
    return (
      <div className="page max-w-3xl py-8">
        <Card>
          <ErrorState
            message={
              experiment.error.status === 404 ? 'Experimento não encontrado' : 'Erro ao buscar experimento'
            }
            onRetry={() => experiment.refetch()}
          />
          <p className="pb-8 text-center">
            <Link to={paths.dashboard} className="text-accent underline-offset-4 hover:underline">
              Voltar ao dashboard
            </Link>
          </p>
        </Card>
      </div>
    )
  }
  if (experiment.isPending) {
    return (
      <div className="page max-w-5xl py-8" aria-busy="true">
        <Skeleton className="h-[32rem]" />
      </div>
    )
  }
  const { experimento } = experiment.data
  return (
    <Drafted experimentId={id} dropLabel="Descartar rascunho">
      {(resumed) => (
        <WizardForm
          initial={resumed?.values ?? valuesOfExperiment(experimento)}
          editing={{ ...experimento, versao: resumed?.versao ?? experimento.versao }}
          file={null}
          missingFilename={resumed?.filename ?? null}
          evidence={{}}
          {...(resumed ? { firstStep: resumed.step } : {})}
        />
      )}
    </Drafted>
  )
}
