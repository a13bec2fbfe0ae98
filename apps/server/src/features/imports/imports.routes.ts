import { setTimeout as sleep } from 'node:timers/promises'
import { contract, IMPORT_MAX_BYTES, IMPORT_MAX_TEXT, problem } from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Wall } from '../../database/wall.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { eventStream } from '../../http/event-stream.ts'
import { readKey } from '../../http/idempotency-key.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { closed, readUpload } from '../../http/upload.ts'
import type { Imports } from './imports.service.ts'
import { templateFile } from './template-workbook.ts'
import {
  changeTemplate,
  insertTemplate,
  removeTemplate,
  type StoredTemplate,
  templatesOf,
} from './templates.repository.ts'
import { namesInUse } from './trials.repository.ts'

const NOT_FOUND = { notFound: 'import.not_found' } as const
const FILE = { field: 'arquivo', maxBytes: IMPORT_MAX_BYTES, name: 'da planilha' } as const
/** Two million bytes of text as JSON says them. */
const TEXT_LIMIT = 2 * IMPORT_MAX_TEXT + 1024
const PAGE = 50
/** How often a stream looks how far the work is, and how long it lives. */
const LOOK_MS = 500
const STREAM_LIFE_MS = 10 * 60_000
const TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  csv: 'text/csv; charset=utf-8',
} as const

const Pasted = z.object({
  texto: z.string({ error: 'Cole o texto da planilha' }).min(1, 'Cole o texto da planilha'),
})

/** What a request brings: a file, or text that was pasted. */
async function brought(request: FastifyRequest): Promise<{ nome: string; bytes: Buffer; texto: boolean }> {
  if (request.isMultipart()) {
    const { files } = await readUpload(request, { maxFiles: 1, of: FILE })
    const [file] = files
    if (!file) throw problem('import.invalid')
    if (file.bytes === null)
      throw problem('import.too_large', { status: 413, detail: 'A planilha passa de 20 MB' })
    if (file.bytes.length === 0) throw problem('import.empty')
    return { nome: file.filename, bytes: file.bytes, texto: false }
  }
  const body = Pasted.safeParse(request.body ?? {})
  if (!body.success)
    throw problem('validation.failed', { fields: [{ path: 'texto', message: 'Cole o texto da planilha' }] })
  const bytes = Buffer.from(body.data.texto)
  if (bytes.length > IMPORT_MAX_TEXT)
    throw problem('import.too_large', { status: 413, detail: 'O texto colado passa de 2 MB' })
  return { nome: 'Texto colado', bytes, texto: true }
}

const presentTemplate = ({ created_at, ...rest }: StoredTemplate) => ({
  ...rest,
  created_at: created_at.toISOString(),
})

const attach = (reply: FastifyReply, name: string) =>
  reply.header('cache-control', 'no-store').header('content-disposition', `attachment; filename="${name}"`)

