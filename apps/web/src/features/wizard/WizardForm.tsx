import {
  contract,
  type Evidence,
  type Experiment,
  ExperimentInput,
  fieldProblems,
  PDF_MAX_BYTES,
  REVIEW_CONFIDENCE,
  WIZARD_PAGES,
} from '@ensaio/domain'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { FormProvider, type Resolver, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { ApiError, call } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { createRequestKey } from '../../api/request-key.ts'
import { forgetHandoff } from '../../shell/handoff.ts'
import { LeaveGuard } from '../../shell/LeaveGuard.tsx'
import { useActingFor, useMay } from '../../shell/organization.tsx'
import { paths } from '../../shell/paths.ts'
import { Refusal } from '../../shell/Refusal.tsx'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { WithAdvice } from './advice.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { DoubtContext } from './doubt.ts'
import {
  reachableStep,
  STEP_FIELDS,
  stepOf,
  submitted,
  valuesOfExperiment,
  type WizardValues,
} from './form-values.ts'
import { PlotsContext } from './plots-context.ts'
import { StepConsultancy } from './StepConsultancy.tsx'
import { StepCrop } from './StepCrop.tsx'
import { StepDocument } from './StepDocument.tsx'
import { StepList } from './StepList.tsx'
import { StepPlace } from './StepPlace.tsx'
import { StepSoil } from './StepSoil.tsx'
import { StepStatistics } from './StepStatistics.tsx'
import { StepTreatments } from './StepTreatments.tsx'
import { useDraft } from './use-draft.ts'
import { useStep } from './use-step.ts'

type Props = {
  initial: WizardValues
  editing: Experiment | null
  file: File | null
  /** The file that a draft had and the browser could not keep. */
  missingFilename: string | null
  evidence: Record<string, Evidence>
  /** The page that a resumed draft was left on. */
  firstStep?: number
}

const LAST = WIZARD_PAGES.length

/** The domain's schema decides; every failing field gets its first sentence. */
const resolver: Resolver<WizardValues> = async (values) => {
  const parsed = ExperimentInput.safeParse(submitted(values))
  if (parsed.success) return { values, errors: {} }
  const errors: Record<string, unknown> = {}
  for (const { path, message } of fieldProblems(parsed.error))
    setAt(errors, path, { type: 'schema', message })
  return { values: {}, errors }
}

function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.')
  let place = target
  for (const [index, key] of keys.entries()) {
    if (index === keys.length - 1) place[key] = value
    else {
      place[key] ??= /^\d+$/.test(keys[index + 1] ?? '') ? [] : {}
      place = place[key] as Record<string, unknown>
    }
  }
}

