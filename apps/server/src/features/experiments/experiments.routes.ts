import { Readable } from 'node:stream'
import {
  can,
  contract,
  type Experiment,
  ExperimentInput,
  type ExperimentSummary,
  ExperimentUpdate,
  Problem,
  problem,
} from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import type { Wall } from '../../database/wall.ts'
import { startWork } from '../../http/admission.ts'
import { subscriber } from '../../http/client-address.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { readKey } from '../../http/idempotency-key.ts'
import { parseField } from '../../http/json-body.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { keepReading } from '../../http/reader-pace.ts'
import { closed, pdfBytes, readUpload } from '../../http/upload.ts'
import { wholePdf } from '../../http/whole-pdf.ts'
import { places } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Dashboard } from '../dashboard/dashboard.service.ts'
import type { Extraction } from '../extraction/extraction.service.ts'
import { readCursor, readId, writeCursor } from './cursor.ts'
import {
  type Cursor,
  type ListPage,
  listDeleted,
  listExperiments,
  summariesOf,
} from './experiment-list.repository.ts'
import { type Experiments, RESTORABLE_DAYS, type UploadedPdf } from './experiments.service.ts'
import { checkRows, csv, fullSheet, shortSheet, xlsx } from './export.ts'
import type { History } from './history.service.ts'
import { presentSummary } from './presenter.ts'

const PAGE = 20
/** 500 treatments with their products and analyses. */
const BODY_LIMIT = 4 * 1024 * 1024
const EXPORT_PAGE = 1000
const EXPORTS = { atOnce: 6, perPerson: 2, perGroup: 3, inLine: 30, patienceMs: 20_000 }
const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
const NOT_FOUND = { notFound: 'experiment.not_found' } as const

interface PresentedPage {
  rows: ExperimentSummary[]
  next: Cursor | null
}
const presented = async (page: Promise<ListPage>, actor: Actor): Promise<PresentedPage> => {
  const { rows, next } = await page
  return { rows: rows.map((row) => presentSummary(row, actor)), next }
}

/** Page after page, each fetched when the one before it has been taken. */
async function* allPages(read: (cursor: Cursor | null) => Promise<PresentedPage>) {
  let cursor: Cursor | null = null
  do {
    const page: PresentedPage = await read(cursor)
    yield page.rows
    cursor = page.next
  } while (cursor)
}

