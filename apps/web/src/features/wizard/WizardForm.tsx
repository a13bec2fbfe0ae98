import {
  can,
  contract,
  type Evidence,
  type Experiment,
  ExperimentInput,
  fieldProblems,
  PDF_MAX_BYTES,
  REVIEW_CONFIDENCE,
  WIZARD_PAGES,
} from '@ensaio/domain'
import { ArrowLeft, ArrowRight, Check } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, type Resolver, useForm } from 'react-hook-form'
import { useBlocker, useNavigate, useSearchParams } from 'react-router'
import { ApiError, call } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { forgetHandoff } from '../../app/handoff.ts'
import { paths } from '../../app/paths.ts'
import { useUser } from '../../app/session.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Banner, Card } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { DoubtContext } from './doubt.ts'
import { dropDraft, writeDraft } from './draft.ts'
import { STEP_FIELDS, stepOf, submitted, type WizardValues } from './form-values.ts'
import { createRequestKey } from './request-key.ts'
import { StepConsultancy } from './StepConsultancy.tsx'
import { StepCrop } from './StepCrop.tsx'
import { StepDocument } from './StepDocument.tsx'
import { StepPlace } from './StepPlace.tsx'
import { StepSoil } from './StepSoil.tsx'
import { StepStatistics } from './StepStatistics.tsx'
import { StepTreatments } from './StepTreatments.tsx'

