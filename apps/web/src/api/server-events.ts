import { EventSourceParserStream } from 'eventsource-parser/stream'

/** Of one event, in characters: the reading of a long report is the longest. */
const LONGEST_EVENT = 32 * 1024 * 1024

/** The events of a `text/event-stream` answer, their data read as JSON. */
export async function* serverEvents(response: Response): AsyncGenerator<{ event: string; data: unknown }> {
  if (!response.body) return
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: LONGEST_EVENT }))
    .getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield { event: value.event ?? 'message', data: JSON.parse(value.data) }
  }
}
