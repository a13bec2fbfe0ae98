export const EXTRACTION_ERROR_CODES = [
  'extraction.not_pdf',
  'extraction.encrypted',
  'extraction.damaged',
  'extraction.too_large',
  'extraction.too_many_pages',
  'extraction.no_text',
  'extraction.timeout',
  'extraction.out_of_memory',
  'extraction.cancelled',
  'extraction.busy',
  // It holds pictures, and the caller wanted only what is text.
  'extraction.pictures',
  'extraction.failed',
] as const
export type ExtractionErrorCode = (typeof EXTRACTION_ERROR_CODES)[number]

/** Why a document was not read. The code is stable and travels to a translated sentence. */
export class ExtractionError extends Error {
  readonly code: ExtractionErrorCode

  constructor(code: ExtractionErrorCode, detail?: string) {
    super(detail ? `${code}: ${detail}` : code)
    this.name = 'ExtractionError'
    this.code = code
  }
}

export function isExtractionErrorCode(value: unknown): value is ExtractionErrorCode {
  return EXTRACTION_ERROR_CODES.some((code) => code === value)
}
