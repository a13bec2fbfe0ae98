import { z } from 'zod'
import { LABEL_SHEET_KEYS } from './field-labels.ts'
import { MOST_SENT } from './field-words.ts'
import { batch, list, shortText } from './text.ts'
import { finite, free, shown } from './trial-fields.ts'
import { LONGEST_WORDS } from './trial-ranges.ts'
import { MOST_SAMPLES } from './trial-sheet.ts'
import { VARIABLE_TYPES } from './trial-variable.ts'

/** What is recorded in the field: an entry, one without a value and why, a deletion, a note, a photo, a decision. */
export const CHANGE_KINDS = ['valor', 'sem_valor', 'exclusao', 'nota', 'foto', 'decisao'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What became of a change: kept without a place where the cell is gone, refused where it is no change at all. */
export const CHANGE_STATES = ['aplicado', 'igual', 'conflito', 'guardado', 'recusado'] as const
export type ChangeState = (typeof CHANGE_STATES)[number]

/** Where a value was entered: on a phone, at the desk, by another application. */
export const CHANGE_ORIGINS = ['campo', 'mesa', 'brapi'] as const
export type ChangeOrigin = (typeof CHANGE_ORIGINS)[number]

const NEWEST_FORM = 1
/** What a newer application may have put into a change, as text. */
const LONGEST_NEWER = 20_000
const MOST_SEQ = 2_147_483_647
const WRONG_NUMBER = 'Informe um número inteiro'

const id = z.uuid({ error: 'Identificador inválido' })
const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value): z.output<T> | null => value ?? null)
const whole = (least: number, most: number) =>
  z.number({ error: WRONG_NUMBER }).int(WRONG_NUMBER).min(least, WRONG_NUMBER).max(most, WRONG_NUMBER)

/** A value as it was entered: a number, the numbers of its samples, a text, a day; null for none. */
export const CellValue = z.union(
  [
    finite,
    free(LONGEST_WORDS),
    list(finite, { most: MOST_SAMPLES, message: 'Há amostras demais' }).min(1),
    z.null(),
  ],
  { error: 'Informe um número, um texto ou as amostras' },
)
export type CellValue = z.output<typeof CellValue>

const Position = z.object({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  precisao_m: orNull(z.number().min(0).max(1e7)),
  quando: orNull(z.iso.datetime({ offset: true })),
})

/** What tells a change apart, whatever version of the application made it. */
const ChangeHead = z.object({
  v: whole(1, 1000),
  /** Made on the phone. */
  id,
  aparelho: id,
  /** Of the device, never used again. */
  seq: whole(1, MOST_SEQ),
  experimento: id,
})

/** One entry of the field, immutable. Its author is never in it: the session says who. */
export const FieldChange = ChangeHead.extend({
  v: z.literal(NEWEST_FORM),
  /** Who collected, where that is somebody else than the account. */
  nome: orNull(free(120)),
  /** Version of the sheet that the phone had. */
  pacote: whole(0, MOST_SEQ),
  tipo: z.enum(CHANGE_KINDS),
  parcela: orNull(id),
  variavel: orNull(id),
  avaliacao: orNull(id),
  /** Which of a plot's samples, from 1. */
  amostra: orNull(whole(1, MOST_SAMPLES)),
  valor: orNull(CellValue),
  motivo: orNull(free(200)),
  /** Id of the change that the person saw in the cell. */
  base: orNull(id),
  /** Conflicts that a decision decides; without them, all that are open. */
  decide: orNull(list(id, { most: 50, message: 'Há conflitos demais' })),
  /** The phone's clock, with its zone. */
  quando: z.iso.datetime({ offset: true }),
  desvio_ms: orNull(whole(-1e12, 1e12)),
  posicao: orNull(Position),
  /** It is outside what was expected, and was confirmed. */
  confirmado: z.boolean().default(false),
  arquivo: orNull(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), tamanho: whole(1, 1e8) })),
  /** What the person saw, so that a change can be read without the server. */
  rotulos: z
    .object({ parcela: orNull(free(60)), variavel: orNull(free(120)), avaliacao: orNull(free(120)) })
    .default({ parcela: null, variavel: null, avaliacao: null }),
})
export type FieldChange = z.output<typeof FieldChange>

/** What a body holds as a change: one to merge, one that a newer application made, or none at all. */
export type ReadChange =
  | { kind: 'change'; change: FieldChange }
  | { kind: 'newer'; head: z.output<typeof ChangeHead>; raw: unknown }
  | { kind: 'none'; id: string | null; reason: string }

