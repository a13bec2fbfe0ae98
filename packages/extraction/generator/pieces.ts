import type { Random } from './random.ts'
import type { TruthTreatment } from './score.ts'
import { CONTROLS, DESIGNS, HEADS, LABELS, MODES, UNITS } from './wording.ts'
import type { World } from './world.ts'

/** A number as printed in Brazil. */
export function br(value: number, digits = 2): string {
  return value.toLocaleString('pt-BR', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
export const plainNumber = (value: number): string =>
  value.toLocaleString('pt-BR', { maximumFractionDigits: 3 })

export function yieldText(world: World, kg: number): string {
  return br(kg / world.yieldUnit.factor, world.yieldUnit.digits)
}

export function doseText(world: World, treatment: number, product: number, withUnit = true): string {
  const dose = world.doses[treatment]?.[product]
  if (!dose) return '–'
  return withUnit ? `${plainNumber(dose.value)} ${dose.unit}` : plainNumber(dose.value)
}

export function coordinateText(random: Random, value: number, axis: 'lat' | 'lon', style: number): string {
  const letter = axis === 'lat' ? 'S' : random.pick(['W', 'O'])
  const size = Math.abs(value)
  if (style === 0) return String(value).replace('.', ',')
  if (style === 1) return `${size.toFixed(4).replace('.', ',')}° ${letter}`
  if (style === 2) return String(value)
  const degrees = Math.floor(size)
  const minutes = Math.floor((size - degrees) * 60)
  const seconds = ((size - degrees) * 60 - minutes) * 60
  return `${degrees}°${String(minutes).padStart(2, '0')}'${seconds.toFixed(1).replace('.', ',')}"${letter}`
}

/** A year or the season that was harvested in it. */
export function season(random: Random, year: number): string {
  return random.pick([String(year), `${year - 1}/${year % 100}`, `${year - 1}/${year}`, String(year)])
}

export function cityText(random: Random, world: World): string {
  const { cidade, estado } = world.truth
  return random.pick([
    `${cidade} - ${estado}`,
    `${cidade}/${estado}`,
    `${cidade}, ${estado}`,
    `${cidade} (${estado})`,
    `Fazenda Boa Esperança, ${cidade} - ${estado}`,
    `Faz. Santa Luzia – ${cidade}/${estado}`,
  ])
}

export function share(world: World, percent: number): string {
  const { name, factor } = world.soilUnit
  const value = Number((percent * factor).toFixed(2))
  return `${plainNumber(value)}${name === '%' ? random100(world) : ` ${name}`}`
}
const random100 = (world: World): string => (world.truth.ano && world.truth.ano % 2 === 0 ? '%' : ' %')

export const money = (random: Random, value: number): string =>
  random.pick([
    `R$ ${br(value)}/ha`,
    `R$ ${br(value)} por hectare`,
    `R$ ${br(value)}`,
    `R$ ${br(value)} ha-1`,
  ])

export interface Item {
  label: string
  value: string
}

/** The record as labels and values, in a plausible order, with items that are no fields among them. */
export function headerItems(world: World, random: Random, options: { coordinates?: boolean } = {}): Item[] {
  const { truth } = world
  const items: Item[] = []
  const put = (label: string, value: string | null): void => {
    if (value !== null) items.push({ label, value })
  }
  put(random.pick(LABELS.consultoria), truth.consultoria)
  put(random.pick(LABELS.marca), truth.marca)
  put(random.pick(LABELS.bu), truth.bu === null ? null : random.pick(UNITS[truth.bu] ?? [truth.bu]))
  put(random.pick(LABELS.regional), truth.regional)
  if (random.chance(0.5)) put(random.pick(LABELS.local), cityText(random, world))
  else {
    put(random.pick(LABELS.cidade), truth.cidade)
    put(random.pick(LABELS.estado), truth.estado)
  }
  if (truth.latitude !== null && truth.longitude !== null && options.coordinates !== false) {
    const style = random.int(0, 3)
    const lat = coordinateText(random, truth.latitude, 'lat', style)
    const lon = coordinateText(random, truth.longitude, 'lon', style)
    if (random.chance(0.5))
      put(random.pick(LABELS.coordenadas), `${lat}${random.pick(['; ', ' / ', ' e ', ', '])}${lon}`)
    else {
      put(random.pick(LABELS.latitude), lat)
      put(random.pick(LABELS.longitude), lon)
    }
  }
  if (random.chance(0.4))
    put('Cultura anterior', random.pick(['Milheto', 'Aveia', 'Milho', 'Braquiária', 'Soja']))
  if (truth.cultivar !== null && random.chance(0.25))
    put(random.pick(LABELS.cultura), `${truth.cultura} (${truth.cultivar})`)
  else {
    put(random.pick(LABELS.cultura), truth.cultura)
    put(random.pick(LABELS.cultivar), truth.cultivar)
  }
  put(random.pick(LABELS.ano), truth.ano === null ? null : season(random, truth.ano))
  if (random.chance(0.35)) put('Espaçamento', random.pick(['0,50 m', '45 cm', '0,76 m']))
  put(random.pick(LABELS.argila), truth.teor_argila === null ? null : share(world, truth.teor_argila))
  put(
    random.pick(LABELS.materia),
    truth.teor_materia_organica === null ? null : share(world, truth.teor_materia_organica),
  )
  put(
    random.pick(LABELS.desenho),
    truth.tipo_estatistica === null ? null : random.pick(DESIGNS[truth.tipo_estatistica] ?? ['DBC']),
  )
  put(random.pick(LABELS.custo), truth.custo_protocolo === null ? null : money(random, truth.custo_protocolo))
  put(
    random.pick(LABELS.roi),
    truth.roi === null
      ? null
      : `${money(random, truth.roi)}${random.chance(0.25) ? ` (${random.int(110, 480)}%)` : ''}`,
  )
  if (random.chance(0.4))
    put('Data de emissão', `${random.int(10, 28)}/0${random.int(1, 9)}/${(truth.ano ?? 2023) + 1}`)
  if (random.chance(0.25))
    put(
      'Responsável técnico',
      random.pick(['Eng. Agr. Paulo Menezes', 'Dra. Helena Prado', 'Marcos Vidal, CREA 123456']),
    )
  return items
}

export const esc = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

export interface ResultTable {
  head: string[]
  rows: string[][]
  /** Statistics and other rows that are no treatments. */
  foot: string[][]
}

/** Treatments in rows with everything in one table. */
export function resultTable(
  world: World,
  random: Random,
  options: {
    code?: boolean
    doseColumn?: boolean
    description?: 'full' | 'products'
    letters?: boolean
  } = {},
): ResultTable {
  const { truth } = world
  const code = options.code ?? random.chance(0.5)
  const single = truth.tratamentos.every((t) => t.produtos_aplicados.length <= 1)
  const doseColumn = options.doseColumn ?? random.chance(0.45)
  const sameUnit = single && new Set(world.doses.flat().map((d) => d.unit)).size === 1
  const gain = random.chance(0.4)
  const letters = options.letters ?? random.chance(0.4)
  const { head, separator } = columnWords(world, random, { code, doseColumn, unitInHead: sameUnit, gain })
  const base = truth.tratamentos[0]?.produtividade ?? 1
  const rows = truth.tratamentos.map((t, i) => {
    const row: string[] = []
    if (code) row.push(random.chance(2) ? `T${i + 1}` : String(i + 1))
    row.push(descriptionOf(world, random, t, i, doseColumn))
    if (doseColumn)
      row.push(
        i === 0 ? '-' : t.produtos_aplicados.map((_, p) => doseText(world, i, p, !sameUnit)).join(' + '),
      )
    if (world.hasModes) row.push(t.modalidade === null ? '-' : modeWord(t.modalidade, random))
    row.push(...valueCells(world, random, t, i, letters, gain, base))
    return row
  })
  const foot: string[][] = []
  const blank = head.map(() => '')
  const stat = (name: string, values: (h: string, c: number) => string): void => {
    foot.push(head.map((h, c) => (c === 0 ? name : values(h, c))))
  }
  const firstValue = head.length - world.analyses.length - 1 - (gain ? 1 : 0)
  if (random.chance(0.4)) stat('Média', (_, c) => (c >= firstValue ? yieldText(world, base * 1.05) : ''))
  if (random.chance(0.5))
    stat(random.pick(['CV (%)', 'C.V. %', 'CV%']), (_, c) =>
      c >= firstValue ? br(3 + random.next() * 9, 2) : '',
    )
  if (random.chance(0.3)) stat('DMS', (_, c) => (c >= firstValue ? br(5 + random.next() * 9, 1) : ''))
  return { head: separator ? head : head, rows, foot: foot.length > 0 ? foot : blank.length > 0 ? [] : [] }
}

export function modeWord(mode: string, random: Random): string {
  return random.pick(MODES[mode] ?? [mode])
}

export function controlWord(random: Random): string {
  return random.pick(CONTROLS)
}

export function descriptionOf(
  world: World,
  random: Random,
  t: TruthTreatment,
  i: number,
  withoutDoses: boolean,
): string {
  if (i === 0) return controlWord(random)
  const joint = random.pick([' + ', ' + ', ' e '])
  return t.produtos_aplicados
    .map((p, k) =>
      withoutDoses
        ? p.nome
        : random.chance(0.5)
          ? `${p.nome} ${doseText(world, i, k)}`
          : `${p.nome} (${doseText(world, i, k)})`,
    )
    .join(joint)
}

function columnWords(
  world: World,
  random: Random,
  options: { code: boolean; doseColumn: boolean; unitInHead: boolean; gain: boolean },
): { head: string[]; separator: boolean } {
  const withUnit = (name: string, unit: string): string =>
    random.pick([`${name} (${unit})`, `${name} (${unit})`, `${name}, ${unit}`, `${name} ${unit}`])
  const head: string[] = []
  if (options.code) head.push(random.pick(['Trat.', 'T', 'Nº', 'Código', '#', 'Cód.']))
  head.push(random.pick(options.code ? HEADS.nome.slice(2) : HEADS.nome))
  if (options.doseColumn) {
    const unit = world.doses.flat()[0]?.unit
    head.push(options.unitInHead && unit ? withUnit(random.pick(HEADS.dose), unit) : random.pick(HEADS.dose))
  }
  if (world.hasModes) head.push(random.pick(HEADS.modo))
  if (world.hasCosts)
    head.push(withUnit(random.pick(HEADS.custo), random.pick(['R$/ha', 'R$ ha-1', 'R$/ha'])))
  const unit = world.yieldUnit.name
  head.push(
    withUnit(
      random.pick(HEADS.produtividade),
      random.pick([unit, unit, unit.replace('/ha', ' ha-1'), unit.replace('sc/', 'sacas/')]),
    ),
  )
  if (options.gain) head.push(random.pick(HEADS.incremento))
  for (const analysis of world.analyses) head.push(withUnit(analysis.nome, analysis.unidade))
  return { head, separator: false }
}

export function valueCells(
  world: World,
  random: Random,
  t: TruthTreatment,
  i: number,
  letters: boolean,
  gain: boolean,
  base: number,
): string[] {
  const row: string[] = []
  if (world.hasCosts) row.push(i === 0 ? random.pick(['-', '0,00', '–']) : br(t.custo ?? 0))
  const letter = letters ? ` ${random.pick(['a', 'b', 'ab', 'c', 'bc'])}` : ''
  row.push(yieldText(world, t.produtividade ?? 0) + letter)
  if (gain) row.push(i === 0 ? '-' : `${br((((t.produtividade ?? 0) - base) / base) * 100, 1)}`)
  t.analises_adicionais.forEach((a, k) => {
    row.push(br(a.valor, world.analyses[k]?.digits ?? 1))
  })
  return row
}

export function tableHtml(table: ResultTable, style = '', caption = ''): string {
  const cells = (row: readonly string[], tag: string): string =>
    row.map((c) => `<${tag}>${esc(c)}</${tag}>`).join('')
  return `${caption ? `<p class="caption">${esc(caption)}</p>` : ''}<table class="data ${style}"><thead><tr>${cells(table.head, 'th')}</tr></thead><tbody>${[...table.rows, ...table.foot].map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table>`
}

/** Style sheets of tables: full grid, book rules, bands, none. */
export const TABLE_STYLES: readonly string[] = [
  'table.data{border-collapse:collapse}table.data td,table.data th{border:1px solid #444;padding:3px 6px}',
  'table.data{border-collapse:collapse;border-top:1.5px solid #000;border-bottom:1.5px solid #000}table.data th{border-bottom:1px solid #000}table.data td,table.data th{padding:3px 9px}',
  'table.data{border-collapse:collapse}table.data td,table.data th{padding:4px 10px}table.data tbody tr:nth-child(odd){background:#eef2f5}table.data th{background:#1f4e3d;color:#fff}',
  'table.data td,table.data th{padding:3px 10px}',
  'table.data{border-collapse:collapse}table.data td,table.data th{border-bottom:1px solid #ccc;padding:5px 8px}',
]

export function documentHtml(
  random: Random,
  body: string,
  extra = '',
  page = 'size:A4;margin:18mm 16mm',
): string {
  const font = random.pick([
    'Arial, sans-serif',
    'Liberation Serif, serif',
    'DejaVu Sans, sans-serif',
    'Liberation Sans Narrow, sans-serif',
  ])
  const size = random.pick([9.5, 10, 10.5, 11])
  return `<!doctype html><meta charset="utf-8"><style>@page{${page}}body{font:${size}pt ${font};color:#111;margin:0}h1{font-size:1.5em}h2{font-size:1.15em}th{text-align:left}table.data{margin:8px 0;font-size:.92em}${random.pick(TABLE_STYLES)}.caption{margin:10px 0 2px;font-size:.92em}footer{position:fixed;bottom:0;font-size:.72em;color:#666}${extra}</style>${body}`
}
