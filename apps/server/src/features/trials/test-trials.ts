import { expect } from 'vitest'
import { type Answer, experimentInput, type Person, type TestServer } from '../../test-server.ts'

const [, TREATMENT] = experimentInput().tratamentos
/** Treatments of a trial by their typed yields, the control first. */
export const treatments = (...yields: number[]) =>
  yields.map((produtividade, at) => ({
    ...TREATMENT,
    nome: at === 0 ? 'Testemunha' : `Produto ${at + 1}`,
    produtividade,
  }))

type Cell = number | null | number[]
const YIELD = {
  chave: 'produtividade',
  nome: 'Produtividade',
  unidade: 'kg/ha',
  tipo: 'continua',
  maior_melhor: true,
  produtividade: true,
}

/** Yields of three treatments in four blocks: block by block, T1 first. */
export const YIELDS: Cell[] = [3010, 3320, 3540, 2890, 3260, 3400, 3105, 3410, 3610, 2995, 3310, 3455]
export const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length
/** Of one treatment's plots. */
export const meanOf = (treatment: number, values: readonly Cell[] = YIELDS) =>
  mean(values.filter((value, at): value is number => at % 3 === treatment - 1 && typeof value === 'number'))

/** A sheet of three treatments in four blocks, plots 101 to 403. */
export const sheet = (change: Record<string, unknown> = {}) => ({
  versao: 0,
  delineamento: 'DBC',
  testemunha: 1,
  tratamentos: [{ numero: 1 }, { numero: 2 }, { numero: 3 }],
  variaveis: [YIELD],
  parcelas: YIELDS.map((_, at) => ({
    numero: (Math.floor(at / 3) + 1) * 100 + (at % 3) + 1,
    tratamento: (at % 3) + 1,
    bloco: Math.floor(at / 3) + 1,
  })),
  valores: [{ variavel: 'produtividade', avaliacao: null, valores: YIELDS }],
  ...change,
})
export const yields = (valores: readonly Cell[]) => [{ variavel: 'produtividade', avaliacao: null, valores }]
export const variable = (chave: string, change: Record<string, unknown> = {}) => ({
  ...{ chave, nome: chave, unidade: '', tipo: 'continua' },
  ...change,
})

/** What one person asks of trials. */
export function asking(server: TestServer, { token }: Person) {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.call(method, path, { token, headers, ...(body !== undefined && { body }) })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const done = async (answer: Promise<Answer>): Promise<any> => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body).slice(0, 500)).toBeLessThan(300)
    return body
  }
  const plots = (id: string) => `/api/experiments/${id}/plots`
  return {
    call,
    done,
    /** @returns the id of a trial of three treatments, or as it is told */
    trial: async (change: Record<string, unknown> = {}): Promise<string> => {
      const input = { ...experimentInput(), tratamentos: treatments(3000, 3300, 3500), ...change }
      return (await done(call('POST', '/api/experiments', input))).experimento.id
    },
    experiment: async (id: string) => (await done(call('GET', `/api/experiments/${id}`))).experimento,
    put: (id: string, body: unknown = sheet()) => call('PUT', plots(id), body),
    ficha: async (id: string) => (await done(call('GET', plots(id)))).ficha,
    patch: (id: string, celulas: unknown, versao = 1) =>
      call('POST', `${plots(id)}/cells`, { versao, celulas }),
    analysis: (id: string, query = '', headers = {}) =>
      call('GET', `/api/experiments/${id}/analysis${query}`, undefined, headers),
    record: (id: string, body: unknown = {}, headers = {}) =>
      call('POST', `/api/experiments/${id}/analyses`, body, headers),
    /** A trial with its sheet. */
    async planted(change: Record<string, unknown> = {}, of: Record<string, unknown> = {}): Promise<string> {
      const id = await this.trial(of)
      await done(this.put(id, sheet(change)))
      return id
    },
  }
}
export type Asking = ReturnType<typeof asking>

/** Sentences of a refusal by their path. */
export const fieldsOf = ({ body }: Answer): Record<string, string> =>
  Object.fromEntries(
    (body.fields ?? []).map(({ path, message }: { path: string; message: string }) => [path, message]),
  )
export const refusal = ({ status, body }: Answer) => ({ status, code: body.code, detail: body.detail })