export function readChange(given: unknown): ReadChange {
  const parsed = FieldChange.safeParse(given)
  if (parsed.success) {
    const lack = lacking(parsed.data)
    return lack ? { kind: 'none', id: parsed.data.id, reason: lack } : { kind: 'change', change: parsed.data }
  }
  const head = ChangeHead.safeParse(given)
  if (head.success && head.data.v > NEWEST_FORM && JSON.stringify(given).length <= LONGEST_NEWER)
    return { kind: 'newer', head: head.data, raw: given }
  const path = parsed.error.issues[0]?.path.join('.') ?? ''
  return {
    kind: 'none',
    id: head.success ? head.data.id : null,
    reason: `O registro não foi entendido: ${path}`,
  }
}

/** What a change of its kind has to say. */
function lacking({ tipo, parcela, variavel, valor, base, arquivo }: FieldChange): string | null {
  // One without a picture takes the one that it is based on back.
  if (tipo === 'foto' && arquivo === null && base === null) return 'O registro não foi entendido: arquivo'
  if (parcela === null) return 'O registro não foi entendido: parcela'
  if (tipo === 'nota' || tipo === 'foto') return null
  if (variavel === null) return 'O registro não foi entendido: variavel'
  if (tipo === 'valor' && valor === null) return 'O registro não foi entendido: valor'
  return (tipo === 'sem_valor' || tipo === 'exclusao') && valor !== null
    ? 'O registro não foi entendido: valor'
    : null
}

export const FieldChangesBody = z.object({
  aparelho: id,
  /** Each is looked at by itself: one that is wrong never holds the others. Too many of them are told as too large. */
  registros: batch({ most: MOST_SENT, message: `Use no máximo ${MOST_SENT} registros por vez` }),
  /** What still waits on the phone. */
  pendentes: whole(0, 1e6).optional(),
})

export const ChangeResult = z.object({
  id: z.string().nullable(),
  estado: z.enum(CHANGE_STATES),
  /** Of what stands in the cell now: its change, value, author and time. */
  revisao: z.string().nullable(),
  valor: CellValue,
  quem: z.string().nullable(),
  quando: z.string().nullable(),
  motivo: z.string().nullable(),
})
export type ChangeResult = z.output<typeof ChangeResult>

export const FieldChangesAnswer = z.object({
  resultados: z.array(ChangeResult),
  hora_servidor: z.string(),
  /** The id that this browser goes on under: another profile sends as this one. */
  aparelho_novo: z.string().optional(),
  /** Of the trial, where all changes are one trial's. */
  cursor: z.string().nullable(),
})

/** A change as the server keeps it. */
export const KeptChange = z.object({
  id: z.string(),
  origem: z.enum(CHANGE_ORIGINS),
  aparelho: z.string().nullable(),
  seq: z.number().nullable(),
  nome: z.string().nullable(),
  tipo: z.enum(CHANGE_KINDS),
  parcela: z.string().nullable(),
  variavel: z.string().nullable(),
  avaliacao: z.string().nullable(),
  amostra: z.number().nullable(),
  valor: CellValue,
  motivo: z.string().nullable(),
  base: z.string().nullable(),
  quando: z.string(),
  /** Where its phone's clock was off, as far as the phone had measured: when it was, by the server's. */
  hora_certa: z.string().optional(),
  confirmado: z.boolean(),
  /** Beyond the limits that its variable has by now. */
  fora: z.boolean().optional(),
  quem: z.string().nullable(),
  recebido_em: z.string(),
  estado: z.enum(CHANGE_STATES),
  revisao: z.string().nullable(),
  /** A conflict that was decided, or one without a place that was dealt with. */
  encerrado: z.boolean(),
})
export type KeptChange = z.output<typeof KeptChange>

/** An entry without a place: why it has none, and what its maker saw, so that it can be read by itself. */
export const ParkedChange = KeptChange.extend({
  razao: z.string().nullable(),
  rotulos: z.object({
    parcela: z.string().nullable(),
    variavel: z.string().nullable(),
    avaliacao: z.string().nullable(),
  }),
})
export type ParkedChange = z.output<typeof ParkedChange>

/** A value that waits for a decision, beside the one that stands in its cell. */
export const OpenConflict = ParkedChange.omit({ razao: true }).extend({
  formato: z.object({ tipo: z.enum(VARIABLE_TYPES), casas: z.number().nullable() }),
  atual: z.object({
    id: z.string().nullable(),
    valor: CellValue,
    motivo: z.string().nullable(),
    quem: z.string().nullable(),
    quando: z.string().nullable(),
    hora_certa: z.string().optional(),
  }),
})
export type OpenConflict = z.output<typeof OpenConflict>

export const KeptChanges = z.object({
  registros: z.array(KeptChange),
  cursor: z.string(),
  /** There are more behind the cursor. */
  mais: z.boolean(),
  /** Of the sheet; it goes up with every value, too. */
  versao: z.number(),
  /** Of its plots, variables and dates: another than the package's means that it has to be taken anew. */
  estrutura: z.string().optional(),
})

