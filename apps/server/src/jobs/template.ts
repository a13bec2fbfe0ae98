import { COLUMN_ROLES, FIELD_KEYS } from '@ensaio/domain'
import { z } from 'zod'

const phrase = z.string().max(200)

/**
 * What was learnt of a layout, as the reading process gives it (Template of the engine): bounded, for what a document
 * has made of that process is not known.
 */
export const Template = z.object({
  tables: z
    .array(
      z.object({
        columns: z.array(z.object({ heading: phrase, role: z.enum(COLUMN_ROLES) })).max(40),
        heads: z.int().min(0).max(200),
        turned: z.boolean(),
        out: z.array(phrase).max(20),
        key: z.int().min(-1).max(40),
        shapes: z.array(z.string().max(40)).max(20),
        sections: z.boolean(),
        joined: z.int().min(0).max(30),
      }),
    )
    .max(30),
  fields: z
    .array(
      z.object({
        field: z.enum(FIELD_KEYS),
        how: z.enum(['behind', 'beside', 'below', 'place']),
        phrase,
        end: z.string().max(4),
        place: z.object({ page: z.number(), x: z.number(), y: z.number() }).optional(),
      }),
    )
    .max(40),
})
export type Template = z.output<typeof Template>

export interface LearntLayout {
  id: string
  template: Template
}
