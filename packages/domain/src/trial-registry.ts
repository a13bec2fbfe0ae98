import { z } from 'zod'
import { list } from './text.ts'
import { free, whole } from './trial-fields.ts'

const day = z.iso
  .date({ error: 'Informe a data' })
  .nullish()
  .transform((given) => given ?? null)
const text = (longest: number) =>
  free(longest)
    .nullish()
    .transform((given) => given || null)
const measure = (least: number, most: number) =>
  z
    .number({ error: 'Informe um número' })
    .min(least, 'Valor fora do intervalo')
    .max(most, 'Valor fora do intervalo')
    .nullish()
    .transform((given) => given ?? null)

const Application = z.object({
  data: day,
  /** BBCH or as it is called in Brazil. */
  estadio: text(40),
  modo: text(80),
  /** L/ha */
  volume: measure(0, 10_000),
  equipamento: text(80),
})

/** What the lists of a registration ask and no other part of a trial holds; never required. */
export const TrialRegistry = z.object({
  /** m */
  altitude: measure(-100, 6000),
  semeadura: day,
  colheita: day,
  espacamento: text(80),
  densidade: text(80),
  parcela: text(80),
  aplicacoes: list(Application, { most: 30, message: 'Use no máximo 30 aplicações' }).default([]),
  alvo: text(120),
  nivel_antes: text(120),
  ret_numero: text(60),
  ret_data: day,
  instituicao: text(120),
  credenciamento: text(120),
  responsavel: text(120),
  /** CREA or CRQ */
  registro_profissional: text(60),
  /** By its number; a registered product of like function. */
  testemunha_positiva: whole(1, 500, 'Informe o número do tratamento')
    .nullish()
    .transform((given) => given ?? null),
})
export type TrialRegistry = z.output<typeof TrialRegistry>
