import {
  br,
  coordinateText,
  doseText,
  esc,
  type Item,
  plainNumber,
  share,
  TABLE_STYLES,
  yieldText,
} from '../pieces.ts'
import { type Random, seeded } from '../random.ts'
import type { TruthTreatment } from '../score.ts'
import { CONTROLS, DESIGNS, HEADS, LABELS, MODES, TITLES, UNITS } from '../wording.ts'
import { makeWorld, type World } from '../world.ts'
import { type Family, list, type Report } from './report.ts'

/**
 * A house: each of its habits is a choice of its own, drawn by its name, so that any combination may come and two
 * reports of one house agree in all of them.
 */
export interface House {
  seed: number
  pick<T>(habit: string, of: readonly T[]): T
  chance(habit: string, p: number): boolean
}

export function houseOf(seed: number): House {
  const draw = (habit: string): number => {
    let hash = seed >>> 0
    for (let i = 0; i < habit.length; i++) hash = Math.imul(hash ^ habit.charCodeAt(i), 0x01000193) >>> 0
    return seeded(hash).next()
  }
  return {
    seed,
    pick: (habit, of) => of[Math.floor(draw(habit) * of.length)] as (typeof of)[number],
    chance: (habit, p) => draw(habit) < p,
  }
}

/** One report of a new house. */
export const composed: Family = (random) => composedReport(houseOf(random.int(1, 2 ** 30)), random)

/** A report of a house. */
export function composedReport(house: House, random: Random): Report {
  const count = random.int(2, 6)
  const world = makeWorld(random, count, seeded(house.seed))
  const { truth } = world
  const told = tellTreatments(house, world, random)
  for (const treatment of truth.tratamentos) {
    if (!told.modes) treatment.modalidade = null
    if (!told.costs) treatment.custo = null
  }
  const items = itemsOf(house, world, random)
  const fields = list(items, seeded(house.seed + 1))
  const parts = [
    house.chance('furniture', 0.5) ? furniture(house, world) : '',
    `<h1>${esc(house.pick('title', TITLES))}${house.chance('crop in title', 0.4) ? ` – ${esc(truth.cultura ?? '')}` : ''}</h1>`,
    section(house, 'Identificação', 1),
    fields.html,
    house.chance('aims', 0.4)
      ? `<p>O objetivo foi avaliar o desempenho agronômico dos tratamentos na cultura d${truth.cultura === 'Soja' ? 'a soja' : `o ${truth.cultura?.toLowerCase()}`}.</p>`
      : '',
    told.html,
    house.chance('neighbour', 0.3)
      ? `<p>Em área vizinha, em ${esc(world.neighbourCity)}, a média da safra anterior foi de 3.210 kg/ha.</p>`
      : '',
    house.chance('conclusion', 0.4)
      ? '<p>Os resultados referem-se às condições em que o ensaio foi conduzido.</p>'
      : '',
    house.chance('signature', 0.4)
      ? '<p style="margin-top:24px">________________________<br>Responsável técnico</p>'
      : '',
  ]
  const font = house.pick('font', ['Arial', 'Liberation Serif', 'DejaVu Sans', 'Liberation Sans Narrow'])
  const page = house.chance('landscape', 0.15) ? 'size:A4 landscape;margin:15mm' : 'size:A4;margin:18mm 16mm'
  const frame = house.pick('frame', TABLE_STYLES)
  const align = house.pick('align', ['left', 'center', 'right'])
  return {
    html: `<!doctype html><meta charset="utf-8"><style>@page{${page}}body{font:${house.pick('size', [9, 9.5, 10, 10.5, 11])}pt ${font},sans-serif;color:#111;margin:0}h1{font-size:1.4em}h2{font-size:1.1em;margin:12px 0 4px}th{text-align:left}table.data{margin:8px 0;font-size:.92em${house.chance('wide', 0.4) ? ';width:100%' : ''}}${frame}table.data td:not(:first-child){text-align:${align}}.caption{margin:10px 0 2px;font-size:.92em}.running{display:flex;justify-content:space-between;border-bottom:1px solid #888;font-size:.8em;color:#444}${fields.style}</style>${parts.join('\n')}`,
    truth,
  }
}

const furniture = (house: House, world: World): string =>
  `<div class="running"><span>${esc(house.chance('logo', 0.6) ? (world.truth.consultoria ?? 'Relatório') : 'Documento controlado')}</span><span>${house.pick('form number', ['FOR-012 rev. 03', 'RT 2024/117', 'Ensaios de campo', 'Uso interno'])}</span><span>${esc(world.officeCity)}</span></div>`

