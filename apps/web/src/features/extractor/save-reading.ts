import {
  bracketed,
  completenessOf,
  draftOfExtraction,
  ExperimentInput,
  type ExtractedExperiment,
  type ExtractionResult,
} from '@ensaio/domain'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { toast } from '../../ui/toast.tsx'
import { correctedFields, type ReviewState, tablesChanged, teaches } from './review-state.ts'
import { given } from './review-tables.ts'

export type Refusal = { sentence: string; errors: Record<string, string> }
export type Saved = { id: string }

const byPath = (problems: readonly { path: string; message: string }[]): Record<string, string> =>
  Object.fromEntries(problems.map(({ path, message }) => [path, message]))

/** Creates the experiment of a report that was read, with its file; what stands against it is told by path. */
export async function saveReading(
  file: File,
  data: ExtractedExperiment,
  keyFor: (payload: string) => string,
): Promise<Saved | Refusal> {
  const parsed = ExperimentInput.safeParse(draftOfExtraction(data))
  if (!parsed.success) {
    const { problems } = completenessOf(data)
    const sentences = [...new Set(problems.map(({ path, message }) => placed(path, message)))]
    return { sentence: `Falta completar: ${sentences.join('; ')}.`, errors: byPath(problems) }
  }
  const dados = JSON.stringify(parsed.data)
  const form = new FormData()
  form.append('dados', dados)
  form.append('pdf', file, file.name)
  const headers = { 'idempotency-key': keyFor(dados) }
  try {
    const { experimento } = await call('createExperiment', {}, { form, headers, timeoutMs: 120_000 })
    void experimentsChanged()
    return { id: experimento.id }
  } catch (error) {
    const refused = error instanceof ApiError ? error.fields : []
    return {
      sentence: `Erro ao salvar experimento. Tente novamente. ${reasonOf(error, '')}`,
      errors: byPath(refused.map(({ path, message }) => ({ path: bracketed(path), message }))),
    }
  }
}

/** 'Modalidade é obrigatória' of which treatment. */
function placed(path: string, message: string): string {
  const treatment = /^tratamentos\[(\d+)\]/.exec(path)?.[1]
  return treatment === undefined ? message : `${message} (T${Number(treatment) + 1})`
}

const UNDO_MS = 10_000

/** Keeps how a corrected report's layout is read; answers the layout's id, null where there was nothing to keep. */
export async function rememberLayout(
  file: File,
  state: ReviewState,
  result: ExtractionResult,
  onForgotten?: () => void,
): Promise<string | null> {
  if (!state.remember || !teaches(state)) return null
  const fields = correctedFields(state)
  const form = new FormData()
  if (tablesChanged(state) || result.metadata.template !== undefined)
    form.append('tabelas', JSON.stringify(given(state.tables)))
  form.append('campos', JSON.stringify(fields))
  form.append('pdf', file, file.name)
  try {
    const { layout } = await call('rememberLayout', {}, { form, timeoutMs: 120_000 })
    toast.success('Layout guardado: o próximo relatório igual já será lido assim.', {
      label: 'Desfazer',
      run: () => {
        void call('forgetLayout', { params: { id: layout.id } }).catch(() => undefined)
        onForgotten?.()
      },
      forMs: UNDO_MS,
    })
    return layout.id
  } catch {
    // The record is saved; what the layout could teach is asked for again with the next report of it.
    return null
  }
}
