import {
  controlWord,
  documentHtml,
  doseText,
  esc,
  headerItems,
  type Item,
  modeWord,
  type ResultTable,
  resultTable,
  tableHtml,
  valueCells,
} from '../pieces.ts'
import { HEADS, LABELS, TITLES } from '../wording.ts'
import { makeWorld } from '../world.ts'
import { caption, type Family, footer, list, note, title } from './report.ts'

export const keyValue: Family = (random) => {
  const world = makeWorld(random)
  const head = list(headerItems(world, random), random)
  const table = resultTable(world, random)
  return {
    html: documentHtml(
      random,
      `${title(random, world)}${head.html}<br>${tableHtml(table, '', caption(random))}${note(random, world)}${footer(world, random)}`,
      head.style,
    ),
    truth: world.truth,
  }
}

export const sheet: Family = (random) => {
  const world = makeWorld(random, random.int(3, 9))
  const head = headerItems(world, random)
  const table = resultTable(world, random, { code: true })
  const cut = Math.max(2, Math.ceil(table.head.length * 0.55))
  const part = (from: number, to: number): ResultTable => ({
    head: table.head.slice(from, to),
    rows: table.rows.map((r) => r.slice(from, to)),
    foot: table.foot.map((r) => r.slice(from, to)),
  })
  const grid = head.map((i) => `<tr><td>${esc(i.label)}</td><td>${esc(i.value)}</td></tr>`).join('')
  const body = `<table class="g">${grid}</table><br>${tableHtml(part(0, cut))}<div style="break-before:page"></div>${tableHtml(part(cut, table.head.length))}`
  return {
    html: documentHtml(
      random,
      body,
      `.g td{${random.chance(0.6) ? 'border:1px solid #d0d0d0;' : ''}padding:1px 14px 1px 4px}.g{border-collapse:collapse}`,
    ),
    truth: world.truth,
  }
}

export const checks: Family = (random) => {
  const world = makeWorld(random, random.int(2, 4))
  const { truth } = world
  const box = random.pick([
    ['[X]', '[ ]'],
    ['(X)', '( )'],
    ['☒', '☐'],
    ['<input type=checkbox checked>', '<input type=checkbox>'],
    ['(x)', '( )'],
  ])
  const options = (label: string, all: readonly string[], chosen: string | null): string =>
    `<p class="row"><b>${label}:</b> ${all.map((o) => `${o === chosen ? box[0] : box[1]} ${o}`).join(' &nbsp; ')}</p>`
  const unit = { BU1: 'Nutrição', BU2: 'Proteção', BU3: 'Adjuvantes' }[truth.bu ?? ''] ?? null
  const design =
    { 'Blocos Casualizados': 'DBC', 'Inteiramente Casualizado': 'DIC', ANOVA: 'ANOVA' }[
      truth.tipo_estatistica ?? ''
    ] ?? null
  const regionals = ['Sul', 'Sudeste', 'Centro-Oeste', 'Nordeste', 'Norte']
  if (truth.regional !== null && !regionals.includes(truth.regional)) truth.regional = random.pick(regionals)
  const crops = ['Soja', 'Milho', 'Trigo', 'Algodão', 'Feijão']
  const inList = crops.includes(truth.cultura ?? '')
  const items = headerItems(
    {
      ...world,
      truth: {
        ...truth,
        bu: null,
        marca: null,
        regional: null,
        tipo_estatistica: null,
        cultura: inList ? null : truth.cultura,
      },
    },
    random,
  ).filter((i) => i.value !== 'null' && !i.value.startsWith('null'))
  const kept = items.filter((i) => !i.label.startsWith('Cultura anterior'))
  const form = list(kept, random)
  const body = `${title(random, world)}${options(random.pick(LABELS.marca.slice(0, 4)), ['Aminoagro', 'Dimicron', 'Maximus', 'Concorrente'], truth.marca)}${options(random.pick(LABELS.bu.slice(0, 4)), ['Nutrição', 'Proteção', 'Adjuvantes'], unit)}${truth.regional ? options('Regional', regionals, truth.regional) : ''}${inList ? options('Cultura', crops, truth.cultura) : ''}${design ? options('Delineamento', ['DBC', 'DIC', 'ANOVA'], design) : ''}${form.html}<br>${tableHtml(resultTable(world, random))}`
  return {
    html: documentHtml(
      random,
      body,
      `.row{margin:3px 0}${form.style}.lead{display:flex}.lead i{flex:1;border-bottom:1px dotted #555;margin:0 6px}.form{border-collapse:collapse}.form td,.form th{border:1px solid #777;padding:2px 8px}`,
    ),
    truth,
  }
}