function section(house: House, name: string, number: number): string {
  const kind = house.pick('sections', ['none', 'plain', 'numbered', 'capitals'])
  if (kind === 'none') return ''
  const text = kind === 'numbered' ? `${number}. ${name}` : kind === 'capitals' ? name.toUpperCase() : name
  return `<h2>${esc(text)}</h2>`
}

function itemsOf(house: House, world: World, random: Random): Item[] {
  const { truth } = world
  const label = (key: keyof typeof LABELS): string => house.pick(`label ${key}`, LABELS[key])
  const money = (value: number): string =>
    `R$ ${br(value)}${house.pick('per area', ['/ha', ' por hectare', '', ' ha-1'])}`
  const place = house.pick('place', [
    '{c} - {e}',
    '{c}/{e}',
    '{c}, {e}',
    '{c} ({e})',
    'Fazenda Boa Vista, {c} - {e}',
  ])
  const year = truth.ano ?? 2022
  const season = house.pick('season', [String(year), `${year}/${(year + 1) % 100}`, `${year}/${year + 1}`])
  const design = DESIGNS[truth.tipo_estatistica ?? ''] ?? []
  const items: Item[] = []
  const put = (key: keyof typeof LABELS, value: string | null): void => {
    if (value !== null) items.push({ label: label(key), value })
  }
  put('consultoria', truth.consultoria)
  put('marca', truth.marca)
  put('bu', truth.bu && house.pick('bu words', UNITS[truth.bu] ?? [truth.bu]))
  put('regional', truth.regional)
  if (house.chance('city with state', 0.6))
    put('local', place.replace('{c}', truth.cidade ?? '').replace('{e}', truth.estado ?? ''))
  else {
    put('cidade', truth.cidade)
    put('estado', truth.estado)
  }
  if (truth.latitude !== null && truth.longitude !== null) {
    const style = house.pick('degrees', [0, 1, 2, 3])
    const lat = coordinateText(random, truth.latitude, 'lat', style)
    const lon = coordinateText(random, truth.longitude, 'lon', style)
    if (house.chance('both degrees', 0.5)) put('coordenadas', `${lat}${style === 0 ? '; ' : ' / '}${lon}`)
    else {
      put('latitude', lat)
      put('longitude', lon)
    }
  }
  if (house.chance('former crop', 0.3))
    items.push({ label: 'Cultura anterior', value: random.pick(['Milheto', 'Aveia', 'Braquiária']) })
  put('cultura', truth.cultura)
  put('cultivar', truth.cultivar)
  put('ano', season)
  if (house.chance('spacing', 0.3))
    items.push({ label: 'Espaçamento', value: random.pick(['0,50 m', '45 cm']) })
  put('argila', truth.teor_argila === null ? null : share(world, truth.teor_argila))
  put('materia', truth.teor_materia_organica === null ? null : share(world, truth.teor_materia_organica))
  put('desenho', truth.tipo_estatistica && house.pick('design words', design))
  put('custo', truth.custo_protocolo === null ? null : money(truth.custo_protocolo))
  put('roi', truth.roi === null ? null : money(truth.roi))
  if (house.chance('issued', 0.3))
    items.push({ label: 'Data de emissão', value: `${random.int(10, 28)}/04/${year + 1}` })
  return items
}

/** A column of treatments: one text each, or one a product. */
interface Column {
  head: string
  unit?: string
  cells: (string | string[])[]
  /** What stands in the rows of the mean, the CV and the like. */
  foot?: readonly string[]
}

interface Told {
  html: string
  modes: boolean
  costs: boolean
}