export function WizardForm({
  initial,
  editing: opened,
  file: handedFile,
  missingFilename,
  evidence,
  firstStep = 1,
}: Props) {
  // The version that the form is based on; a resolved conflict moves it on.
  const [editing, setEditing] = useState(opened)
  const [conflict, setConflict] = useState<Experiment | null>(null)
  const { keeper } = useActingFor()
  const navigate = useNavigate()
  const form = useForm<WizardValues>({ defaultValues: initial, resolver, mode: 'onTouched' })
  const [file, setFile] = useState<File | null>(handedFile)
  const [fileError, setFileError] = useState<string | null>(null)
  const [saveError, setSaveError] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const frame = useRef<HTMLElement>(null)
  const requestKey = useRef(createRequestKey())
  const may = useMay()
  const permission = editing ? may('experiment.edit', editing) : may('experiment.create')

  const { step, goTo } = useStep(() => form.getValues(), firstStep, frame)
  const draft = useDraft(form, { keeper, editing, step, file, touched: handedFile !== null })

  /** Back at once; ahead only past a page that validates. */
  const open = async (to: number) => {
    const fields = STEP_FIELDS[step - 1] ?? []
    if (to < step || (await form.trigger([...fields], { shouldFocus: true }))) goTo(to)
  }

  const checkFile = (): string | null => {
    if (file) return file.size > PDF_MAX_BYTES ? 'O arquivo passa de 10 MB' : null
    // What was made without a report, as by an import, gets one when there is one.
    return editing ? null : 'O upload do arquivo PDF é obrigatório para finalizar o experimento'
  }

  const showFailure = (failure: unknown) => {
    const fields = failure instanceof ApiError ? failure.fields : []
    for (const { path, message } of fields) form.setError(path as 'consultoria', { type: 'server', message })
    const first = fields[0]
    if (first && stepOf(first.path) !== step) goTo(stepOf(first.path))
    if (failure instanceof ApiError && failure.code === 'experiment.stale') {
      const current = contract.getExperiment.output.safeParse(failure.current)
      if (current.success) setConflict(current.data.experimento)
    }
    const known =
      failure instanceof ApiError && ['experiment.stale', 'permission.denied'].includes(failure.code)
    const detail = failure instanceof ApiError ? failure.message : ''
    setSaveError(
      known
        ? sentences('Erro ao salvar experimento', detail)
        : sentences(
            'Erro ao salvar experimento. Tente novamente.',
            detail,
            'O que você preencheu está guardado.',
          ),
    )
  }

  const save = async () => {
    if (saving) return
    setSaveError(null)
    const valid = await form.trigger()
    if (!valid) {
      const first = Math.min(...Object.keys(form.formState.errors).map(stepOf))
      goTo(first)
      setSaveError('Há campos para corrigir antes de salvar.')
      setTimeout(() => form.trigger([...(STEP_FIELDS[first - 1] ?? [])], { shouldFocus: true }), 50)
      return
    }
    const problem = checkFile()
    setFileError(problem)
    if (problem) return goTo(LAST)
    setSaving(true)
    try {
      const body = ExperimentInput.parse(submitted(form.getValues()))
      await send(body, file, editing, requestKey.current)
      draft.finish()
      forgetHandoff()
      toast.success(editing ? 'Experimento atualizado com sucesso!' : 'Experimento criado com sucesso!')
      void experimentsChanged()
      navigate(paths.dashboard)
    } catch (failure) {
      showFailure(failure)
    } finally {
      setSaving(false)
    }
  }

  const doubts = useMemo(
    () => new Map(Object.entries(evidence).filter(([, { confidence }]) => confidence < REVIEW_CONFIDENCE)),
    [evidence],
  )
  const failedSteps = new Set(Object.keys(form.formState.errors).map(stepOf))

  if (!permission.allowed) {
    return <Refusal title={editing ? 'Editar experimento' : 'Novo experimento'} reason={permission.reason} />
  }

  return (
    <DoubtContext value={doubts}>
      <FormProvider {...form}>
        <div className="page flex max-w-6xl flex-col gap-5 py-8">
          <header className="flex flex-col gap-1">
            <h1 className="text-display font-semibold">
              {editing ? 'Editar experimento' : 'Novo experimento'}
            </h1>
            {editing && <p className="text-muted">{editing.nome}</p>}
          </header>
          {editing && (
            <Banner tone="info" title="Modo de Edição">
              Você está editando um experimento existente. As mudanças só valem depois de salvas.
            </Banner>
          )}
          {!draft.lasts && (
            <Banner tone="warn" title="O rascunho não sobrevive ao fechamento">
              Este navegador não deixa guardar o que você preenche: fica nesta página até você salvar ou
              fechá-la.
            </Banner>
          )}
          {handedFile && (
            <Banner tone="info" title="Dados lidos do relatório">
              Confira cada página. Os campos duvidosos estão marcados com “Revisão recomendada”.
            </Banner>
          )}
          <div className="grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
            <StepList
              step={step}
              reachable={reachableStep(form.getValues())}
              failed={failedSteps}
              onStep={(to) => void open(to)}
            />
            <Card ref={frame} className="scroll-mt-20">
              <form
                noValidate
                // Fills the window, so that an error that comes or goes never moves the buttons.
                className="flex min-h-[calc(100dvh-15rem)] flex-col"
                onSubmit={(event) => {
                  event.preventDefault()
                  if (step < LAST) void open(step + 1)
                }}
              >
                <div className="border-b border-line px-5 py-4 sm:px-6">
                  <p className="figures text-small text-muted" aria-live="polite">
                    Página {step} de {LAST}
                  </p>
                  <h2 className="text-title font-semibold">{WIZARD_PAGES[step - 1]}</h2>
                </div>
                <div className="flex-1 px-5 py-6 sm:px-6">
                  <WithAdvice>
                    {step === 1 && <StepConsultancy />}
                    {step === 2 && <StepPlace />}
                    {step === 3 && <StepSoil />}
                    {step === 4 && <StepCrop />}
                    {step === 5 && (
                      <PlotsContext value={editing?.dados === 'parcelas' ? editing.id : null}>
                        <StepTreatments />
                      </PlotsContext>
                    )}
                    {step === 6 && <StepStatistics />}
                    {step === LAST && (
                      <StepDocument
                        file={file}
                        onFile={(chosen) => {
                          draft.touch()
                          setFile(chosen)
                          setFileError(null)
                        }}
                        error={fileError}
                        existing={editing?.pdf_filename ?? null}
                        optional={editing !== null}
                        missing={missingFilename}
                      />
                    )}
                  </WithAdvice>
                </div>
                {saveError && (
                  <Banner tone="danger" className="mx-5 mb-4 sm:mx-6">
                    {saveError}
                  </Banner>
                )}
                <div className="sticky bottom-0 z-20 flex flex-wrap items-center justify-between gap-2 rounded-b-md border-t border-line bg-surface px-5 py-3 max-sm:px-3 sm:px-6 max-sm:[&_button]:px-3 max-[27rem]:[&_button]:px-2 max-[27rem]:[&_svg]:hidden">
                  <Button
                    disabled={step === 1 || saving}
                    icon={<ArrowLeft aria-hidden className="size-4" />}
                    onClick={() => goTo(step - 1)}
                  >
                    Anterior
                  </Button>
                  {step < LAST ? (
                    <span className="flex flex-wrap justify-end gap-2">
                      {editing && (
                        <Button busy={saving} onClick={save}>
                          {saving ? 'Salvando...' : 'Salvar agora'}
                        </Button>
                      )}
                      <Button variant="primary" type="submit">
                        Próximo
                        <ArrowRight aria-hidden className="size-4" />
                      </Button>
                    </span>
                  ) : (
                    <Button variant="primary" busy={saving} onClick={save}>
                      {saving ? 'Salvando...' : 'Salvar Experimento'}
                    </Button>
                  )}
                </div>
              </form>
            </Card>
          </div>
        </div>
        <LeaveGuard
          unsaved={draft.unsaved}
          leaves={(from, to) => from.pathname !== to.pathname}
          title="Sair sem salvar?"
          message={
            draft.lasts
              ? 'O experimento ainda não foi salvo. O rascunho fica guardado neste navegador, sem o arquivo PDF.'
              : 'O experimento ainda não foi salvo. O rascunho fica guardado só até esta aba ser fechada ou recarregada, sem o arquivo PDF.'
          }
          confirmLabel="Sair sem salvar"
        />
        {conflict && (
          <ConflictDialog
            mine={form.getValues()}
            base={editing && valuesOfExperiment(editing)}
            current={conflict}
            onClose={() => setConflict(null)}
            onResolve={(values) => {
              form.reset(values, { keepDefaultValues: true })
              setEditing(conflict)
              setConflict(null)
              setSaveError(null)
              toast.info('Escolhas aplicadas. Confira e salve de novo.')
            }}
          />
        )}
      </FormProvider>
    </DoubtContext>
  )
}

const sentences = (...parts: string[]): string =>
  parts
    .filter(Boolean)
    .map((part) => part.replace(/\.?$/, '.'))
    .join(' ')

async function send(
  body: ExperimentInput,
  file: File | null,
  editing: Experiment | null,
  keyFor: (payload: string) => string,
): Promise<void> {
  const dados = editing ? { ...body, versao: editing.versao } : body
  const form = new FormData()
  form.append('dados', JSON.stringify(dados))
  if (file) form.append('pdf', file, file.name)
  const headers = {
    'idempotency-key': keyFor(
      `${editing?.id}:${JSON.stringify(dados)}:${file?.name}:${file?.size}:${file?.lastModified}`,
    ),
  }
  if (editing)
    await call('updateExperiment', { params: { id: editing.id } }, { form, headers, timeoutMs: 120_000 })
  else await call('createExperiment', {}, { form, headers, timeoutMs: 120_000 })
}
