import type { Schema } from '../../api/api-document.ts'

const DEEPEST = 6

/** A value of the schema's form, to start from; what may be left out is there too. */
export function exampleOf(schema: Schema, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return exampleOf(choice, depth)
  if (depth > DEEPEST) return null
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, exampleOf(member, depth + 1)]),
      )
    case 'array':
      return schema.items ? [exampleOf(schema.items, depth + 1)] : []
    case 'number':
    case 'integer':
      return 0
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return schema.format === 'uuid' ? '00000000-0000-0000-0000-000000000000' : 'texto'
  }
}

const TYPES: Record<string, string> = {
  string: 'texto',
  number: 'número',
  integer: 'inteiro',
  boolean: 'sim ou não',
  object: 'objeto',
  array: 'lista',
  null: 'nulo',
}

/** The schema's kind in few words: 'lista de texto', "'asc' ou 'desc'". */
export function kindOf(schema: Schema): string {
  if (schema.const !== undefined) return `'${schema.const}'`
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' ou ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(kindOf))].join(' ou ')
  const names = [schema.type ?? 'string'].flat().map((type) => TYPES[type] ?? type)
  if (schema.type === 'array' && schema.items) return `lista de ${kindOf(schema.items)}`
  return names.join(' ou ')
}

export interface Member {
  /** From the outside in: 'tratamentos[].nome'. */
  name: string
  kind: string
  required: boolean
}

/** Every member of an object, at every depth, in the order of the schema. */
export function membersOf(schema: Schema, prefix = '', depth = 0): Member[] {
  if (depth > DEEPEST) return []
  const choice = (schema.anyOf ?? schema.oneOf)?.find(
    (each) => each.type === 'object' || each.type === 'array',
  )
  if (choice) return membersOf(choice, prefix, depth)
  if (schema.type === 'array' && schema.items) return membersOf(schema.items, `${prefix}[]`, depth + 1)
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const full = prefix ? `${prefix}.${name}` : name
    const required = schema.required?.includes(name) ?? false
    return [{ name: full, kind: kindOf(member), required }, ...membersOf(member, full, depth + 1)]
  })
}
