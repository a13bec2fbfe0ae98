import fc from 'fast-check'

/** As much of JSON Schema as our OpenAPI document uses. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
}

export interface Operation {
  method: string
  path: string
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[]
  json: Schema | null
  multipart: string[] | null
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read as it was served
export function operationsOf(document: any): Operation[] {
  return Object.entries<Record<string, never>>(document.paths).flatMap(([path, methods]) =>
    // biome-ignore lint/suspicious/noExplicitAny: the document is read as it was served
    Object.entries<any>(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content ?? {}
      const form = content['multipart/form-data']?.schema?.properties
      return {
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        json: content['application/json']?.schema ?? null,
        multipart: form ? Object.keys(form) : null,
      }
    }),
  )
}

export interface BadRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | FormData | undefined
  who: 'nobody' | 'garbage' | 'user' | 'admin'
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    "'; drop table experimentos; --",
    '../../../../etc/passwd',
    '<script>alert(1)</script>',
    '%00',
    '%E0%A4%A',
    '{"$ne":null}',
    '-0',
    '1e999',
    'NaN',
    'null',
    '٣',
    'x'.repeat(20_000),
    '\r\nSet-Cookie: a=b',
  ),
)
const anything = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, [], {}, [[]], -1, 0, 1e308, -1e308, 2 ** 53, 0.1, true, {
    __proto__: null,
    constructor: 1,
  }),
)

/** Mostly what the schema asks for, so that the request gets past the first check, and often not quite. */
export function nearly(schema: Schema | undefined, depth = 0): fc.Arbitrary<unknown> {
  if (!schema || depth > 5) return anything
  return fc.oneof({ weight: 6, arbitrary: fitting(schema, depth) }, { weight: 1, arbitrary: anything })
}

function fitting(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return fc.oneof(...choice.map((each) => nearly(each, depth + 1)))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return fc
        .tuple(
          fc.record(
            Object.fromEntries(
              Object.entries(schema.properties ?? {}).map(([name, each]) => [name, nearly(each, depth + 1)]),
            ),
            { requiredKeys: [] },
          ),
          fc.dictionary(text, anything, { maxKeys: 1 }),
        )
        .map(([own, other]) => ({ ...other, ...own }))
    case 'array':
      return fc.array(nearly(schema.items, depth + 1), { maxLength: 3 })
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer(), fc.double(), fc.integer({ min: 0, max: 3000 }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(
        text,
        fc.uuid(),
        fc.emailAddress(),
        fc.constantFrom(
          '2024',
          '3.250,5',
          'Soja',
          'asc',
          'soja',
          'pessoa1@exemplo.com.br',
          'correta-cavalo-bateria',
        ),
      )
  }
}

const bodyOf = ({ json, multipart }: Operation): fc.Arbitrary<string | FormData | undefined> => {
  const choices: fc.Arbitrary<string | FormData | undefined>[] = [
    fc.constant(undefined),
    text,
    fc.constantFrom(
      '{',
      '[]',
      'null',
      '"x"',
      '{"a":'.repeat(5_000),
      '{"__proto__":{"x":1}}',
      `{"a":"${'x'.repeat(1_200_000)}"}`,
    ),
  ]
  if (json) {
    const fit = nearly(json).map((value) => JSON.stringify(value))
    choices.push(fit, fit, fit, fit, fit)
  }
  if (multipart) {
    const part = fc.tuple(
      fc.oneof(fc.constantFrom(...multipart), text),
      fc.oneof(text, fc.constant('%PDF-1.7\n%%EOF')),
      fc.boolean(),
    )
    const form = fc.array(part, { maxLength: 4 }).map((parts) => {
      const data = new FormData()
      for (const [name, value, file] of parts)
        file ? data.append(name, new Blob([value]), value.slice(0, 40)) : data.append(name, value)
      return data
    })
    choices.push(form, form, form)
  }
  return fc.oneof(...choices)
}

const TYPES = [
  'application/json',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=latin1',
  'x',
]

/** A good body with one member, somewhere inside, exchanged for anything. */
export function spoilt(good: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(good)
  return fc.tuple(fc.constantFrom(...places), anything).map(([place, value]) => put(good, place, value))
}

const placesIn = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [
        [key],
        ...placesIn(inner).map((rest) => [key, ...rest]),
      ])
    : []

function put(into: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined || typeof into !== 'object' || into === null) return value
  const inner = put(Object.entries(into).find(([name]) => name === key)?.[1], rest, value)
  return Array.isArray(into)
    ? into.map((each, at) => (String(at) === key ? inner : each))
    : { ...into, [key]: inner }
}

/**
 * One request to one of the operations. `ids` are of things that exist; `good` has bodies that would be
 * accepted, by method and path.
 */
export const badRequest = (
  operations: readonly Operation[],
  { ids, good }: { ids: readonly string[]; good: Readonly<Record<string, unknown>> },
): fc.Arbitrary<BadRequest> =>
  fc.constantFrom(...operations).chain((operation) => {
    const parameters = operation.parameters.map((each) =>
      fc.tuple(
        fc.constant(each),
        each.in === 'path' ? fc.oneof(fc.constantFrom(...ids), nearly(each.schema)) : nearly(each.schema),
        fc.integer({ min: 0, max: 3 }),
      ),
    )
    const example = good[`${operation.method} ${operation.path}`]
    const bodies = example
      ? fc.oneof(
          bodyOf(operation),
          spoilt(example).map((value) => JSON.stringify(value)),
        )
      : bodyOf(operation)
    return fc
      .record({
        parameters: fc.tuple(...parameters),
        extra: fc.oneof(
          { weight: 4, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.tuple(text, text) },
        ),
        body: operation.method === 'GET' ? fc.constant(undefined) : bodies,
        type: fc.oneof(
          { weight: 6, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
        ),
        header: fc.constantFrom<Record<string, string>>(
          {},
          { range: 'bytes=9-1' },
          { 'idempotency-key': 'x' },
          { 'if-none-match': '"' },
          { accept: '*' },
          { prefer: 'count=exact' },
        ),
        who: fc.constantFrom('nobody', 'garbage', 'user', 'user', 'admin', 'admin'),
      })
      .map(({ parameters: given, extra, body, type, header, who }): BadRequest => {
        let { path } = operation
        const query = new URLSearchParams()
        for (const [parameter, value, often] of given) {
          const written = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
          if (parameter.in === 'path')
            path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(written))
          else if (often > 0) query.append(parameter.name, written)
        }
        if (extra) query.append(extra[0].toWellFormed(), extra[1].toWellFormed())
        const json: Record<string, string> =
          typeof body === 'string' ? { 'content-type': 'application/json' } : {}
        return {
          method: operation.method,
          path: query.size > 0 ? `${path}?${query}` : path,
          headers: { ...json, ...header, ...(type !== null && { 'content-type': type }) },
          body,
          who: who as BadRequest['who'],
        }
      })
  })