export function experimentRoutes(
  route: Route,
  {
    wall,
    experiments,
    extraction,
    history,
    namesOf,
    dashboard,
    settled,
  }: {
    wall: Wall
    experiments: Experiments
    extraction: Extraction
    history: History
    namesOf: AccountsFeature['namesOf']
    dashboard: Dashboard
    /** Resolves when figures hold what was changed before. */
    settled(): Promise<void>
  },
): void {
  const exporting = places(EXPORTS)

  route(contract.listExperiments, async ({ actor, query }) => {
    const cursor = readCursor(query.cursor, query.ordem)
    const counted = await dashboard.count(actor, query)
    const limit = query.limit ?? PAGE
    const page = await presented(
      listExperiments(wall.for(actor), query, { cursor, limit, total: counted }),
      actor,
    )
    // A list that ends on its first page counts itself: figures may be a moment behind.
    const total = cursor || page.next ? Math.max(counted, page.rows.length) : page.rows.length
    return {
      experimentos: page.rows,
      total,
      next_cursor: page.next && writeCursor(page.next),
    }
  })

  route(
    contract.incompleteExperiments,
    async ({ actor, query: { cursor, limit = PAGE, falta, ...filter } }) => {
      const { rows, next, ...counts } = await dashboard.incomplete(actor, filter, {
        ...{ falta, limit },
        after: cursor ? readId(cursor) : null,
      })
      const summaries = await summariesOf(
        wall.for(actor),
        rows.map(({ id }) => id),
      )
      const byId = new Map(summaries.map((summary) => [summary.id, summary]))
      return {
        experimentos: rows.flatMap(({ id, faltas }) => {
          const summary = byId.get(id)
          return summary ? [{ ...presentSummary(summary, actor), faltas }] : []
        }),
        ...counts,
        next_cursor: next,
      }
    },
  )

  route(contract.exportExperiments, async ({ actor, query, request, reply }) => {
    const total = await dashboard.count(actor, query)
    const full = query.conteudo === 'completo'
    checkRows(query.formato, total, { full })
    // Held until the last row is taken: reading all pages one after the other keeps a connection busy.
    onceClosed(reply, await exporting.enter(actor.id, subscriber(request.ip)))
    keepReading(reply, () => exporting.counts().inLine > 0)
    const pages = allPages((cursor) =>
      presented(listExperiments(wall.for(actor), query, { cursor, limit: EXPORT_PAGE, total }), actor),
    )
    const sheet = full ? fullSheet(wholePages(pages, (id) => experiments.get(actor, id))) : shortSheet(pages)
    const rows = query.formato === 'csv' ? csv(sheet) : xlsx(sheet)
    return reply
      .type(EXPORT_TYPES[query.formato])
      .header('content-disposition', `attachment; filename="experimentos.${query.formato}"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(rows))
  })

  route(
    contract.createExperiment,
    async ({ actor, body, request, reply }) => {
      const idempotencyKey = readKey(request)
      if (!request.isMultipart()) {
        return { experimento: await experiments.create(actor, { input: body, pdf: null, idempotencyKey }) }
      }
      const { pdf, dados } = await readForm(request)
      // Only a report: what it says, and nothing is created. A form without its report is not finished.
      if (!pdf) throw problem('document.missing', { detail: MISSING_PDF.message, fields: [MISSING_PDF] })
      if (dados !== undefined) {
        const input = parseField(ExperimentInput, dados)
        wholePdf(pdf.bytes)
        await startWork(request)
        return { experimento: await experiments.create(actor, { input, pdf, idempotencyKey }) }
      }
      const result = await extraction.extract(actor, pdf.bytes, { signal: closed(reply) })
      return reply.code(200).send(result)
    },
    { bodyLimit: BODY_LIMIT },
  )

  route(
    contract.getExperiment,
    async ({ actor, params }) => ({ experimento: await experiments.get(actor, params.id) }),
    NOT_FOUND,
  )

  route(
    contract.updateExperiment,
    async ({ actor, params, body, request }) => {
      if (!request.isMultipart()) {
        return { experimento: await experiments.update(actor, params.id, { input: body, pdf: null }) }
      }
      const { pdf, dados } = await readForm(request)
      const input = parseField(ExperimentUpdate, dados ?? '{}')
      if (pdf) wholePdf(pdf.bytes)
      await startWork(request)
      return { experimento: await experiments.update(actor, params.id, { input, pdf }) }
    },
    { ...NOT_FOUND, bodyLimit: BODY_LIMIT },
  )

  route(
    contract.concludeExperiment,
    async ({ actor, params, body }) => ({ experimento: await experiments.conclude(actor, params.id, body) }),
    NOT_FOUND,
  )

  route(
    contract.deleteExperiment,
    async ({ actor, params, query }) => {
      await experiments.remove(actor, params.id, query.mesmo_assim === 'true')
      // Who else saw it may not go on seeing its figures.
      if (actor.several) await settled()
      return undefined
    },
    NOT_FOUND,
  )

  route(
    contract.restoreExperiment,
    async ({ actor, params, query }) => ({
      experimento: await experiments.restore(actor, params.id, { undo: query.desfazer === 'true' }),
    }),
    NOT_FOUND,
  )

  route(contract.listDeletedExperiments, async ({ actor }) => {
    // Whoever may restore anybody's, or might if the organisation were open.
    const anybodys = { owner: null, organization: actor.organization }
    if (!can({ ...actor, closed: false }, 'experiment.restore', anybodys).allowed)
      throw problem('permission.denied')
    const rows = await listDeleted(wall.for(actor), RESTORABLE_DAYS)
    const names = await namesOf(
      wall.for(actor),
      rows.flatMap(({ deleted_by }) => deleted_by ?? []),
    )
    return {
      experimentos: rows.map((row) => ({
        ...presentSummary(row, actor),
        deleted_by_name: names.get(row.deleted_by ?? '') ?? null,
      })),
    }
  })

  route(
    contract.experimentHistory,
    async ({ actor, params }) => ({ alteracoes: await history(actor, params.id) }),
    NOT_FOUND,
  )
}

const MISSING_PDF = {
  path: 'pdf',
  message: 'O upload do arquivo PDF é obrigatório para finalizar o experimento',
}

async function readForm(
  request: FastifyRequest,
): Promise<{ pdf: UploadedPdf | null; dados: string | undefined }> {
  const { files, fields } = await readUpload(request, { maxFiles: 1 })
  const [file] = files
  return { pdf: file ? { filename: file.filename, bytes: pdfBytes(file) } : null, dados: fields.dados }
}

/** The same trials with all that they hold; one that is gone by now is left out. */
async function* wholePages(
  pages: AsyncIterable<readonly { id: string }[]>,
  whole: (id: string) => Promise<Experiment>,
): AsyncGenerator<Experiment[]> {
  for await (const page of pages) {
    const found: Experiment[] = []
    for (const { id } of page) {
      const one = await whole(id).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'experiment.not_found') return null
        throw error
      })
      if (one) found.push(one)
    }
    yield found
  }
}