/** Trials out of spreadsheets, and the models of how they are read. */
export function importRoutes(route: Route, { imports, wall }: { imports: Imports; wall: Wall }): void {
  route(
    contract.createImport,
    async ({ actor, query, request, reply }) => {
      const { importacao, earlier } = await imports.create(actor, {
        ...(await brought(request)),
        again: query.repetir === '1',
      })
      if (earlier) return reply.code(200).header('cache-control', 'no-store').send({ importacao })
      return { importacao }
    },
    { bodyLimit: TEXT_LIMIT },
  )
  route(contract.listImports, async ({ actor }) => ({ importacoes: await imports.list(actor) }))
  route(
    contract.getImport,
    async ({ actor, params }) => ({ importacao: await imports.presented(actor, params.id) }),
    NOT_FOUND,
  )

  route(
    contract.importEvents,
    async ({ actor, params, reply }) => {
      // Whose it is not hears of it before the stream begins.
      await imports.presented(actor, params.id)
      const stream = eventStream(reply)
      void follow(imports, actor, params.id, { stream, signal: closed(reply) }).finally(() => stream.end())
      const life = setTimeout(() => stream.end(), STREAM_LIFE_MS)
      onceClosed(reply, () => clearTimeout(life))
      return reply
    },
    NOT_FOUND,
  )

  route(
    contract.mapImport,
    async ({ actor, params, body }) => ({ importacao: await imports.map(actor, params.id, body) }),
    NOT_FOUND,
  )

  route(
    contract.importRows,
    async ({ actor, params, query }) => {
      const { cursor, limit = PAGE, estado, campo, mensagem } = query
      const after = cursor === undefined ? 0 : Number(cursor)
      if (!Number.isInteger(after) || after < 0) throw problem('request.invalid')
      const experimentos = await imports.rows(actor, params.id, {
        after,
        limit: limit + 1,
        ...(estado !== undefined && { estado }),
        ...(campo !== undefined && { campo }),
        ...(mensagem !== undefined && { mensagem }),
      })
      const page = experimentos.slice(0, limit)
      return {
        experimentos: page,
        next_cursor: experimentos.length > limit ? String(page.at(-1)?.n ?? 0) : null,
      }
    },
    NOT_FOUND,
  )

  route(
    contract.importProblems,
    async ({ actor, params, query, reply }) => {
      if (query.formato !== 'xlsx') return { problemas: await imports.problems(actor, params.id) }
      const { bytes } = await imports.withProblems(actor, params.id)
      return attach(reply, 'problemas.xlsx').type(TYPES.xlsx).send(bytes)
    },
    NOT_FOUND,
  )

  route(
    contract.correctImport,
    ({ actor, params, body }) => imports.correct(actor, params.id, body),
    NOT_FOUND,
  )

  route(
    contract.commitImport,
    async ({ actor, params, body, request }) => ({
      importacao: await imports.commit(actor, params.id, {
        atualizar: body.atualizar,
        so: body.so ?? null,
        key: readKey(request),
      }),
    }),
    NOT_FOUND,
  )

  route(contract.undoImport, ({ actor, params }) => imports.turn(actor, params.id, { undo: true }), NOT_FOUND)
  route(
    contract.redoImport,
    ({ actor, params }) => imports.turn(actor, params.id, { undo: false }),
    NOT_FOUND,
  )
  route(
    contract.removeImport,
    async ({ actor, params }) => {
      await imports.remove(actor, params.id)
      return undefined
    },
    NOT_FOUND,
  )

  route(contract.importTemplateWorkbook, async ({ actor, query, reply }) => {
    const formato = query.formato ?? 'xlsx'
    const bytes = await templateFile(formato, await namesInUse(wall.for(actor)))
    return attach(reply, `modelo-de-importacao.${formato}`).type(TYPES[formato]).send(bytes)
  })

  route(contract.listImportTemplates, async ({ actor }) => ({
    modelos: (await templatesOf(wall.for(actor))).map(presentTemplate),
  }))
  route(contract.createImportTemplate, async ({ actor, body }) => {
    imports.permit(actor)
    const made = await insertTemplate(wall.for(actor), { ...body, by: actor.id })
    if (!made) throw problem('import.template_taken')
    return { modelo: presentTemplate(made) }
  })
  route(
    contract.changeImportTemplate,
    async ({ actor, params, body }) => {
      imports.permit(actor)
      const changed = await changeTemplate(wall.for(actor), params.id, body)
      if (!changed)
        throw problem(
          (await imports.hasTemplate(actor, params.id))
            ? 'import.template_taken'
            : 'import.template_not_found',
        )
      return { modelo: presentTemplate(changed) }
    },
    { notFound: 'import.template_not_found' },
  )
  route(
    contract.removeImportTemplate,
    async ({ actor, params }) => {
      imports.permit(actor)
      if (!(await removeTemplate(wall.for(actor), params.id))) throw problem('import.template_not_found')
      return undefined
    },
    { notFound: 'import.template_not_found' },
  )
}

/** Tells how far the work is until it is over. */
async function follow(
  imports: Imports,
  actor: Actor,
  id: string,
  { stream, signal }: { stream: ReturnType<typeof eventStream>; signal: AbortSignal },
): Promise<void> {
  let before = ''
  let state = ''
  while (!signal.aborted) {
    const importacao = await imports.presented(actor, id).catch(() => null)
    if (importacao === null) return
    const { estado, progresso, resumo } = importacao
    if (estado !== state) stream.send('changed', { importacao })
    const told = JSON.stringify([progresso, resumo])
    if (told !== before) stream.send('progress', { estado, progresso, resumo })
    ;[before, state] = [told, estado]
    if (!['lendo', 'gravando'].includes(estado)) return
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}
