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
}
export type WizardValues = EnteredValues & { tratamentos: TreatmentValues[] }
export type WizardField = keyof WizardValues

/** The fields of each page; the last page has only the file. */
export const STEP_FIELDS: readonly (readonly WizardField[])[] = [1, 2, 3, 4, 5, 6, 7].map((page) =>
  page === TREATMENTS_PAGE ? ['tratamentos'] : fieldsOfPage(page),
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
})

const blankControl = (): TreatmentValues => ({
  ...blankTreatment(),
  nome: CONTROL_NAME,
  modalidade: CONTROL_MODALITY,
})

/** The fields as a form holds them, from whatever has them; what is missing is blank. */
const entered = (from: Partial<FoundValues>): EnteredValues =>
  eachField((key) => from[key] ?? (isNumberKey(key) ? null : '')) as EnteredValues

export const blankValues = (): WizardValues => ({ ...entered({}), tratamentos: [blankControl()] })

export const valuesOfExperiment = (experiment: Experiment): WizardValues => ({
  ...entered(experiment),
  tratamentos: experiment.tratamentos.map((treatment) => ({
    ...treatment,
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
  return { ...entered(draft), tratamentos: treatments.length > 0 ? treatments : [blankControl()] }
}

/** The form as the schema takes it: a unit that was not chosen is absent. */
export const submitted = (values: WizardValues): unknown => ({
  ...values,
  tratamentos: values.tratamentos.map((treatment) => ({
    ...treatment,
    produtos_aplicados: treatment.produtos_aplicados.map((product) => ({
      ...product,
      unidade: product.unidade || null,
    })),
  })),
})

/** The furthest page that may be open: the first that does not validate, else the last. */
export function reachableStep(values: WizardValues): number {
  const form = submitted(values)
  const failing = WIZARD_STEPS.findIndex((page) => !page.safeParse(form).success)
  return failing < 0 ? STEP_FIELDS.length : failing + 1
}
