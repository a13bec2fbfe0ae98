import { createHash } from 'node:crypto'
import { assemble } from './assemble.ts'
import { arrange } from './document.ts'
import { ExtractionError } from './errors.ts'
import { decideFields } from './fields/decide.ts'
import { findPairs } from './fields/pairs.ts'
import { changedFields } from './found-fields.ts'
import { textLines } from './layout/text-lines.ts'
import { learnAnchors, readAnchors } from './layouts/anchors.ts'
import { fingerprint } from './layouts/fingerprint.ts'
import { learnTables } from './layouts/template.ts'
import { readPictures, readScannedPage } from './ocr/page.ts'
import type { Page } from './read/page.ts'
import { withDocument } from './read/pdfium.ts'
import { checkBytes, openPage, type ReadPage, readPages } from './read/read.ts'
import { isHeld, readDocument, tellsOfSeveral } from './reading/choose.ts'
import { isOwnReport, readOwnReport } from './reading/own-report.ts'
import {
  givenTables,
  LEARNT,
  readAsLearnt,
  readGiven,
  shownTables,
  understoodTables,
} from './reading/shown.ts'
import { readReported } from './reported/read-reported.ts'
import type { ExtractionResult, ExtractOptions } from './result.ts'
import { settleGuessedYields } from './treatments/plausible.ts'

export { ENGINE_VERSION } from './assemble.ts'
export {
  EXTRACTION_ERROR_CODES,
  ExtractionError,
  type ExtractionErrorCode,
  isExtractionErrorCode,
} from './errors.ts'
export { changedFields } from './found-fields.ts'
export { stopRecogniser } from './ocr/tesseract.ts'
export { MAX_BYTES, MAX_PAGES } from './read/read.ts'
export type {
  ExtractedAnalysis,
  ExtractedData,
  ExtractedProduct,
  ExtractedTreatment,
  ExtractionResult,
  ExtractOptions,
  FieldEvidence,
  FoundField,
  Method,
  Stage,
  TextLine,
} from './result.ts'

/** The last document that was recognised: whoever puts it right has it read again, and again. */
let recognised: { key: string; pages: readonly Page[] } | null = null

/** Pages of a document that are read by OCR at most; the rest of a longer scan is left unread. */
const MAX_SCANNED_PAGES = 20

/**
 * Reads a trial report. A pure function of the bytes: same bytes, same result; nothing is fetched or stored.
 * Throws ExtractionError when the document cannot be read at all.
 */
export async function extract(bytes: Uint8Array, options: ExtractOptions = {}): Promise<ExtractionResult> {
  checkBytes(bytes)
  return await withDocument(bytes, async (library, document) => {
    const read = readPages(library, document, options)
    // What a report of ours shows in pictures stands in its tables, too.
    if (read.some((page) => page.pictures.length > 0) && isOwnReport(read))
      for (const page of read) if (!coversPage(page)) page.pictures = []
    if (options.digitalOnly && read.some((page) => page.pictures.length > 0))
      throw new ExtractionError('extraction.pictures')
    let known: ExtractionResult | null = null
    const tell = (result: ExtractionResult): void => {
      const changed = changedFields(known, result)
      known = result
      if (changed.length > 0) options.onFields?.(changed)
    }
    const key = read.some((page) => page.pictures.length > 0)
      ? createHash('sha256').update(bytes).digest('hex')
      : null
    const before = key !== null && recognised?.key === key ? recognised.pages : null
    const pages =
      before ??
      (await recogniseWhereNeeded(
        read,
        async (page) => {
          const handle = openPage(library, document, page.index)
          try {
            return page.words.length > 0 || !coversPage(page)
              ? await readPictures(library, handle, page)
              : await readScannedPage(library, handle, page)
          } finally {
            library._FPDF_ClosePage(handle)
          }
        },
        options,
        (pages) => options.onFields && tell(understand(pages, read.length, {}, { compare: false })),
      ))
    if (key !== null) recognised = { key, pages }
    if (pages.every((page) => page.words.length === 0)) throw new ExtractionError('extraction.no_text')
    const result = understand(pages, read.length, options)
    tell(result)
    return options.lines ? { ...result, lines: textLines(pages) } : result
  })
}