type Props = {
  initial: WizardValues
  editing: Experiment | null
  file: File | null
  /** The file that a draft had and the browser could not keep. */
  missingFilename: string | null
  evidence: Record<string, Evidence>
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

export function WizardForm({ initial, editing: opened, file: handedFile, missingFilename, evidence }: Props) {
  // The version that the form is based on; a resolved conflict moves it on.
  const [editing, setEditing] = useState(opened)
  const [conflict, setConflict] = useState<Experiment | null>(null)
  const user = useUser()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const form = useForm<WizardValues>({ defaultValues: initial, resolver, mode: 'onTouched' })
  const [file, setFile] = useState<File | null>(handedFile)
  const [fileError, setFileError] = useState<string | null>(null)
  const [saveError, setSaveError] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const saved = useRef(false)
  const touched = useRef(handedFile !== null)
  const frame = useRef<HTMLElement>(null)
  const requestKey = useRef(createRequestKey())
  const permission = can(
    user,
    'experiment.edit',
    editing ? { owner: editing.created_by } : { owner: user.id },
  )

  const asked = Number(search.get('passo'))
  const step = Number.isInteger(asked) && asked >= 1 && asked <= LAST ? asked : 1
  const goTo = useCallback(
    (next: number, { replace = false } = {}) => {
      setSearch(
        (before) => {
          const after = new URLSearchParams(before)
          after.set('passo', String(next))
          return after
        },
        { replace },
      )
      frame.current?.scrollIntoView({ block: 'start' })
    },
    [setSearch],
  )

  const experimentId = editing?.id ?? null
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      if (!saved.current)
        writeDraft(user.id, experimentId, { values: form.getValues(), step, filename: file?.name ?? null })
    }
    const stop = form.subscribe({
      formState: { values: true },
      callback: () => {
        touched.current = true
        clearTimeout(timer)
        timer = setTimeout(keep, 250)
      },
    })
    if (touched.current) keep()
    const flush = () => touched.current && keep()
    addEventListener('pagehide', flush)
    return () => {
      stop()
      clearTimeout(timer)
      removeEventListener('pagehide', flush)
      if (touched.current) keep()
    }
  }, [form, user.id, experimentId, step, file])

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      touched.current && !saved.current && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (touched.current && !saved.current) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])

  const next = async () => {
    const fields = STEP_FIELDS[step - 1] ?? []
    if (await form.trigger([...fields], { shouldFocus: true })) goTo(step + 1)
  }

  const checkFile = (): string | null => {
    if (file) return file.size > PDF_MAX_BYTES ? 'O arquivo passa de 10 MB' : null
    if (!editing) return 'O upload do arquivo PDF é obrigatório para finalizar o experimento'
    return editing.pdf_filename ? null : 'Anexe um novo PDF ou mantenha o arquivo existente'
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
        ? `Erro ao salvar experimento. ${detail}.`
        : ['Erro ao salvar experimento. Tente novamente.', detail, 'O que você preencheu está guardado.']
            .filter(Boolean)
            .join(' '),
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
    if (problem) return
    setSaving(true)
    try {
      const body = ExperimentInput.parse(submitted(form.getValues()))
      await send(body, file, editing, requestKey.current)
      saved.current = true
      dropDraft(user.id, experimentId)
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
    return (
      <div className="page max-w-3xl py-8">
        <Banner tone="danger" title="Acesso negado">
          {permission.reason}
        </Banner>
      </div>
    )
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
          {handedFile && (
            <Banner tone="info" title="Dados lidos do relatório">
              Confira cada página. Os campos duvidosos estão marcados com “Revisão recomendada”.
            </Banner>
          )}
          <div className="grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
            <StepList step={step} failed={failedSteps} onStep={goTo} />
            <Card ref={frame} className="scroll-mt-20">
              <form
                noValidate
                // Fills the window, so that an error that comes or goes never moves the buttons.
                className="flex min-h-[calc(100dvh-15rem)] flex-col"
                onSubmit={(event) => {
                  event.preventDefault()
                  if (step < LAST) void next()
                }}
              >
                <div className="border-b border-line px-5 py-4 sm:px-6">
                  <p className="figures text-small text-muted" aria-live="polite">
                    Página {step} de {LAST}
                  </p>
                  <h2 className="text-title font-semibold">{WIZARD_PAGES[step - 1]}</h2>
                </div>
                <div className="flex-1 px-5 py-6 sm:px-6">
                  {step === 1 && <StepConsultancy />}
                  {step === 2 && <StepPlace />}
                  {step === 3 && <StepSoil />}
                  {step === 4 && <StepCrop />}
                  {step === 5 && <StepTreatments />}
                  {step === 6 && <StepStatistics />}
                  {step === LAST && (
                    <StepDocument
                      file={file}
                      onFile={(chosen) => {
                        touched.current = true
                        setFile(chosen)
                        setFileError(null)
                      }}
                      error={fileError}
                      existing={editing?.pdf_filename ?? null}
                      missing={missingFilename}
                    />
                  )}
                </div>
                {saveError && (
                  <Banner tone="danger" className="mx-5 mb-4 sm:mx-6">
                    {saveError}
                  </Banner>
                )}
                <div className="sticky bottom-0 z-20 flex items-center justify-between gap-3 rounded-b-md border-t border-line bg-surface px-5 py-3 sm:px-6">
                  <Button
                    disabled={step === 1 || saving}
                    icon={<ArrowLeft aria-hidden className="size-4" />}
                    onClick={() => goTo(step - 1)}
                  >
                    Anterior
                  </Button>
                  {step < LAST ? (
                    <Button variant="primary" type="submit">
                      Próximo
                      <ArrowRight aria-hidden className="size-4" />
                    </Button>
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
        <ConfirmDialog
          open={blocker.state === 'blocked'}
          title="Sair sem salvar?"
          message="O experimento ainda não foi salvo. O rascunho fica guardado neste navegador, sem o arquivo PDF."
          confirmLabel="Sair sem salvar"
          onCancel={() => blocker.reset?.()}
          onConfirm={() => blocker.proceed?.()}
        />
        {conflict && (
          <ConflictDialog
            mine={form.getValues()}
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

type StepListProps = { step: number; failed: Set<number>; onStep: (step: number) => void }

function StepList({ step, failed, onStep }: StepListProps) {
  return (
    <nav aria-label="Páginas do formulário" className="lg:pt-1">
      <ol className="flex gap-1.5 lg:flex-col">
        {WIZARD_PAGES.map((title, index) => {
          const number = index + 1
          const state = failed.has(number)
            ? 'failed'
            : number < step
              ? 'done'
              : number === step
                ? 'current'
                : 'ahead'
          return (
            <li key={title} className="flex-1">
              <button
                type="button"
                disabled={number >= step}
                aria-current={state === 'current' || number === step ? 'step' : undefined}
                onClick={() => onStep(number)}
                className={classes(
                  'flex w-full items-center gap-3 rounded-md text-left text-small lg:px-2 lg:py-2',
                  number === step ? 'font-semibold text-text lg:bg-sunken' : 'text-muted',
                  number < step && 'hover:text-text',
                )}
              >
                <span
                  className={classes(
                    'figures hidden size-6 shrink-0 items-center justify-center rounded-full border text-[0.75rem] lg:inline-flex',
                    state === 'failed' && 'border-danger text-danger',
                    state === 'done' && 'border-transparent bg-accent text-on-accent',
                    state === 'current' && 'border-accent text-accent',
                    state === 'ahead' && 'border-line-strong',
                  )}
                >
                  {state === 'done' ? <Check aria-hidden className="size-3.5" /> : number}
                </span>
                <span
                  aria-hidden
                  className={classes(
                    'h-1.5 w-full rounded-full lg:hidden',
                    state === 'failed' ? 'bg-danger' : number <= step ? 'bg-accent' : 'bg-line',
                  )}
                />
                <span className="sr-only lg:not-sr-only">
                  {title}
                  {state === 'failed' && <span className="sr-only"> (há campos para corrigir)</span>}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
