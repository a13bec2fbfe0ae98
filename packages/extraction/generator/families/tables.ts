import {
  br,
  controlWord,
  descriptionOf,
  documentHtml,
  doseText,
  esc,
  headerItems,
  modeWord,
  tableHtml,
  valueCells,
  yieldText,
} from '../pieces.ts'
import { HEADS } from '../wording.ts'
import { makeWorld } from '../world.ts'
import { caption, type Family, footer, list, note, title } from './report.ts'
import { keyValue } from './sheets.ts'

export const transposed: Family = (random) => {
  const world = makeWorld(random, random.int(2, 4))
  const { truth } = world
  const head = list(headerItems(world, random), random)
  const inHead = random.chance(0.5)
  const rows: string[][] = []
  const treatments = truth.tratamentos
  const codes = random.chance(0.6)
  const names = treatments.map(
    (t, i) =>
      `${codes && inHead ? `T${i + 1} - ` : ''}${i === 0 ? controlWord(random) : inHead ? descriptionOf(world, random, t, i, false) : t.nome}`,
  )
  if (!inHead)
    rows.push([
      random.pick(HEADS.dose),
      ...treatments.map((t, i) =>
        i === 0 ? '–' : t.produtos_aplicados.map((_, p) => doseText(world, i, p)).join(' + '),
      ),
    ])
  if (world.hasModes)
    rows.push([
      random.pick(HEADS.modo),
      ...treatments.map((t) => (t.modalidade ? modeWord(t.modalidade, random) : '–')),
    ])
  if (world.hasCosts)
    rows.push([
      `${random.pick(HEADS.custo)} (R$/ha)`,
      ...treatments.map((t, i) => (i === 0 ? '0,00' : br(t.custo ?? 0))),
    ])
  rows.push([
    `${random.pick(HEADS.produtividade)} (${world.yieldUnit.name})`,
    ...treatments.map((t) => yieldText(world, t.produtividade ?? 0)),
  ])
  world.analyses.forEach((a, k) => {
    rows.push([
      `${a.nome} (${a.unidade})`,
      ...treatments.map((t) => br(t.analises_adicionais[k]?.valor ?? 0, a.digits)),
    ])
  })
  const table = {
    head: [random.pick(['Variável', 'Parâmetro', 'Atributo', '', 'Item']), ...names],
    rows,
    foot: [],
  }
  return {
    html: documentHtml(
      random,
      `${title(random, world)}${head.html}<br>${tableHtml(table, '', caption(random))}${footer(world, random)}`,
      head.style,
    ),
    truth,
  }
}

export const merged: Family = (random) => {
  const world = makeWorld(random)
  const { truth } = world
  const head = list(headerItems(world, random), random)
  const costs = random.chance(0.4)
  const columns: string[] = [random.pick(HEADS.codigo), random.pick(HEADS.produto), random.pick(HEADS.dose)]
  if (costs) columns.push('Custo do produto (R$/ha)')
  if (world.hasModes) columns.push(random.pick(HEADS.modo))
  if (world.hasCosts) columns.push(`${random.pick(['Custo do tratamento', 'Custo total'])} (R$/ha)`)
  columns.push(
    `${random.pick(HEADS.produtividade)} (${world.yieldUnit.name})`,
    ...world.analyses.map((a) => `${a.nome} (${a.unidade})`),
  )
  let html = `<table class="data"><thead><tr>${columns.map((c) => `<th>${esc(c)}</th>`).join('')}</tr></thead><tbody>`
  truth.tratamentos.forEach((t, i) => {
    const span = Math.max(1, t.produtos_aplicados.length)
    for (let p = 0; p < span; p++) {
      html += '<tr>'
      if (p === 0) html += `<td rowspan="${span}">T${i + 1}</td>`
      const product = t.produtos_aplicados[p]
      html += `<td>${esc(i === 0 ? controlWord(random) : (product?.nome ?? ''))}</td><td>${i === 0 ? '–' : doseText(world, i, p)}</td>`
      if (costs) {
        const cost = i === 0 ? null : Number((8 + random.next() * 70).toFixed(2))
        if (product && cost !== null) product.custo = cost
        html += `<td>${cost === null ? '–' : br(cost)}</td>`
      }
      if (p > 0) {
        html += '</tr>'
        continue
      }
      if (world.hasModes)
        html += `<td rowspan="${span}">${t.modalidade ? modeWord(t.modalidade, random) : '–'}</td>`
      html += valueCells(world, random, t, i, false, false, 1)
        .map((c) => `<td rowspan="${span}">${c}</td>`)
        .join('')
      html += '</tr>'
    }
  })
  const style = random.chance(0.75)
    ? 'table.data{border-collapse:collapse}table.data td,table.data th{border:1px solid #444!important;padding:3px 6px}'
    : 'table.data td{vertical-align:top;padding:3px 8px}'
  return {
    html: documentHtml(
      random,
      `${title(random, world)}${head.html}<br>${html}</tbody></table>${footer(world, random)}`,
      head.style + style,
    ),
    truth,
  }
}

