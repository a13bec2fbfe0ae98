// Reports with their right answers, wherever they come from.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DOSE_UNITS, type DoseUnit } from '@ensaio/domain'
import type { Truth } from '../../packages/extraction/generator/score.ts'

export interface Report {
  name: string
  /** Who set it: a layout of the generator, a hand, a voice. */
  family: string
  source: string
  scanned: boolean
  file: string
  truth: Truth
}

/**
 * All reports below a folder: of the generator (FAMILY/N.pdf beside N.json), written by hand (NAME.pdf beside NAME.json),
 * or with `gold` and `pdf` apart.
 */
export function reportsBelow(folder: string): Report[] {
  const source = basename(folder)
  if (existsSync(join(folder, 'gold')))
    return jsons(join(folder, 'gold')).map((path) => {
      const gold: Gold = JSON.parse(readFileSync(path, 'utf8'))
      return fromGold(gold, join(folder, gold.file), source)
    })
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const own = jsons(folder).flatMap((path): Report[] => {
    const file = path.replace(/json$/, 'pdf')
    if (!existsSync(file)) return []
    const answer: Truth | Gold = JSON.parse(readFileSync(path, 'utf8'))
    if ('gold' in answer) return [fromGold(answer, file, source)]
    const name = basename(path, '.json')
    const family = /^\d+$/.test(name) ? source : name
    return [{ name, family, source, scanned: /^(?:scan|badLayer)$/.test(family), file, truth: answer }]
  })
  return [
    ...own,
    ...folders.flatMap(({ name }) =>
      reportsBelow(join(folder, name)).map((report) => ({ ...report, source })),
    ),
  ]
}

const jsons = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => join(folder, file))

/** An answer as others write it down. */
interface Gold {
  id: string
  file: string
  family: string
  scanned: boolean
  refuse?: boolean
  alt?: Record<string, unknown[]>
  gold: Omit<Truth, 'tratamentos'> & {
    tratamentos: {
      codigo: string
      nome: string
      rotulo?: string | null
      modalidade: string | null
      produtividade: number | null
      custo: number | null
      produtos_aplicados: {
        nome: string
        dose: number | null
        dose_unidade: string | null
        custo: number | null
      }[]
      analises_adicionais: {
        nome: string
        valor: number
        unidade: string | null
        unidade_alt?: string[]
        nome_alt?: string[]
      }[]
    }[]
  }
}

function fromGold(gold: Gold, file: string, source: string): Report {
  const { tratamentos, ...fields } = gold.gold
  // What nobody prints: the product works it out.
  Reflect.deleteProperty(fields, 'produtividade_media')
  return {
    name: gold.id,
    family: gold.family.replace(/\+.*$/, ''),
    source,
    scanned: gold.scanned,
    file,
    truth: {
      ...fields,
      ...(gold.alt && { alt: gold.alt }),
      ...(gold.refuse && { refuse: true }),
      tratamentos: tratamentos.map((treatment) => ({
        nome: treatment.nome,
        names: [treatment.rotulo, treatment.codigo, `${treatment.codigo} ${treatment.nome}`].filter(
          (name) => name != null,
        ),
        modalidade: treatment.modalidade,
        produtividade: treatment.produtividade,
        custo: treatment.custo,
        produtos_aplicados: treatment.produtos_aplicados.map((product) => ({
          nome: product.nome,
          ...doseOf(product.dose, product.dose_unidade),
          custo: product.custo,
        })),
        analises_adicionais: treatment.analises_adicionais.map(({ unidade_alt, nome_alt, ...analysis }) => ({
          ...analysis,
          ...(unidade_alt && { units: unidade_alt }),
          ...(nome_alt && { names: nome_alt }),
        })),
      })),
    },
  }
}

/** As the product keeps it: tonnes are kilograms, a dose for one kilogram of seeds is a hundredth of one for 100 kg, one for a bag its share. */
function doseOf(dose: number | null, unit: string | null): { dose: number | null; unidade: DoseUnit | null } {
  const [, amount, kilos] = /^(mL|g)\s*\/\s*(?:(20|25|40|50|60)\s*)?kg\b/.exec(unit ?? '') ?? []
  if (dose !== null && /^t\s*\/\s*ha$/.test(unit ?? '')) return { dose: 1000 * dose, unidade: 'kg/ha' }
  if (dose !== null && amount)
    return { dose: (100 * dose) / Number(kilos ?? 1), unidade: unitOf(`${amount}/100 kg sementes`) }
  return { dose, unidade: unitOf(unit) }
}

/** One of the product's units, or null where the answer's is none of them. */
function unitOf(text: string | null): DoseUnit | null {
  const key = (unit: string): string =>
    unit
      .toLowerCase()
      .replace(/\s|de /g, '')
      .replace(/(100kg).*$/, '$1')
  return DOSE_UNITS.find((unit) => text !== null && key(unit) === key(text)) ?? null
}