export const dashboard: Family = (random) => {
  const world = makeWorld(random, random.int(2, 5))
  const items = headerItems(world, random)
  const above = random.chance(0.6)
  const columns = random.int(3, 4)
  const cards = items
    .map(
      (i) =>
        `<div class="card">${above ? `<div class="v">${esc(i.value)}</div><div class="l">${esc(i.label)}</div>` : `<div class="l">${esc(i.label)}</div><div class="v">${esc(i.value)}</div>`}</div>`,
    )
    .join('')
  const body = `${title(random, world)}<div class="cards">${cards}</div>${tableHtml(resultTable(world, random))}`
  const style = `.cards{display:grid;grid-template-columns:repeat(${columns},1fr);gap:10px}.card{${random.chance(0.6) ? 'border:1px solid #bbb;border-radius:6px;' : 'background:#f1f5f4;'}padding:7px 9px}.v{font-size:1.2em;${random.chance(0.6) ? 'font-weight:bold' : ''}}.l{font-size:.76em;color:#555}`
  return { html: documentHtml(random, body, style), truth: world.truth }
}

export const slides: Family = (random) => {
  const world = makeWorld(random, random.int(2, 4))
  const items = headerItems(world, random)
  const half = Math.ceil(items.length / 2)
  const bullets = (part: readonly Item[]): string =>
    `<ul>${part.map((i) => `<li><b>${esc(i.label)}:</b> ${esc(i.value)}</li>`).join('')}</ul>`
  const table = resultTable(world, random)
  const body = `<section><h1>${random.pick(TITLES)}</h1><h2>${esc(world.truth.cultura ?? '')} | ${esc(world.truth.cidade ?? '')}</h2></section><section><h1>O ensaio</h1><div class="pair">${bullets(items.slice(0, half))}${bullets(items.slice(half))}</div></section><section><h1>Resultados</h1>${tableHtml(table)}${note(random, world)}</section><section><h1>Conclusões</h1><ul><li>Os tratamentos superaram a testemunha.</li><li>Novos ensaios serão instalados em ${world.neighbourCity}.</li></ul></section>`
  return {
    html: documentHtml(
      random,
      body,
      'section{break-after:page;height:165mm}section h1{color:#14532d}.pair{display:grid;grid-template-columns:1fr 1fr;gap:20px}li{margin:4px 0}',
      'size:254mm 190mm;margin:12mm',
    ),
    truth: world.truth,
  }
}

export const long: Family = (random) => {
  const world = makeWorld(random, random.int(14, 34))
  const { truth } = world
  world.truth.tratamentos.forEach((t, i) => {
    if (i > 0) t.nome = t.produtos_aplicados.map((p) => p.nome).join(' + ')
  })
  const head = list(headerItems(world, random), random)
  const text =
    'O presente relatório reúne os resultados obtidos ao longo da condução do ensaio, com as avaliações feitas em cada estádio da cultura e a análise dos dados.'
  const first = {
    head: [
      'Trat.',
      random.pick(HEADS.produto),
      random.pick(HEADS.dose),
      ...(world.hasModes ? [random.pick(HEADS.modo)] : []),
    ],
    rows: truth.tratamentos.map((t, i) => [
      `T${i + 1}`,
      i === 0 ? controlWord(random) : t.nome,
      i === 0 ? '-' : t.produtos_aplicados.map((_, p) => doseText(world, i, p)).join(' + '),
      ...(world.hasModes ? [t.modalidade ? modeWord(t.modalidade, random) : '-'] : []),
    ]),
    foot: [],
  }
  const second = {
    head: [
      'Trat.',
      ...(world.hasCosts ? [`${random.pick(HEADS.custo)} (R$/ha)`] : []),
      `${random.pick(HEADS.produtividade)} (${world.yieldUnit.name})`,
      ...world.analyses.map((a) => `${a.nome} (${a.unidade})`),
    ],
    rows: truth.tratamentos.map((t, i) => [`T${i + 1}`, ...valueCells(world, random, t, i, true, false, 1)]),
    foot: [['CV (%)', ...(world.hasCosts ? [''] : []), '5,31', ...world.analyses.map(() => '7,2')]],
  }
  const body = `${title(random, world)}${head.html}<h2>1. Introdução</h2><p>${text} ${text}</p><h2>2. Tratamentos</h2>${tableHtml(first, '', 'Tabela 1 – Descrição dos tratamentos avaliados')}<h2>3. Resultados</h2><p>${text}</p>${tableHtml(second, '', 'Tabela 2 – Produtividade e avaliações')}${note(random, world)}${footer(world, random)}`
  return { html: documentHtml(random, body, head.style), truth }
}
