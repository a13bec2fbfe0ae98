import '../../shell/validation.ts'
import {
  CONTROL_MODALITY,
  CONTROL_NAME,
  DOSE_UNITS,
  draftOfExtraction,
  type EnteredValues,
  type Experiment,
  type ExtractedExperiment,
  eachField,
  type FoundValues,
  fieldsOfPage,
  isNumberKey,
  type ReportedStatistics,
  TREATMENTS_PAGE,
  WIZARD_STEPS,
} from '@ensaio/domain'

/** The form while it is being filled in: what has not been entered is '' for texts and null for numbers. */
export type TreatmentValues = {
  nome: string
  modalidade: string
  produtividade: number | null
  custo: number | null
  produtos_aplicados: { nome: string; dose: number | null; unidade: string; custo: number | null }[]
  analises_adicionais: { nome: string; valor: number | null; unidade: string }[]
  /** The letters of the test of means that the report prints beside its mean: they go where the treatment goes. */
  letra: string
  /** Its yield is the mean of its plots: nobody types it. */
  das_parcelas: boolean
}
/** What the report tells of its own statistics; the letters stand with the treatments. */
export type ReportedValues = {
  delineamento: string
  repeticoes: number | null
  cv: number | null
  /** As it was printed; null for a CV that was typed. */
  cv_casas: number | null
  dms: number | null
  dms_teste: string
  gl_residuo: number | null
  teste: string
}
export type WizardValues = EnteredValues & {
  tratamentos: TreatmentValues[]
  estatistica_informada: ReportedValues
}
export type WizardField = keyof WizardValues

const STATISTICS_PAGE = 6

/** The fields of each page; the last page has only the file. */
export const STEP_FIELDS: readonly (readonly WizardField[])[] = [1, 2, 3, 4, 5, 6, 7].map((page) =>
  page === TREATMENTS_PAGE
    ? ['tratamentos']
    : page === STATISTICS_PAGE
      ? [...fieldsOfPage(page), 'estatistica_informada']
      : fieldsOfPage(page),
)

/** The page (from 1) that holds the field named by an error path. */
export const stepOf = (path: string): number => {
  const name = path.split('.')[0]
  const index = STEP_FIELDS.findIndex((fields) => fields.some((field) => field === name))
  return index < 0 ? STEP_FIELDS.length : index + 1
}

export const blankProduct = (): TreatmentValues['produtos_aplicados'][number] => ({
  nome: '',
  dose: null,
  unidade: DOSE_UNITS[0],
  custo: null,
})
export const blankAnalysis = (): TreatmentValues['analises_adicionais'][number] => ({
  nome: '',
  valor: null,
  unidade: '',
})
export const blankTreatment = (): TreatmentValues => ({
  nome: '',
  modalidade: '',
  produtividade: null,
  custo: null,
  produtos_aplicados: [],
  analises_adicionais: [],
  letra: '',
  das_parcelas: false,
})

export const blankReported = (): ReportedValues => ({
  delineamento: '',
  repeticoes: null,
  cv: null,
  cv_casas: null,
  dms: null,
  dms_teste: '',
  gl_residuo: null,
  teste: '',
})

const reportedValues = (told: ReportedStatistics | null | undefined): ReportedValues => ({
  ...blankReported(),
  ...(told && {
    delineamento: told.delineamento ?? '',
    repeticoes: told.repeticoes,
    cv: told.cv,
    cv_casas: told.cv_casas,
    dms: told.dms,
    dms_teste: told.dms_teste ?? '',
    gl_residuo: told.gl_residuo,
    teste: told.teste ?? '',
  }),
})
const letterOf = (told: ReportedStatistics | null | undefined, index: number): string =>
  told?.letras?.[String(index + 1)] ?? ''

const blankControl = (): TreatmentValues => ({
  ...blankTreatment(),
  nome: CONTROL_NAME,
  modalidade: CONTROL_MODALITY,
})

/** The fields as a form holds them, from whatever has them; what is missing is blank. */
const entered = (from: Partial<FoundValues>): EnteredValues =>
  eachField((key) => from[key] ?? (isNumberKey(key) ? null : '')) as EnteredValues

export const blankValues = (): WizardValues => ({
  ...entered({}),
  tratamentos: [blankControl()],
  estatistica_informada: blankReported(),
})

export const valuesOfExperiment = (experiment: Experiment): WizardValues => ({
  ...entered(experiment),
  estatistica_informada: reportedValues(experiment.estatistica_informada),
  tratamentos: experiment.tratamentos.map((treatment, index) => ({
    ...treatment,
    letra: letterOf(experiment.estatistica_informada, index),
    das_parcelas: experiment.dados === 'parcelas',
    produtos_aplicados: treatment.produtos_aplicados.map((product) => ({
      ...product,
      unidade: product.unidade ?? '',
    })),
  })),
})

/** What was read fills the form; what was not stays to be entered. */
export function valuesOfExtraction(data: ExtractedExperiment): WizardValues {
  const draft = draftOfExtraction(data)
  const treatments = draft.tratamentos.map((treatment, index) => ({
    ...treatment,
    // What nobody applied costs nothing, where the report does not say otherwise.
    custo: index === 0 ? (treatment.custo ?? 0) : treatment.custo,
    nome: treatment.nome ?? '',
    modalidade: treatment.modalidade ?? '',
    letra: letterOf(draft.estatistica_informada, index),
    das_parcelas: false,
    produtos_aplicados: treatment.produtos_aplicados.map((product) => ({
      ...product,
      nome: product.nome ?? '',
      unidade: product.unidade ?? '',
    })),
    analises_adicionais: treatment.analises_adicionais.map((analysis) => ({
      ...analysis,
      nome: analysis.nome ?? '',
      unidade: analysis.unidade ?? '',
    })),
  }))
  return {
    ...entered(draft),
    tratamentos: treatments.length > 0 ? treatments : [blankControl()],
    estatistica_informada: reportedValues(draft.estatistica_informada),
  }
}

/** The form as the schema takes it: a unit that was not chosen is absent, a block in which nothing stands is none. */
export const submitted = (values: WizardValues): unknown => ({
  ...values,
  tratamentos: values.tratamentos.map(({ letra: _, das_parcelas: __, ...treatment }) => ({
    ...treatment,
    produtos_aplicados: treatment.produtos_aplicados.map((product) => ({
      ...product,
      unidade: product.unidade || null,
    })),
  })),
  estatistica_informada: submittedReported(values),
})

function submittedReported({ estatistica_informada: told, tratamentos }: WizardValues): unknown {
  const letters = tratamentos.flatMap(({ letra }, index) =>
    letra.trim() === '' ? [] : [[String(index + 1), letra.trim()] as const],
  )
  const block = {
    ...told,
    delineamento: told.delineamento || null,
    dms_teste: told.dms_teste || null,
    teste: told.teste.trim() || null,
    cv_casas: told.cv === null ? null : told.cv_casas,
    letras: letters.length > 0 ? Object.fromEntries(letters) : null,
  }
  return Object.values(block).some((part) => part !== null) ? block : null
}

/** The furthest page that may be open: the first that does not validate, else the last. */
export function reachableStep(values: WizardValues): number {
  const form = submitted(values)
  const failing = WIZARD_STEPS.findIndex((page) => !page.safeParse(form).success)
  return failing < 0 ? STEP_FIELDS.length : failing + 1
}
