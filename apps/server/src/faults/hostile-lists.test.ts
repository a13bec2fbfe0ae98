import { ExperimentInput, fieldProblems } from '@ensaio/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { experimentInput, form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'
import { expectLinear, filled, INPUTS, type Json, shapeOf } from './test-linear.ts'

/** What a body of the largest size has room for. */
const BODY = 4 * 1024 * 1024
const many = (member: string) => `[${`${member},`.repeat(BODY / (member.length + 1) - 500)}${member}]`
const nested = (n: number) => '['.repeat(n) + ']'.repeat(n)

const MEMBERS: Record<string, (n: number) => unknown[]> = {
  'empty objects': (n) => Array.from({ length: n }, () => ({})),
  'empty lists': (n) => Array.from({ length: n }, () => []),
  zeros: (n) => Array.from({ length: n }, () => 0),
}

/** The ways to the lists of a schema, those within members of others as well. */
function listsOf(schema: Json, path: string[] = []): string[][] {
  if (schema.items) return [path, ...listsOf(schema.items, [...path, '0'])]
  const members = Object.entries(schema.properties ?? {})
  return [
    ...members.flatMap(([name, member]) => listsOf(member, [...path, name])),
    ...(schema.anyOf ?? []).flatMap((choice) => listsOf(choice, path)),
  ]
}

/** What the schema asks for, with the list at that place. */
function withList(schema: Json, path: readonly string[], list: unknown[]): unknown {
  const whole = filled(schema, 'x')
  let holder = whole as Record<string, unknown>
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string, unknown>
  holder[path.at(-1) ?? ''] = list
  return whole
}

const lists = INPUTS.flatMap(([name, schema]) => {
  const shape = shapeOf(schema)
  return listsOf(shape).map((path): [string, string, z.ZodType, Json, string[]] => [
    path.join('.'),
    name,
    schema,
    shape,
    path,
  ])
})

test('the lists of an experiment are among those that are tried', () => {
  expect(lists.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      'tratamentos',
      'tratamentos.0.produtos_aplicados',
      'tratamentos.0.analises_adicionais',
    ]),
  )
})

test.each(lists)(
  '%s in the %s: its length is told before a member is looked at',
  (path, name, schema, shape) => {
    const at = path.split('.')
    for (const make of Object.values(MEMBERS)) {
      const { error } = schema.safeParse(withList(shape, at, make(100_000)))
      const within = error?.issues.filter((issue) => issue.path.join('.').startsWith(`${path}.`))
      expect(within).toEqual([])
      expect(error?.issues.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^Use no máximo [\d.]+ /),
      )
    }
    expectLinear(`${path} in the ${name}`, MEMBERS, (list) => schema.safeParse(withList(shape, at, list)))
  },
)

test.each(INPUTS)('%s with lists in lists wherever a value stands is read in linear time', (name, schema) => {
  const shape = shapeOf(schema)
  const families = { 'lists in lists': (n: number): unknown => JSON.parse(nested(n)) }
  expectLinear(name, families, (value) => schema.safeParse(filled(shape, value)))
})

test('lists that are each short enough are told when they are too many together', () => {
  const treatment = {
    produtos_aplicados: Array.from({ length: 50 }, () => ({})),
    analises_adicionais: Array.from({ length: 100 }, () => ({})),
  }
  const { error } = ExperimentInput.safeParse({
    ...experimentInput(),
    tratamentos: Array.from({ length: 500 }, () => treatment),
  })
  expect(error && fieldProblems(error)).toEqual([
    { path: 'tratamentos', message: 'Use no máximo 2.000 produtos aplicados no experimento' },
  ])
  expect(error?.issues).toHaveLength(2)
})

const BODIES: [string, string, number][] = [
  ['a million treatments', `{"tratamentos":${many('{}')}}`, 413],
  ['two million zeros', `{"tratamentos":${many('0')}}`, 413],
  ['many lists', `{"a":${many('[]')}}`, 413],
  ['lists in lists', `{"tratamentos":${nested(BODY / 2 - 20)}}`, 400],
  ['lists without an end', `{"a":${'['.repeat(BODY - 10)}`, 400],
  ['objects in objects', `${'{"a":'.repeat(600_000)}1${'}'.repeat(600_000)}`, 400],
  ['marks within a text', `{"consultoria":"${'[{,\\"'.repeat(600_000)}"}`, 422],
]

// A server of their own, begun here: a connection made before the long silence above is closed by then.
describe('through HTTP', () => {
  let server: TestServer
  let user: Person
  beforeAll(async () => {
    server = await startTestServer({ env: { LOG_LEVEL: 'silent' } })
    user = await server.person()
  })
  afterAll(() => server.stop())

  test.each(BODIES)('a body of %s is refused before anything is made of it', async (_what, body, status) => {
    const answer = await server.call('POST', '/api/experiments', { token: user.token, body })
    expect(answer.status).toBe(status)
    const inForm = await server.call('POST', '/api/experiments', {
      token: user.token,
      body: form({ dados: body, pdf: pdf() }),
    })
    expect(inForm.status).toBe(status)
  })

  test('what somebody says of themselves in lists of lists is refused in the words of auth/v1', async () => {
    const body = `{"data":{"a":${nested(10_000)}}}`
    const { status, body: answer } = await server.call('PUT', '/auth/v1/user', { token: user.token, body })
    expect(status).toBe(400)
    expect(answer.error_code).toBe('bad_json')
  })

  test('of very many failing fields the first hundred are told', async () => {
    const tratamentos = Array.from({ length: 500 }, () => ({ nome: '', produtos_aplicados: [{}, {}, {}] }))
    const body = { ...experimentInput(), tratamentos }
    const answer = await server.call('POST', '/api/experiments', { token: user.token, body })
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveLength(100)
    expect(answer.body.fields[0]).toEqual({ path: 'tratamentos.0.nome', message: 'Nome é obrigatório' })
  })
})
