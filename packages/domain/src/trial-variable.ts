import { z } from 'zod'
import { list } from './text.ts'
import { allowsSeveral } from './trial-categories.ts'
import { finite, free, keptId, shown, slug, whole } from './trial-fields.ts'

/** The last two are kept and exported, never analysed. */
export const VARIABLE_TYPES = ['continua', 'contagem', 'percentual', 'nota', 'data', 'texto'] as const
export type VariableType = (typeof VARIABLE_TYPES)[number]
/** It holds words or days, not numbers; several categories of one plot are words, too. */
export const holdsText = (variable: Parameters<typeof allowsSeveral>[0]): boolean =>
  variable.tipo === 'data' || variable.tipo === 'texto' || allowsSeveral(variable)

const limit = finite.nullable().optional()
const Category = z.object({
  valor: finite,
  rotulo: shown(60),
  figura: free(60).nullable().optional(),
})

/** How a variable follows from others, computed on the fly. */
const Formula = z.discriminatedUnion('tipo', [
  /** kg/ha at standard moisture: peso·10000/area·(100−umidade)/(100−u0); peso in kg a plot, area in m². */
  z.object({
    tipo: z.literal('rendimento'),
    peso: slug,
    umidade: slug.nullish().transform((key) => key ?? null),
    u0: z.number().min(0, 'Informe de 0 a 99').max(99, 'Informe de 0 a 99').default(13),
  }),
  z.object({ tipo: z.literal('percentual_testemunha'), de: slug }),
])
export type Formula = z.output<typeof Formula>

export const TrialVariable = z.object({
  chave: slug,
  nome: shown(80),
  unidade: free(40)
    .nullish()
    .transform((unit) => unit ?? ''),
  tipo: z.enum(VARIABLE_TYPES, { error: 'Escolha o tipo da variável' }),
  papel: z.enum(['resposta', 'covariavel']).default('resposta'),
  maior_melhor: z
    .boolean()
    .nullish()
    .transform((better) => better ?? null),
  produtividade: z
    .boolean()
    .nullish()
    .transform((yes) => yes === true),
  /** Of a 'nota'. */
  escala: z
    .tuple([finite, finite])
    .nullish()
    .transform((range) => range ?? null),
  formula: Formula.nullish().transform((formula) => formula ?? null),
  id: keptId,
  /** Hard limits: what is outside is refused. */
  minimo: limit,
  maximo: limit,
  /** What is outside is asked about once more, and marked. */
  esperado_min: limit,
  esperado_max: limit,
  casas: whole(0, 6, 'Informe de 0 a 6 casas').nullable().optional(),
  /** What the collector reads. */
  instrucao: free(500).nullable().optional(),
  /** Of a 'nota': what its values are called, and the figure beside each. */
  categorias: list(Category, { most: 50, message: 'Use no máximo 50 categorias' }).nullable().optional(),
  /** A plot may be of several of its categories: it holds words then ('1; 3'), and is not analysed. */
  varias: z.boolean().optional(),
  /** Samples that are taken in each plot; their mean is the plot's value. */
  amostras: whole(1, 20, 'Informe de 1 a 20 amostras').nullable().optional(),
  fotos: z.boolean().optional(),
})
export type TrialVariable = z.output<typeof TrialVariable>