const PackagePlot = z.object({
  id: z.string(),
  numero: z.number(),
  codigo: z.string(),
  bloco: z.number().nullable(),
  linha: z.number().nullable(),
  coluna: z.number().nullable(),
  tratamento: z.string(),
  /** Null where the trial is assessed blind. */
  nome: z.string().nullable(),
})
const PackageColumn = z.object({
  variavel: z.string(),
  avaliacao: z.string().nullable(),
  /** Aligned with the plots: what stands, and the id of the change that put it there. */
  valores: z.array(CellValue),
  registros: z.array(z.string().nullable()),
})

/** Who is to collect a block: a hint, and no lock. */
export const AssignedBlock = z.object({
  bloco: whole(1, 9_999),
  quem: shown(80, 'Informe quem coleta'),
})
export type AssignedBlock = z.output<typeof AssignedBlock>

/** One trial as it is taken to the field. Never costs, return, report or another trial. */
export const FieldPackage = z.object({
  id: z.string(),
  versao: z.number(),
  estrutura: z.string().optional(),
  nome: z.string(),
  cultura: z.string(),
  cidade: z.string(),
  estado: z.string(),
  delineamento: z.string(),
  cursor: z.string(),
  parcelas: z.array(PackagePlot),
  variaveis: z.array(z.record(z.string(), z.unknown())),
  avaliacoes: z.array(z.record(z.string(), z.unknown())),
  exclusoes: z.array(
    z.object({
      parcela: z.number(),
      variavel: z.string().nullable(),
      avaliacao: z.string().nullable(),
      motivo: z.string(),
    }),
  ),
  valores: z.array(PackageColumn),
  /** Who entered what stands, by the id of the change. */
  autores: z.record(
    z.string(),
    z.object({
      quem: z.string().nullable(),
      quando: z.string(),
      hora_certa: z.string().optional(),
      aparelho: z.string().nullable(),
      seq: z.number().nullable(),
      motivo: z.string().nullable(),
      /** Marks, where it has them. */
      confirmado: z.boolean().optional(),
      fora: z.boolean().optional(),
      /** What stood there before. */
      antes: z.object({ tipo: z.string(), valor: CellValue, motivo: z.string().nullable() }).optional(),
    }),
  ),
  conflitos: z.array(KeptChange),
  /** Where north is on the layout: degrees clockwise from above. */
  norte: z.number().optional(),
  /** Who is to collect which block: a hint. */
  blocos: z.array(AssignedBlock).optional(),
  /** Whoever takes it may decide conflicts between others; without it a server of before answers. */
  decide: z.boolean().optional(),
  /** Names of the trial's field team. */
  equipe: z.array(z.string()).optional(),
})
export type FieldPackage = z.output<typeof FieldPackage>

/** What a package is before it is taken: bytes as they travel, and counts. */
export const FieldPackageSize = z.object({
  bytes: z.number(),
  parcelas: z.number(),
  variaveis: z.number(),
  avaliacoes: z.number(),
  /** Values that stand already. */
  valores: z.number(),
})
export type FieldPackageSize = z.output<typeof FieldPackageSize>

const yes = z.enum(['0', '1'], { error: 'Informe 0 ou 1' })
export const LabelsQuery = z.object({
  papel: z.enum(LABEL_SHEET_KEYS, { error: 'Escolha um papel da lista' }).default('3x8'),
  /** The first label of the sheet that is not used yet. */
  inicio: z.coerce
    .number({ error: WRONG_NUMBER })
    .int(WRONG_NUMBER)
    .min(1, WRONG_NUMBER)
    .max(100, WRONG_NUMBER)
    .default(1),
  marcas: yes.default('0'),
  tratamento: yes.default('1'),
})
export type LabelsQuery = z.output<typeof LabelsQuery>

export const AfterQuery = z.object({
  after: shortText(40)
    .regex(/^\d{0,18}$/, 'Cursor inválido')
    .optional(),
})

/** What becomes of an entry without a place: a cell, as the person saw it, or nothing; and which value of two stays. */
export const SettleBody = z.discriminatedUnion(
  'acao',
  [
    z.object({ acao: z.literal('descartar') }),
    z.object({
      acao: z.literal('colocar'),
      parcela: id,
      variavel: orNull(id),
      avaliacao: orNull(id),
      /** Id of the entry that stands there. */
      base: orNull(id),
    }),
    z.object({
      acao: z.literal('decidir'),
      ficar: z.enum(['atual', 'registro'], { error: 'Escolha qual valor fica' }),
      /** Id of the entry that stood there as the person saw it. */
      base: orNull(id),
    }),
  ],
  { error: 'Escolha colocar, decidir ou descartar' },
)
export type SettleBody = z.output<typeof SettleBody>
