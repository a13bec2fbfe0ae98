import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEMO_INPUTS } from '@ensaio/domain/demo'
import type { Person } from './fixtures.ts'

export const REPORT = fileURLToPath(new URL('./reports/ficha.pdf', import.meta.url))
/** Two reports of one maker; the reader does not know its tables. */
export const MISREAD = fileURLToPath(new URL('./reports/caderno-1.pdf', import.meta.url))
export const NEXT_OF_LAYOUT = fileURLToPath(new URL('./reports/caderno-2.pdf', import.meta.url))

export const SCAN = fileURLToPath(new URL('./reports/digitalizado.pdf', import.meta.url))

/** Three pages of about two seconds each. */
export const LONG_SCAN = fileURLToPath(new URL('./reports/tres-paginas.pdf', import.meta.url))

/** Stores the demo set as real experiments, through the API, with the sample report where a file belongs. */
export async function seed(url: string, person: Person): Promise<void> {
  const pdf = readFileSync(REPORT)
  for (const { pdf_filename, ...input } of DEMO_INPUTS) {
    const form = new FormData()
    form.append('dados', JSON.stringify(input))
    if (pdf_filename) form.append('pdf', new Blob([pdf], { type: 'application/pdf' }), pdf_filename)
    const response = await fetch(`${url}/api/experiments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        ...(pdf_filename ? {} : { 'content-type': 'application/json' }),
      },
      body: pdf_filename ? form : JSON.stringify(input),
    })
    if (response.status !== 201)
      throw new Error(`creating answered ${response.status}: ${await response.text()}`)
  }
}

/** An experiment as the API takes it. */
export const EXPERIMENT = {
  consultoria: 'Raiz Forte Pesquisa',
  marca: 'Dimicron',
  bu: 'BU2',
  regional: 'Sul',
  cidade: 'Ijuí',
  estado: 'RS',
  cultura: 'Trigo',
  cultivar: 'TBIO Trunfo',
  ano: 2024,
  tratamentos: [
    { nome: 'Testemunha', modalidade: 'Controle', produtividade: 3144, custo: 0 },
    { nome: 'Dimi Fosfito', modalidade: 'Foliar', produtividade: 3438, custo: 44.1 },
  ],
  tipo_estatistica: 'DBC',
  custo_protocolo: 44.1,
}

/** Stores it, or one that differs from it in a part. */
export async function create(
  url: string,
  person: Person,
  part: Record<string, unknown> = {},
): Promise<{ id: string; versao: number }> {
  const response = await fetch(`${url}/api/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ ...EXPERIMENT, ...part }),
  })
  if (response.status !== 201)
    throw new Error(`creating answered ${response.status}: ${await response.text()}`)
  const { experimento } = (await response.json()) as { experimento: { id: string; versao: number } }
  return experimento
}