export const rotated: Family = (random) => {
  const report = random.chance(0.5) ? keyValue(random) : transposed(random)
  if (random.chance(0.5)) return { ...report, turned: true }
  const style =
    '@page{size:A4;margin:14mm}.turned{transform:rotate(-90deg) translateX(-262mm);transform-origin:top left;width:262mm;height:175mm;position:absolute;left:0;top:0;font-size:.86em}'
  return {
    ...report,
    html: `${report.html.replace('</style>', `${style}</style><div class="turned">`)}</div>`,
  }
}

/** Treatments described in one table, their results in another, costs in a third. */
export const split: Family = (random) => {
  const world = makeWorld(random, random.int(2, 6))
  const { truth } = world
  const head = list(headerItems(world, random), random)
  const code = (i: number): string => `T${i + 1}`
  const first = {
    head: [
      'Tratamento',
      random.pick(['Composição', 'Produtos', 'Descrição']),
      ...(world.hasModes ? [random.pick(HEADS.modo)] : []),
    ],
    rows: truth.tratamentos.map((t, i) => [
      code(i),
      descriptionOf(world, random, t, i, false),
      ...(world.hasModes ? [t.modalidade ? modeWord(t.modalidade, random) : '–'] : []),
    ]),
    foot: [],
  }
  const second = {
    head: [
      'Tratamento',
      `${random.pick(HEADS.produtividade)} (${world.yieldUnit.name})`,
      ...world.analyses.map((a) => `${a.nome} (${a.unidade})`),
    ],
    rows: truth.tratamentos.map((t, i) => [
      code(i),
      `${yieldText(world, t.produtividade ?? 0)} ${random.pick(['a', 'b', ''])}`.trim(),
      ...t.analises_adicionais.map((a, k) => br(a.valor, world.analyses[k]?.digits ?? 1)),
    ]),
    foot: [['CV (%)', '6,1', ...world.analyses.map(() => '4,4')]],
  }
  const third = {
    head: ['Trat.', 'Custo (R$/ha)', 'Receita bruta (R$/ha)'],
    rows: truth.tratamentos.map((t, i) => [
      code(i),
      i === 0 ? '0,00' : br(t.custo ?? 0),
      br(3000 + random.next() * 2000),
    ]),
    foot: [],
  }
  const soil =
    truth.teor_argila !== null && truth.teor_materia_organica !== null && random.chance(0.6)
      ? tableHtml(
          {
            head: ['Profundidade', 'pH', `Argila (${world.soilUnit.name})`, `M.O. (${world.soilUnit.name})`],
            rows: [
              [
                '0-20 cm',
                '5,4',
                br(truth.teor_argila * world.soilUnit.factor, 0),
                br(truth.teor_materia_organica * world.soilUnit.factor, 1),
              ],
              [
                '20-40 cm',
                '5,1',
                br(truth.teor_argila * world.soilUnit.factor * 1.15, 0),
                br(truth.teor_materia_organica * world.soilUnit.factor * 0.6, 1),
              ],
            ],
            foot: [],
          },
          '',
          'Tabela 1. Análise de solo',
        )
      : ''
  const html = soil
    ? list(
        headerItems(
          { ...world, truth: { ...truth, teor_argila: null, teor_materia_organica: null } },
          random,
        ),
        random,
      )
    : head
  const body = `${title(random, world)}${html.html}${soil}${tableHtml(first, '', 'Tabela 2. Tratamentos')}${tableHtml(second, '', 'Tabela 3. Resultados')}${world.hasCosts ? tableHtml(third, '', 'Tabela 4. Custos') : ''}${note(random, world)}${footer(world, random)}`
  return { html: documentHtml(random, body, html.style), truth }
}
