import { contract, problem } from '@ensaio/domain'
import type { Route } from '../../http/contract-routes.ts'
import { eventStream } from '../../http/event-stream.ts'
import { problemBody } from '../../http/problem-reply.ts'
import { closed, pdfBytes, readUpload } from '../../http/upload.ts'
import type { Extraction } from './extraction.service.ts'

/** Reads a report while telling how far it is: events `progress` and `field`, then `result` or `problem`. */
export function extractionRoutes(route: Route, { extraction }: { extraction: Extraction }): void {
  route(contract.extract, async ({ actor, request, reply }) => {
    const { files } = await readUpload(request, { maxFiles: 1 })
    const [file] = files
    if (!file) throw problem('document.missing')
    const pdf = pdfBytes(file)
    const stream = eventStream(reply)
    try {
      const result = await extraction.extract(actor.id, pdf, {
        signal: closed(reply),
        onProgress: (progress) => stream.send('progress', progress),
        onFields: (fields) => {
          for (const field of fields) stream.send('field', field)
        },
      })
      stream.send('result', result)
    } catch (error) {
      stream.send('problem', problemBody(error, request))
    }
    stream.end()
    return reply
  })
}
