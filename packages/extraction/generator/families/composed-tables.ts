import { br, doseText, esc, plainNumber, yieldText } from '../pieces.ts'
import type { Random } from '../random.ts'
import type { TruthTreatment } from '../score.ts'
import { CONTROLS, HEADS, MODES } from '../wording.ts'
import type { World } from '../world.ts'
import { type House, section } from './house.ts'

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

/** The treatments in the tables, lists and legends of a house. */
export function tellTreatments(house: House, world: World, random: Random): Told {
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
