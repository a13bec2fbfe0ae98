import type { DoseUnit } from '@ensaio/domain'
import type { Document } from '../document.ts'
import { fold } from '../values/text.ts'
import { doseUnit } from '../values/units.ts'
import type { Draft } from './draft.ts'

/** '(1) L ha-1, exceto Stimulus TS, em mL por 100 kg de sementes.' */
const NOTE =
  /^(?:[(*]?\d?[)*]?\s*)(?:doses?\s+)?(?:em\s+)?([^,.;:()]{1,30}?)(?:[,;]?\s+(?:exceto|salvo|menos)\s+(.{2,60}?)(?:,\s*|\s+)em\s+([^,.;()]{1,40}))?\.?$/i
/** A note is short. */
const LONGEST = 160

interface Noted {
  unit: DoseUnit
  except: { name: string; unit: DoseUnit } | null
}

const PER = String.raw`(?:m?L|k?g)\s?(?:\/\s?ha|ha\s?[-−⁻]\s?[1¹])`
/** 'Dose de produto comercial em L/ha (formulações EC e SC) ou kg/ha (WG)' */
const BY_KIND = new RegExp(
  String.raw`\b[Dd]oses?\b[^.;]{0,40}?\bem (${PER})\s?\((?:formula\p{L}{3,6} )?[A-Z]{2}[A-Z ,e]{0,20}\) ou (${PER})\s?\((?:formula\p{L}{3,6} )?([A-Z]{2}[A-Z ,e]{0,20})\)`,
  'u',
)

/** Units that a note or caption tells by the formulation that stands behind a product's name. */
function fillByKind({ pages }: Document, drafts: readonly Draft[]): boolean {
  const texts = pages.flatMap(({ lines, furniture, tables }) => [
    ...[...lines, ...furniture].map(({ segments }) => segments.map(({ text }) => text).join(' ')),
    ...tables.map(({ title }) => title),
  ])
  for (const text of texts) {
    const [, usual = '', other = '', kinds = ''] = BY_KIND.exec(text) ?? []
    const [unit, rest] = [doseUnit(usual), doseUnit(other)]
    if (unit === null || rest === null) continue
    const those = [...kinds.matchAll(/[A-Z]{2}/g)].map(([kind]) => kind)
    for (const product of drafts.flatMap(({ produtos }) => produtos)) {
      if (product.dose === null || (product.unidade !== null && product.unidade !== unit)) continue
      const kind = /(?<=\s)[A-Z]{2}$/.exec(product.nome.value)?.[0] ?? ''
      product.unidade = those.includes(kind) ? rest : unit
    }
    return true
  }
  return false
}

/** Doses without a unit, whose unit a note below their table tells, but for one product maybe. */
export function fillNotedUnits(document: Document, drafts: readonly Draft[]): void {
  if (fillByKind(document, drafts)) return
  const open = drafts
    .flatMap(({ produtos }) => produtos)
    .filter(({ dose, unidade }) => dose !== null && unidade === null)
  if (open.length === 0) return
  // Small print is set aside as running heads are.
  const [note, other] = document.pages.flatMap(({ lines, furniture }) =>
    [...lines, ...furniture].flatMap(
      ({ segments }) => readNote(segments.map(({ text }) => text).join(' ')) ?? [],
    ),
  )
  if (!note || other) return
  for (const product of open) {
    const excepted = note.except && fold(product.nome.value).includes(note.except.name)
    product.unidade = excepted ? (note.except?.unit ?? null) : note.unit
  }
}

function readNote(text: string): Noted | null {
  // 'kg ha-1' alone heads a column.
  if (text.length > LONGEST || !/^(?:[(*¹²³]|\d\s?\)|(?:as )?doses?\b)|,\s|\.$/i.test(text.trim()))
    return null
  const [, said = '', name, otherwise = ''] = NOTE.exec(text.trim()) ?? []
  const unit = isWhole(said)
  if (unit === null) return null
  if (name === undefined) return { unit, except: null }
  const other = isWhole(otherwise)
  return other && { unit, except: { name: fold(name).replace(/^(?:para )?(?:[oa] )?/, ''), unit: other } }
}

/** The unit that a text is, and nothing besides. */
function isWhole(text: string): DoseUnit | null {
  return /^(?:m?[lg]|kg|litros?|quilos?|%)/i.test(text.trim()) ? doseUnit(text.trim()) : null
}
