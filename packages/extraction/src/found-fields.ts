import type { FieldEvidence, FoundField } from './result.ts'

/** A result, of this engine or after somebody else has looked at it. */
interface Reading {
  data: unknown
  metadata: { fields: Readonly<Record<string, Pick<FieldEvidence, 'confidence' | 'page' | 'bbox'>>> }
}

/** What differs between two readings of a document, path by path; what is no longer found has the value null. */
export function changedFields(before: Reading | null, after: Reading): FoundField[] {
  const known = before ? flat(before) : new Map<string, FoundField>()
  const now = flat(after)
  const changed = [...now.values()].filter((field) => {
    const old = known.get(field.path)
    return (
      old?.value !== field.value ||
      old.confidence !== field.confidence ||
      old.page !== field.page ||
      old.bbox.some((edge, i) => edge !== field.bbox[i])
    )
  })
  const gone = [...known.values()].filter(({ path }) => !now.has(path))
  return [...changed, ...gone.map((field) => ({ ...field, value: null, confidence: 0 }))]
}

function flat(result: Reading): Map<string, FoundField> {
  const found = new Map<string, FoundField>()
  for (const [path, { confidence, page, bbox }] of Object.entries(result.metadata.fields)) {
    const value = valueAt(result.data, path)
    if (value !== null) found.set(path, { path, value, confidence, page, bbox })
  }
  return found
}

function valueAt(data: unknown, path: string): string | number | null {
  let place = data
  for (const key of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (place === null || typeof place !== 'object') return null
    place = Reflect.get(place, key)
  }
  return typeof place === 'string' || typeof place === 'number' ? place : null
}
