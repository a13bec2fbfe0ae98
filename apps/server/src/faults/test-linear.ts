import { contract, type Endpoint } from '@ensaio/domain'
import { expect } from 'vitest'
import { z } from 'zod'
import { Asked } from '../features/accounts/auth-v1/auth-v1.bodies.ts'

const SHORT = 12_500
const LONG = 100_000
const LONGEST = 1_000_000
/** Three times linear is the memory's doing; quadratic would be eight times it. */
const WORST_GROWTH = (LONG / SHORT) * 3
/** Below this a ratio says nothing; what is quadratic takes seconds. */
const NOTICEABLE_MS = 50
const BUDGET_MS = 500

/** This thread's own processor time, whatever else the machine does. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The quickest of some. */
function msOf(work: () => unknown, rounds = 3): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    const start = ownMs()
    try {
      work()
    } catch {
      // Refused, as it should be: here only the time counts.
    }
    best = Math.min(best, ownMs() - start)
    if (best < NOTICEABLE_MS) break
  }
  return best
}

/** Fails when a value of some family, of about so many letters or members, takes longer than its length explains. */
export function expectLinear<T>(
  what: string,
  families: Record<string, (n: number) => T>,
  work: (value: T) => unknown,
): void {
  for (const [family, make] of Object.entries(families)) {
    const [short, long, longest] = [make(SHORT), make(LONG), make(LONGEST)]
    const time = msOf(() => work(long))
    if (time > NOTICEABLE_MS) {
      const growth = time / msOf(() => work(short))
      expect(growth, `${what}: ${family}, growth`).toBeLessThan(WORST_GROWTH)
    }
    expect(time, `${what}: ${family}`).toBeLessThan(BUDGET_MS)
    expect(
      msOf(() => work(longest)),
      `${what}: ${family}, a million`,
    ).toBeLessThan(BUDGET_MS)
  }
}

export interface Json {
  type?: string
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
}

export const shapeOf = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

/** What the schema asks for, with the value wherever a single value stands. */
export function filled(schema: Json, value: unknown): unknown {
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, filled(member, value)]),
    )
  if (schema.items) return [filled(schema.items, value)]
  const choice = schema.anyOf?.find(({ type }) => type !== 'null')
  return choice ? filled(choice, value) : value
}

/** Everything that the contract and auth/v1 take. */
export const INPUTS: [string, z.ZodType][] = [
  ...Object.entries<Endpoint>(contract).flatMap(([name, { params, query, body }]) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]): [string, z.ZodType][] =>
      schema ? [[`${part} of ${name}`, schema]] : [],
    ),
  ),
  ...Object.entries(Asked).map(([name, schema]): [string, z.ZodType] => [`${name} of auth/v1`, schema]),
]