const OF_ONE_PLACE = [
  ...(['cidade', 'estado', 'latitude', 'longitude', 'cultivar'] as const),
  ...(['teor_argila', 'teor_materia_organica'] as const),
]

/** What a person says of the tables is as good as the surest reading. */
const GIVEN_SCORE = 35

/** From the words of the pages to the result; what is told in passing is not compared with other readings. */
function understand(
  pages: readonly Page[],
  count: number,
  options: ExtractOptions,
  { compare = true }: { compare?: boolean } = {},
): ExtractionResult {
  options.onProgress?.({ stage: 'layout', pages: pages.length })
  const arranged = arrange(pages)
  options.onProgress?.({ stage: 'tables', pages: pages.length })
  const house = readOwnReport(arranged)
  const own = house?.reading ?? readDocument(arranged, { compare })
  const reading = options.tables
    ? readGiven(own, options.tables, pages)
    : options.template
      ? readAsLearnt(own, options.template)
      : own
  options.onProgress?.({ stage: 'fields', pages: pages.length })
  options.signal?.throwIfAborted()
  // Where none of its tables are, it is another layout.
  const follows = options.template !== undefined && reading !== own
  const anchored =
    options.template && (follows || options.template.tables.length === 0)
      ? readAnchors(options.template.fields, pages)
      : {}
  const pairs = findPairs(reading.document, reading.tables)
  const decision = {
    ...(house && reading === own ? house.decision : decideFields(reading.document, pairs)),
    ...anchored,
  }
  const crop = decision.cultura?.value
  const held = isHeld(reading)
  // Which of several towns a place or a soil is of, nobody knows.
  if (held && tellsOfSeveral(reading)) for (const key of OF_ONE_PLACE) delete decision[key]
  const drafts = held ? [] : reading.drafts
  // Of cultivars that are compared none is the trial's.
  if (reading.why.some(({ name }) => name === 'rivals')) delete decision.cultivar
  settleGuessedYields(drafts, typeof crop === 'string' ? crop : null)
  const tables = reading.understood.map(({ treatments }) => treatments)
  const reported = held
    ? null
    : readReported({ document: reading.document, pages, drafts, tables, pairs, decision })
  const learnt = options.learn && {
    tables: options.tables ? learnTables(givenTables(own, options.tables, pages), own.document) : [],
    fields: learnAnchors(options.learn, pages),
  }
  const result = assemble({
    decision,
    drafts,
    pages,
    count,
    score: options.tables ? Math.max(reading.score, GIVEN_SCORE) : reading.score + (follows ? LEARNT : 0),
    tables: compare ? shownTables(understoodTables(reading, held), pages) : [],
    layout: compare ? fingerprint(arranged) : [],
    reported,
    learnt: follows || Object.keys(anchored).length > 0,
    ...(held && { held: 'not_one_trial' }),
  })
  return learnt ? { ...result, learnt } : result
}

async function recogniseWhereNeeded(
  read: readonly ReadPage[],
  recognise: (page: ReadPage) => Promise<Page>,
  options: ExtractOptions,
  onRecognised: (pages: readonly Page[]) => void,
): Promise<Page[]> {
  const pages: Page[] = []
  let budget = MAX_SCANNED_PAGES
  for (const page of read) {
    if (page.pictures.length === 0 || budget <= 0) {
      pages.push(page)
      continue
    }
    budget--
    options.signal?.throwIfAborted()
    options.onProgress?.({ stage: 'ocr', page: page.index + 1, pages: read.length })
    pages.push(await recognise(page))
    if (pages.length < read.length) onRecognised(pages)
  }
  return pages
}

function coversPage(page: ReadPage): boolean {
  const { width, height } = page.displayed
  return page.pictures.some((box) => (box.x1 - box.x0) * (box.y1 - box.y0) > 0.5 * width * height)
}
