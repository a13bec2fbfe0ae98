import type { Experiment } from '@ensaio/domain'
import { Dices, FileSpreadsheet, Keyboard } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useMay } from '../../shell/organization.tsx'
import { recordPage } from '../../shell/paths.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Card, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { BlindPanel } from './BlindPanel.tsx'
import { ConflictsPanel } from './ConflictsPanel.tsx'
import { FieldTeamPanel } from './FieldTeamPanel.tsx'
import { ImportPlots } from './ImportPlots.tsx'
import { NewSheet } from './NewSheet.tsx'
import { ParkedPanel } from './ParkedPanel.tsx'
import { PhotosPanel } from './PhotosPanel.tsx'
import { SheetEditor } from './SheetEditor.tsx'
import type { Draft, EditDecision } from './sheet-state.ts'

type Way = 'type' | 'import' | 'draw'

/** The plots behind a trial's means: typed, pasted, imported or drawn. */
export function PlotsTab({ experiment }: { experiment: Experiment }) {
  const source = useSource()
  const may = useMay()
  const query = useEndpoint(
    'getPlots',
    { params: { id: experiment.id } },
    { enabled: experiment.dados === 'parcelas' },
  )
  const [way, setWay] = useState<Way | null>(null)
  const [made, setMade] = useState<Draft | null>(null)
  const edit =
    source.name === 'demo'
      ? { allowed: false as const, reason: 'Dados de demonstração não podem ser alterados' }
      : may('plots.edit', experiment)
  const none =
    experiment.dados !== 'parcelas' || (query.error instanceof ApiError && query.error.code === 'trial.none')

  if (!none) {
    if (query.isError) return <ErrorState message={query.error.message} onRetry={() => query.refetch()} />
    if (!query.data) return <Skeleton className="h-96" />
    return (
      <div className="flex flex-col gap-6">
        <SheetEditor
          key={experiment.id}
          experiment={experiment}
          stored={query.data.ficha}
          means={query.data.medias}
          edit={edit}
        />
        {edit.allowed && <ConflictsPanel id={experiment.id} />}
        {edit.allowed && <ParkedPanel id={experiment.id} />}
        {source.name !== 'demo' && may('experiment.history', experiment).allowed && (
          <PhotosPanel id={experiment.id} edit={edit.allowed} />
        )}
        {edit.allowed && <BlindPanel id={experiment.id} />}
        {edit.allowed && <FieldTeamPanel id={experiment.id} />}
      </div>
    )
  }
  if (made)
    return (
      <SheetEditor
        experiment={experiment}
        stored={made}
        means={[]}
        edit={edit}
        isNew
        onCancel={() => {
          setMade(null)
          setWay(null)
        }}
      />
    )
  if (way === 'import') return <ImportPlots experiment={experiment} onCancel={() => setWay(null)} />
  if (way !== null)
    return (
      <NewSheet
        experiment={experiment}
        draw={way === 'draw'}
        onCancel={() => setWay(null)}
        onMade={setMade}
      />
    )
  return (
    <div className="flex flex-col gap-6">
      {edit.allowed && <ParkedPanel id={experiment.id} />}
      <Card>
        <EmptyState
          title="Este experimento só tem médias. Com os valores por parcela você obtém ANOVA, letras e a probabilidade de pagar."
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <Choice
                icon={<Keyboard aria-hidden className="size-4" />}
                edit={edit}
                primary
                onClick={() => setWay('type')}
              >
                Digitar
              </Choice>
              <Choice
                icon={<FileSpreadsheet aria-hidden className="size-4" />}
                edit={edit}
                onClick={() => setWay('import')}
              >
                Importar planilha
              </Choice>
              <Choice
                icon={<Dices aria-hidden className="size-4" />}
                edit={edit}
                onClick={() => setWay('draw')}
              >
                Sortear croqui
              </Choice>
              {experiment.dados === 'reconstruida' && (
                <Link to={recordPage(experiment.id, 'analise')} className={buttonClasses()}>
                  Ver análise reconstruída
                </Link>
              )}
            </div>
          }
        >
          {!edit.allowed && <span className="block pt-1">{edit.reason}.</span>}
        </EmptyState>
      </Card>
    </div>
  )
}

function Choice({
  edit,
  primary = false,
  icon,
  onClick,
  children,
}: {
  edit: EditDecision
  primary?: boolean
  icon: React.ReactNode
  onClick: () => void
  children: string
}) {
  return (
    <Button
      variant={primary ? 'primary' : 'secondary'}
      icon={icon}
      disabled={!edit.allowed}
      title={edit.allowed ? undefined : edit.reason}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