function tellTreatments(house: House, world: World, random: Random): Told {
  const { tratamentos } = world.truth
  const modesAt = world.hasModes ? house.pick('modes', ['column', 'name', 'none', 'column']) : 'none'
  const products = house.pick('products', ['joined', 'columns', 'rows', 'legend', 'matrix', 'list'])
  const scheme = house.pick('scheme', ['one', 'two', 'two', 'three'])
  const costs = world.hasCosts && house.chance('costs', 0.8)
  const code = codesOf(house)
  const programme = programmeColumns(house, world, products, modesAt)
  const codes: Column = {
    head: house.pick('code head', HEADS.codigo),
    cells: tratamentos.map((_, i) => code(i)),
    foot: [],
  }
  const cost: Column = {
    head: house.pick('cost head', HEADS.custo),
    unit: 'R$/ha',
    cells: tratamentos.map((t, i) =>
      i === 0 ? house.pick('no cost', ['-', '0,00', '–']) : br(t.custo ?? 0),
    ),
  }
  const yields = yieldColumns(house, world, random)
  const analyses = world.analyses.map(
    (a, k): Column => ({
      head: a.nome,
      unit: a.unidade ?? '',
      cells: tratamentos.map((t) => br(t.analises_adicionais[k]?.valor ?? 0, a.digits)),
      foot: [br(random.int(40, 160) / 10, 1), '', ''],
    }),
  )
  const measured = house.chance('yield first', 0.5) ? [...yields, ...analyses] : [...analyses, ...yields]
  const costly = costs ? [cost] : []
  const say = (words: readonly string[]): string => house.pick(`caption ${words[0]}`, words)
  const named: Column = {
    head: house.pick('name head', HEADS.nome),
    cells: tratamentos.map((t, i) => (i === 0 ? controlWord(house) : t.nome)),
    foot: [],
  }
  // In a further table treatments are known by their code, or by code and name.
  const key = house.chance('names again', 0.4) ? [codes, named] : [codes]
  const tables: string[] = []
  const put = (columns: Column[], caption: string, options: { results?: boolean; grouped?: boolean } = {}) =>
    tables.push(tableOf(house, columns, caption, options))
  if (products === 'list') tables.push(listOf(house, world, code, modesAt))
  if (products === 'legend') tables.push(legendOf(house, world))
  const whole = products === 'list' ? key : [codes, ...programme]
  const results = { results: true }
  if (scheme === 'one' || products === 'list')
    put(
      [...whole, ...costly, ...measured],
      say(['Resultados por tratamento', 'Tratamentos e rendimento', 'Produtividade']),
      {
        ...results,
        grouped: products === 'rows',
      },
    )
  else {
    put(
      [...whole, ...(house.chance('costs in programme', 0.5) ? costly : [])],
      say(['Tratamentos', 'Descrição dos tratamentos']),
      {
        grouped: products === 'rows',
      },
    )
    const rest = house.chance('costs in programme', 0.5) ? [] : costly
    if (scheme === 'two')
      put([...key, ...measured, ...rest], say(['Resultados', 'Produtividade e avaliações']), results)
    else {
      if (analyses.length > 0)
        put([...key, ...analyses], say(['Avaliações', 'Componentes e avaliações']), results)
      put([...key, ...yields, ...rest], say(['Produtividade', 'Colheita']), results)
    }
  }
  return {
    html: `${section(house, 'Tratamentos e resultados', 2)}${tables.join('\n')}`,
    modes: modesAt !== 'none',
    costs,
  }
}

const codesOf = (house: House): ((i: number) => string) => {
  const style = house.pick('codes', ['T1', '1', '01', 'A', 'Trat. 1', 'T-1'])
  return (i) =>
    style === 'A'
      ? String.fromCharCode(65 + i)
      : style === '01'
        ? String(i + 1).padStart(2, '0')
        : style.replace('1', String(i + 1))
}

const controlWord = (house: House): string => house.pick('control', CONTROLS)
const modeWord = (house: House, mode: string | null): string =>
  mode ? house.pick(`mode ${mode}`, MODES[mode] ?? [mode]) : '–'

