import type { DoseUnit, ReportedStatistics } from '@ensaio/domain'
import type { FieldKey, FoundValues } from '@ensaio/domain/fields'
import type { ColumnRole, RowLabel } from '@ensaio/domain/tables'
import type { Template } from './layouts/template.ts'

export interface ExtractedProduct {
  nome: string
  dose: number | null
  unidade: DoseUnit | null
  /** R$/ha, only when printed for the product itself. */
  custo: number | null
}

export interface ExtractedAnalysis {
  nome: string
  valor: number
  unidade: string | null
}

export interface ExtractedTreatment {
  nome: string
  modalidade: string | null
  /** kg/ha. */
  produtividade: number | null
  /** R$/ha. */
  custo: number | null
  produtos_aplicados: ExtractedProduct[]
  analises_adicionais: ExtractedAnalysis[]
}

/** As the product knows an experiment; a country's state by its two letters, places in decimal degrees. */
export interface ExtractedData extends FoundValues {
  /** What the report tells of its own statistics; null where it tells nothing. */
  estatistica_informada: ReportedStatistics | null
  tratamentos: ExtractedTreatment[]
}

export type Method = 'label' | 'table' | 'prose' | 'list' | 'checkbox' | 'typed' | 'rule' | 'ocr'

/** Where a value was read: page from 1; box [x0, y0, x1, y1] in PDF points from the top left of the page. */
export interface FieldEvidence {
  /** Calibrated probability that the value is right. */
  confidence: number
  page: number
  bbox: [number, number, number, number]
  text: string
  method: Method
}

export interface ReadTableCell {
  text: string
  /** From 1. */
  page: number
  bbox: [number, number, number, number]
}

/** A table as it was understood, its treatments one below the other however it is printed. */
export interface ReadTable {
  page: number
  bbox: [number, number, number, number]
  title: string
  /** Whether treatments were read from it. */
  used: boolean
  columns: { heading: string; role: ColumnRole }[]
  rows: { label: RowLabel; cells: (ReadTableCell | null)[] }[]
}

/** A table as a person says that it is to be read; the words are those of the page, at the places of the cells. */
export interface GivenTable {
  title: string
  /** Without a role: what the reader takes it for. */
  columns: { role?: ColumnRole | null | undefined }[]
  rows: { label: RowLabel; cells: (Pick<ReadTableCell, 'page' | 'bbox'> | null)[] }[]
}

export interface ExtractionResult {
  data: ExtractedData
  metadata: {
    /** Expected share of the report's values that were found and are right. */
    confidence: number
    /** Paths found, as 'tratamentos[0].produtos_aplicados[1].dose'. */
    extracted_fields: string[]
    engine: string
    pages: number
    fields: Record<string, FieldEvidence>
    /** Why no treatments are given: it is hardly the report of one trial. */
    held?: 'not_one_trial'
    tables: ReadTable[]
    /** It was read by what was learnt of its layout. */
    learnt?: boolean
    /** What is fixed in its layout (layouts/fingerprint.ts). */
    layout: number[]
  }
  /** What a later document of the layout can be read by, only when it was asked for. */
  learnt?: Template
  /** The document's text, only when it was asked for. */
  lines?: TextLine[]
}

/** A line of the document's text: page from 1, box in PDF points from the top left. */
export interface TextLine {
  page: number
  bbox: [number, number, number, number]
  text: string
}

export type Stage = 'read' | 'ocr' | 'layout' | 'tables' | 'fields'

/** A value as soon as it is read; a later one of the same path replaces it, null takes it back. */
export interface FoundField {
  path: string
  value: string | number | null
  confidence: number
  page: number
  bbox: [number, number, number, number]
}

export interface ExtractOptions {
  signal?: AbortSignal
  /** Refuse with 'extraction.pictures', before anything slow begins, what only recognition could read whole. */
  digitalOnly?: boolean
  /** Give the lines of the text besides the result. */
  lines?: boolean
  /** The tables that hold the treatments, by a person: as the reading shows them (by index) or otherwise. */
  tables?: readonly (number | GivenTable)[] | undefined
  /** What was learnt from a report of the same layout. */
  template?: Template | undefined
  /** Learn from `tables` and from these values, which a person put right. */
  learn?: Readonly<Partial<Record<FieldKey, string | number>>> | undefined
  onProgress?: (progress: { stage: Stage; page?: number; pages?: number }) => void
  /** Told after each page that takes long, and at the end, what has become known. */
  onFields?: (fields: FoundField[]) => void
}
