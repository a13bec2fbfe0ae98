import { FIELD_KEYS, NOT_FOUND } from '@ensaio/domain/fields'
import { type CalibrationKey, calibrate } from './confidence/calibrate.ts'
import type { Decision } from './fields/decide.ts'
import { union } from './read/geometry.ts'
import type { Page, Word } from './read/page.ts'
import { assembleReported } from './reported/assemble-reported.ts'
import type { ReportedDraft } from './reported/found.ts'
import type {
  ExtractedData,
  ExtractedTreatment,
  ExtractionResult,
  FieldEvidence,
  Method,
  ReadTable,
} from './result.ts'
import type { Draft, Found } from './treatments/draft.ts'

/** What reads otherwise is another engine: also one that looks for more fields. */
export const ENGINE_VERSION = `27.${FIELD_KEYS.length}`

/** A document whose treatments are held back is not surer than this. */
const HELD_MOST = 0.45
/** Nor is anything that it says: it may be said of something else. */
const HELD_FIELD = 0.79

/** Puts what was read into the result, each value with its evidence. */
export function assemble(input: {
  decision: Decision
  drafts: readonly Draft[]
  pages: readonly Page[]
  count: number
  /** Log-odds of the reading of the whole document. */
  score: number
  tables: ReadTable[]
  layout: number[]
  learnt: boolean
  /** Null where it is hardly the report of one trial. */
  reported: ReportedDraft | null
  held?: ExtractionResult['metadata']['held']
}): ExtractionResult {
  const { decision, drafts, pages, count, score, tables, layout, learnt, reported, held } = input
  // A value of a table is no surer than that the table was understood.
  const understood = 0.4 + 0.6 * Math.max(0, Math.min(1, (score - 10) / 25))
  const fields: Record<string, FieldEvidence> = {}
  const scanned = pages.some((page) => page.scanned)
  const note = (
    path: string,
    key: CalibrationKey,
    score: number,
    margin: number,
    words: readonly Word[],
    method: Method,
  ): void => {
    const evidence = locate(words, pages)
    if (!evidence) return
    const ocr = words.map((word) => word.ocr).filter((value) => value !== undefined)
    const legible = ocr.length > 0 ? Math.min(...ocr) : 1
    fields[path] = {
      confidence: Math.min(held ? HELD_FIELD : 1, calibrate(key, { score, margin, legible, method })),
      ...evidence,
      method: ocr.length > 0 && !scanned ? 'ocr' : method,
    }
  }

  const data: ExtractedData = { ...NOT_FOUND, tratamentos: [], estatistica_informada: null }
  for (const field of FIELD_KEYS) {
    const chosen = decision[field]
    if (!chosen) continue
    // In what is no report of one trial, a label may speak of something else.
    note(field, field, chosen.score * (held ? 0.4 : 1), chosen.margin, chosen.words, chosen.method)
    // decideFields gives each field the type that its parser gives.
    if (fields[field]) Object.assign(data, { [field]: chosen.value })
  }

  drafts.forEach((draft, i) => {
    const path = `tratamentos[${i}]`
    const put = <T>(key: CalibrationKey, name: string, found: Found<T> | null): T | null => {
      if (!found) return null
      note(`${path}.${name}`, key, found.score * understood, 1, found.words, found.method)
      return fields[`${path}.${name}`] ? found.value : null
    }
    const control = draft.control
    const nome = draft.nome ?? nameOfProducts(draft)
    put('nome', 'nome', nome)
    const treatment: ExtractedTreatment = {
      // The first is the control; a second one ('Testemunha capinada') keeps its name.
      nome:
        control && (i === 0 || !nome) ? 'Testemunha' : (nome?.value ?? `Tratamento ${draft.code ?? i + 1}`),
      modalidade: put('modalidade', 'modalidade', draft.modalidade),
      produtividade: put('produtividade', 'produtividade', draft.produtividade),
      custo: put('custo', 'custo', draft.custo),
      produtos_aplicados: (draft.sown ? [] : draft.produtos).map((product, p) => ({
        nome: put('produto', `produtos_aplicados[${p}].nome`, product.nome) ?? product.nome.value,
        dose: put('dose', `produtos_aplicados[${p}].dose`, product.dose),
        unidade: product.unidade,
        custo: put('custo_produto', `produtos_aplicados[${p}].custo`, product.custo),
      })),
      analises_adicionais: draft.analises.map((analysis, a) => ({
        nome: analysis.nome,
        valor: put('analise', `analises_adicionais[${a}].valor`, analysis.valor) ?? analysis.valor.value,
        unidade: analysis.unidade,
      })),
    }
    data.tratamentos.push(treatment)
  })

  if (reported) data.estatistica_informada = assembleReported(reported, note, fields)

  return {
    data,
    metadata: {
      confidence: Math.min(
        held ? HELD_MOST : 1,
        calibrate('documento', {
          score: Math.max(0, score) / 60,
          margin: 1,
          legible: scanned ? 0.6 : 1,
          method: 'table',
        }),
      ),
      extracted_fields: Object.keys(fields),
      engine: ENGINE_VERSION,
      pages: count,
      fields,
      tables,
      layout,
      ...(learnt && { learnt }),
      ...(held && { held }),
    },
  }
}

function nameOfProducts(draft: Draft): Found<string> | null {
  const [first] = draft.produtos
  if (!first) return null
  return {
    ...first.nome,
    value: draft.produtos.map((product) => product.nome.value).join(' + '),
    words: draft.produtos.flatMap((product) => product.nome.words),
  }
}

/** Page and box of words, on the page as displayed; of words on several pages, the first page's. */
function locate(
  words: readonly Word[],
  pages: readonly Page[],
): Pick<FieldEvidence, 'page' | 'bbox' | 'text'> | null {
  const [first] = words
  if (!first) return null
  const page = pages.find((p) => p.index === first.page)
  if (!page) return null
  const own = words.filter((word) => word.page === first.page)
  const box = page.project(union(own))
  const { width, height } = page.displayed
  const clamp = (value: number, limit: number): number =>
    Math.round(Math.min(Math.max(value, 0), limit) * 100) / 100
  return {
    page: first.page + 1,
    bbox: [clamp(box.x0, width), clamp(box.y0, height), clamp(box.x1, width), clamp(box.y1, height)],
    text: own.map((word) => word.text).join(' '),
  }
}