function programmeColumns(house: House, world: World, products: string, modesAt: string): Column[] {
  const { tratamentos } = world.truth
  const control = controlWord(house)
  const each = <T>(of: (t: TruthTreatment, i: number) => T): T[] => tratamentos.map(of)
  const names = letters(world)
  const inBrackets = house.chance('dose in brackets', 0.5)
  const described = (t: TruthTreatment, i: number, name: (n: string) => string): string =>
    t.produtos_aplicados
      .map((p, k) =>
        inBrackets
          ? `${name(p.nome)} (${doseText(world, i, k)})`
          : `${name(p.nome)} ${doseText(world, i, k)}`,
      )
      .join(house.pick('joint', [' + ', ' + ', ' / ', ' e ']))
  const way = (t: TruthTreatment): string =>
    modesAt === 'name' && t.modalidade ? `, ${modeWord(house, t.modalidade).toLowerCase()}` : ''
  const mode: Column[] =
    modesAt === 'column'
      ? [{ head: house.pick('mode head', HEADS.modo), cells: each((t) => modeWord(house, t.modalidade)) }]
      : []
  const name = house.pick('name head', HEADS.nome)
  const product = house.pick('product head', HEADS.produto)
  const dose = house.pick('dose head', HEADS.dose)
  switch (products) {
    case 'columns':
      return [
        {
          head: product,
          cells: each(
            (t, i) => (i === 0 ? control : t.produtos_aplicados.map((p) => p.nome).join(' + ')) + way(t),
          ),
          foot: [],
        },
        {
          head: dose,
          cells: each((t, i) =>
            i === 0 ? '–' : t.produtos_aplicados.map((_, k) => doseText(world, i, k)).join(' + '),
          ),
        },
        ...mode,
      ]
    case 'rows':
      return [
        {
          head: product,
          cells: each((t, i) => (i === 0 ? control : t.produtos_aplicados.map((p) => p.nome))),
          foot: [],
        },
        {
          head: dose,
          cells: each((t, i) => (i === 0 ? '–' : t.produtos_aplicados.map((_, k) => doseText(world, i, k)))),
        },
        ...mode,
      ]
    case 'legend':
      return [
        {
          head: name,
          cells: each((t, i) => (i === 0 ? control : described(t, i, (n) => names.get(n) ?? n)) + way(t)),
          foot: [],
        },
        ...mode,
      ]
    case 'matrix':
      return [
        ...[...names.keys()].map(
          (n): Column => ({
            head: n,
            cells: each((t, i) => {
              const k = t.produtos_aplicados.findIndex((p) => p.nome === n)
              return k < 0 ? house.pick('empty', ['–', '-', '0']) : doseText(world, i, k)
            }),
          }),
        ),
        ...mode,
      ].map((column, c) => (c === 0 ? { ...column, foot: [] } : column))
    default:
      return [
        {
          head: name,
          cells: each((t, i) => (i === 0 ? control : described(t, i, (n) => n)) + way(t)),
          foot: [],
        },
        ...mode,
      ]
  }
}

/** Each product of the trial with the letter that stands for it. */
const letters = (world: World): Map<string, string> =>
  new Map(
    [...new Set(world.truth.tratamentos.flatMap((t) => t.produtos_aplicados.map((p) => p.nome)))].map(
      (n, i) => [n, `P${i + 1}`],
    ),
  )

function legendOf(house: House, world: World): string {
  const entries = [...letters(world)].map(([name, letter]) => `${letter} = ${name}`)
  return `<p>${house.pick('legend', ['Produtos: ', 'Legenda: ', 'Onde: '])}${esc(entries.join('; '))}.</p>`
}

function listOf(house: House, world: World, code: (i: number) => string, modesAt: string): string {
  const { tratamentos } = world.truth
  const joint = house.pick('list joint', [' – ', ': ', ' = ', ') '])
  const lines = tratamentos.map((t, i) => {
    const parts = t.produtos_aplicados.map((p, k) => `${p.nome} (${doseText(world, i, k)})`)
    const way = modesAt !== 'none' && t.modalidade ? `, ${modeWord(house, t.modalidade).toLowerCase()}` : ''
    return `${code(i)}${joint}${i === 0 ? controlWord(house) : parts.join(' + ')}${way}`
  })
  return house.chance('list in a sentence', 0.3)
    ? `<p>Os tratamentos foram: ${esc(lines.join('; '))}.</p>`
    : `<p>Tratamentos avaliados:</p>${lines.map((line) => `<p style="margin:2px 0 2px 14px">${esc(line)}</p>`).join('')}`
}

function yieldColumns(house: House, world: World, random: Random): Column[] {
  const { tratamentos } = world.truth
  const head = house.pick('yield head', HEADS.produtividade)
  const letter = house.pick('letters', ['none', 'none', 'behind', 'column'])
  const groups = tratamentos.map(() => random.pick(['a', 'ab', 'b', 'bc']))
  const foot = [br(random.int(30, 120) / 10, 1), plainNumber(random.int(120, 400)), '']
  const values = tratamentos.map((t) => yieldText(world, t.produtividade ?? 0))
  const base = tratamentos[0]?.produtividade ?? 1
  const columns: Column[] = []
  if (house.chance('blocks', 0.15))
    for (let block = 1; block <= 4; block++)
      columns.push({
        head: `${house.pick('block', ['R', 'Bloco ', 'B'])}${block}`,
        cells: tratamentos.map((t) => yieldText(world, (t.produtividade ?? 0) * (0.96 + 0.02 * block))),
      })
  columns.push({
    head: columns.length > 0 && house.chance('mean head', 0.4) ? `Média – ${head}` : head,
    unit: world.yieldUnit.name,
    cells: values.map((value, i) => (letter === 'behind' ? `${value} ${groups[i]}` : value)),
    foot,
  })
  if (letter === 'column') columns.push({ head: house.pick('group head', HEADS.grupo), cells: groups })
  if (world.yieldUnit.factor === 60 && house.chance('both units', 0.4))
    columns.push({
      head: house.chance('unit alone', 0.5) ? '' : head,
      unit: 'kg/ha',
      cells: tratamentos.map((t) => br(t.produtividade ?? 0, 0)),
    })
  if (house.chance('gain', 0.35))
    columns.push({
      head: house.pick('gain head', HEADS.incremento),
      unit: '%',
      cells: tratamentos.map((t, i) =>
        i === 0 ? '–' : br((((t.produtividade ?? 0) - base) / base) * 100, 1),
      ),
    })
  return columns
}

function tableOf(
  house: House,
  columns: readonly Column[],
  caption: string,
  { results = false, grouped = false }: { results?: boolean; grouped?: boolean },
): string {
  const units = house.pick('units', ['heading', 'heading', 'comma', 'row'])
  const heads = columns.map(({ head, unit }) =>
    unit === undefined || unit === '' || units === 'row'
      ? head
      : units === 'comma' && head !== ''
        ? `${head}, ${unit}`
        : `${head} (${unit})`.trim(),
  )
  const rows = columns[0]?.cells.length ?? 0
  const foot = results ? house.pick('foot', [[], [], ['CV (%)'], ['CV (%)', 'DMS'], ['Média', 'CV (%)']]) : []
  const footCells = (name: string, f: number): string[] =>
    columns.map(({ foot: own }, c) => (c === 0 ? name : (own?.[name === 'Média' ? 2 : f] ?? '')))
  const plain = columns.map(({ cells }) =>
    cells.map((cell) => (Array.isArray(cell) ? cell.join(' + ') : cell)),
  )
  const number = house.pick('numbering', ['Tabela 1. ', 'Quadro 1 – ', '', ''])
  const title = house.chance('captions', 0.75) ? `<p class="caption">${esc(number + caption)}</p>` : ''
  const below = house.chance('caption below', 0.15)
  const wrap = (table: string): string => (below ? `${table}${title}` : `${title}${table}`)
  const cell = (text: string, tag = 'td', span = ''): string => `<${tag}${span}>${esc(text)}</${tag}>`
  if (results && !grouped && house.chance('turned', 0.12)) {
    const lines = columns.map(
      (_, c) =>
        `<tr>${cell(heads[c] ?? '', 'th')}${(plain[c] ?? []).map((text) => cell(text)).join('')}</tr>`,
    )
    return wrap(`<table class="data">${lines.join('')}</table>`)
  }
  const unitRow =
    units === 'row'
      ? `<tr>${columns.map(({ unit }) => cell(unit ? `(${unit})` : '', 'th')).join('')}</tr>`
      : ''
  const body = Array.from({ length: rows }, (_, r) => {
    const parts = Math.max(
      1,
      ...columns.map(({ cells }) => (Array.isArray(cells[r]) ? (cells[r]?.length ?? 1) : 1)),
    )
    return Array.from({ length: parts }, (_, k) => {
      const texts = columns.map(({ cells }) => {
        const own = cells[r] ?? ''
        if (Array.isArray(own)) return cell(own[k] ?? '')
        if (k > 0) return house.chance('empty parts', 0.5) && !house.chance('spans', 0.5) ? cell('') : ''
        const spans = parts > 1 && !(house.chance('empty parts', 0.5) && !house.chance('spans', 0.5))
        return cell(own, 'td', spans ? ` rowspan="${parts}"` : '')
      })
      return `<tr>${texts.join('')}</tr>`
    }).join('')
  }).join('')
  const ends = foot
    .map(
      (name, f) =>
        `<tr>${footCells(name, f)
          .map((text) => cell(text))
          .join('')}</tr>`,
    )
    .join('')
  return wrap(
    `<table class="data"><thead><tr>${heads.map((text) => cell(text, 'th')).join('')}</tr>${unitRow}</thead><tbody>${body}${ends}</tbody></table>`,
  )
}
