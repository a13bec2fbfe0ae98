import {
  br,
  controlWord,
  descriptionOf,
  documentHtml,
  doseText,
  esc,
  headerItems,
  type Item,
  modeWord,
  type ResultTable,
  resultTable,
  season,
  share,
  tableHtml,
  valueCells,
  yieldText,
} from './pieces.ts'
import type { Random } from './random.ts'
import type { Truth } from './score.ts'
import { HEADS, LABELS, TITLES } from './wording.ts'
import { makeWorld, type World } from './world.ts'

/** A report: how it looks and what is true of it. */
export interface Report {
  html: string
  truth: Truth
  landscape?: boolean
  /** Turned into a picture of the page, with or without a text layer that cannot be trusted. */
  scan?: 'plain' | 'badLayer'
  /** Turned by the page's own entry, a quarter clockwise. */
  turned?: boolean
  /** Parts marked with class 'photo' are printed as pictures. */
  photo?: string
}

export type Family = (random: Random) => Report

const footer = (world: World, random: Random): string =>
  random.chance(0.5)
    ? `<footer>${esc(world.truth.consultoria ?? 'Relatório')} · ${world.officeCity}${random.chance(0.4) ? ` · Emitido em 12/03/${(world.truth.ano ?? 2023) + 1}` : ''}</footer>`
    : ''

const title = (random: Random, world: World): string =>
  `<h1>${random.pick(TITLES)}${random.chance(0.4) ? ` – ${world.truth.cultura}` : ''}</h1>`

const caption = (random: Random): string =>
  random.pick([
    'Tabela 1. Resultados por tratamento',
    'Quadro 1 - Produtividade e custos',
    '',
    'Resultados',
    'Tabela 2 – Tratamentos e rendimento',
  ])

const note = (random: Random, world: World): string =>
  random.pick([
    '',
    '<p class="caption">Médias seguidas da mesma letra não diferem entre si pelo teste de Tukey a 5%.</p>',
    `<p class="caption">Produtos da ${world.otherBrand} foram usados apenas como referência em outros ensaios.</p>`,
    `<p class="caption">Em área vizinha, em ${world.neighbourCity}, a média da safra anterior foi de 3.210 kg/ha.</p>`,
  ])

function list(items: readonly Item[], random: Random): { html: string; style: string } {
  const kind = random.int(0, 6)
  const row = (i: Item): [string, string] => [esc(i.label), esc(i.value)]
  if (kind === 0)
    return {
      html: items.map((i) => `<p class="kv"><b>${row(i)[0]}:</b> ${row(i)[1]}</p>`).join(''),
      style: '.kv{margin:2px 0}',
    }
  if (kind === 1)
    return {
      html: `<div>${items.map((i) => `<div class="lead"><span>${row(i)[0]}</span><i></i><span>${row(i)[1]}</span></div>`).join('')}</div>`,
      style: '.lead{display:flex}.lead i{flex:1;border-bottom:1px dotted #555;margin:0 6px}',
    }
  if (kind === 2)
    return {
      html: `<table class="form">${items.map((i) => `<tr><th>${row(i)[0]}</th><td>${row(i)[1]}</td></tr>`).join('')}</table>`,
      style: '.form td,.form th{border:1px solid #777;padding:2px 8px}.form{border-collapse:collapse}',
    }
  if (kind === 3) {
    let html = '<table class="form">'
    for (let k = 0; k < items.length; k += 2) {
      const [a, b] = [items[k], items[k + 1]]
      html += `<tr><td><b>${esc(a?.label ?? '')}:</b> ${esc(a?.value ?? '')}</td><td>${b ? `<b>${esc(b.label)}:</b> ${esc(b.value)}` : ''}</td></tr>`
    }
    return {
      html: `${html}</table>`,
      style: '.form td{border:1px solid #777;padding:3px 8px}.form{border-collapse:collapse;width:100%}',
    }
  }
  if (kind === 4) {
    let html = '<table class="form">'
    for (let k = 0; k < items.length; k += 2) {
      const [a, b] = [items[k], items[k + 1]]
      html += `<tr><th>${esc(a?.label ?? '')}</th><td>${esc(a?.value ?? '')}</td><th>${esc(b?.label ?? '')}</th><td>${esc(b?.value ?? '')}</td></tr>`
    }
    return {
      html: `${html}</table>`,
      style: `.form td,.form th{${random.chance(0.6) ? 'border:1px solid #999;' : ''}padding:3px 9px}.form{border-collapse:collapse}.form th{background:#eee}`,
    }
  }
  if (kind === 5)
    return {
      html: `<table class="form">${items.map((i) => `<tr><td>${row(i)[0]}</td><td>${row(i)[1]}</td></tr>`).join('')}</table>`,
      style: '.form td{padding:2px 26px 2px 0}',
    }
  return {
    html: `<div class="cols">${items.map((i) => `<div class="f"><small>${row(i)[0]}</small><br>${row(i)[1]}</div>`).join('')}</div>`,
    style:
      '.cols{display:grid;grid-template-columns:1fr 1fr 1fr;gap:9px 16px}.f{border-bottom:1px solid #bbb}small{color:#555;font-size:.75em}',
  }
}

const keyValue: Family = (random) => {
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

function paragraphs(world: World, random: Random): string[] {
  const { truth } = world
  const out: string[] = []
  const who = truth.consultoria
    ? random.pick([
        `O ensaio foi conduzido pela ${truth.consultoria}`,
        `A ${truth.consultoria} instalou o experimento`,
        `O trabalho foi realizado pela equipe da ${truth.consultoria}`,
        `Sob responsabilidade da ${truth.consultoria}, o estudo foi conduzido`,
      ])
    : 'O ensaio foi conduzido'
  const where = random.pick([
    `no município de ${truth.cidade}, ${truth.estado}`,
    `em ${truth.cidade} (${truth.estado})`,
    `em ${truth.cidade}-${truth.estado}`,
    `na Fazenda São João, em ${truth.cidade}/${truth.estado}`,
  ])
  const when =
    truth.ano === null
      ? ''
      : random.pick([
          ` na safra ${season(random, truth.ano)}`,
          `, durante a safra ${season(random, truth.ano)}`,
          ` no ano agrícola ${truth.ano}/${truth.ano + 1}`,
          `. A semeadura foi feita em 18 de outubro de ${truth.ano}`,
          ` em ${truth.ano}`,
        ])
  out.push(`${who} ${where}${when}.`)
  if (truth.latitude !== null && truth.longitude !== null)
    out.push(
      `As coordenadas da área são ${Math.abs(truth.latitude).toFixed(4).replace('.', ',')}° S e ${Math.abs(truth.longitude).toFixed(4).replace('.', ',')}° W.`,
    )
  if (truth.cultivar)
    out.push(
      random.pick([
        `Utilizou-se ${truth.cultura === 'Milho' ? 'o híbrido' : 'a cultivar'} ${truth.cultivar} de ${truth.cultura?.toLowerCase()}.`,
        `A cultura avaliada foi ${truth.cultura?.toLowerCase()}, cultivar ${truth.cultivar}.`,
        `A área foi cultivada com ${truth.cultura?.toLowerCase()} (cv. ${truth.cultivar}).`,
      ]),
    )
  else out.push(`A cultura avaliada foi ${truth.cultura?.toLowerCase()}.`)
  if (truth.teor_argila !== null && truth.teor_materia_organica !== null)
    out.push(
      random.pick([
        `O solo apresenta ${share(world, truth.teor_argila)} de argila e ${share(world, truth.teor_materia_organica)} de matéria orgânica na camada de 0-20 cm.`,
        `A análise de solo indicou teor de argila de ${share(world, truth.teor_argila)} e matéria orgânica de ${share(world, truth.teor_materia_organica)}.`,
      ]),
    )
  else if (truth.teor_argila !== null)
    out.push(`O solo da área tem ${share(world, truth.teor_argila)} de argila.`)
  else if (truth.teor_materia_organica !== null)
    out.push(`O teor de matéria orgânica do solo é de ${share(world, truth.teor_materia_organica)}.`)
  if (truth.tipo_estatistica === 'Blocos Casualizados')
    out.push(
      random.pick([
        'Adotou-se o delineamento em blocos casualizados, com quatro repetições.',
        'O delineamento foi o de blocos ao acaso (DBC), com 5 repetições.',
      ]),
    )
  else if (truth.tipo_estatistica === 'Inteiramente Casualizado')
    out.push('O delineamento experimental foi inteiramente casualizado, com seis repetições.')
  else if (truth.tipo_estatistica === 'ANOVA')
    out.push('Os dados foram submetidos à análise de variância e as médias comparadas pelo teste de Tukey.')
  const bu =
    truth.bu === null
      ? ''
      : ` (${random.pick(['divisão de', 'BU', 'unidade de negócio'])} ${{ BU1: 'Nutrição', BU2: 'Proteção', BU3: 'Adjuvantes' }[truth.bu]})`
  if (truth.marca !== 'Concorrente')
    out.push(
      random.pick([
        `Foram avaliados produtos da ${truth.marca}${bu}.`,
        `O protocolo, da marca ${truth.marca}${bu}, buscou elevar a produtividade.`,
        `O estudo foi feito em parceria com a ${truth.marca}${bu}.`,
      ]),
    )
  else out.push(`Marca: Concorrente${bu}.`)
  if (truth.regional) out.push(`A área pertence à regional ${truth.regional}.`)
  if (random.chance(0.4)) out.push(`Produtos da ${world.otherBrand} entraram apenas como comparativo.`)
  if (random.chance(0.3)) out.push(`A área vinha de soja em sucessão a milheto na safra anterior.`)
  return out
}

function economics(world: World, random: Random): string {
  const { custo_protocolo: cost, roi } = world.truth
  const parts: string[] = []
  if (cost !== null)
    parts.push(
      random.pick([
        `O custo do protocolo foi de R$ ${br(cost)} por hectare.`,
        `O investimento no programa somou R$ ${br(cost)}/ha.`,
        `O protocolo custou R$ ${br(cost)} por hectare.`,
      ]),
    )
  if (roi !== null)
    parts.push(
      random.pick([
        `O retorno líquido (ROI) foi de R$ ${br(roi)} por hectare.`,
        `O ROI alcançado foi de R$ ${br(roi)}/ha, ou ${random.int(120, 400)}%.`,
        `O lucro líquido adicional chegou a R$ ${br(roi)}/ha.`,
      ]),
    )
  return parts.join(' ')
}

/** Prose does not say what the world has but no sentence carries. */
const proseTruth = (world: World): Truth => world.truth

const prose: Family = (random) => {
  const world = makeWorld(random)
  const text = paragraphs(world, random)
  const cut = random.int(3, Math.max(3, text.length - 2))
  const body = `${title(random, world)}<h2>${random.pick(['Material e Métodos', '2. Metodologia', 'Introdução'])}</h2><p style="text-align:justify">${esc(text.slice(0, cut).join(' '))}</p><p style="text-align:justify">${esc(text.slice(cut).join(' '))}</p><h2>Resultados</h2>${tableHtml(resultTable(world, random), '', caption(random))}<p>${esc(economics(world, random))}</p>${note(random, world)}${footer(world, random)}`
  return { html: documentHtml(random, body, 'p{line-height:1.4}'), truth: proseTruth(world) }
}

const paper: Family = (random) => {
  const world = makeWorld(random, random.int(2, 4))
  world.analyses.splice(1)
  for (const t of world.truth.tratamentos) t.analises_adicionais.splice(1)
  const text = paragraphs(world, random)
  const filler =
    'A agricultura brasileira tem buscado tecnologias que elevem a eficiência do uso de insumos, com ganhos de produtividade e menor impacto ambiental. Estudos de campo em condições reais de cultivo permitem avaliar a resposta das plantas às tecnologias disponíveis e orientar a tomada de decisão do produtor rural em diferentes ambientes.'
  const table = resultTable(world, random, { code: false, doseColumn: true })
  const body = `<h1 style="text-align:center">Resposta da cultura de ${world.truth.cultura?.toLowerCase()} a tecnologias de manejo</h1><p style="text-align:center"><small>Revista de Pesquisa Aplicada, v. 12, p. 33-41, ${(world.truth.ano ?? 2022) + 2}</small></p><div class="two"><h2>Introdução</h2><p>${filler}</p><h2>Material e métodos</h2><p>${esc(text.join(' '))}</p><p>${filler}</p>${random.chance(0.5) ? tableHtml(table, '', 'Tabela 1. Produtividade em função dos tratamentos.') : ''}<h2>Resultados e discussão</h2><p>${esc(economics(world, random))} ${filler}</p><p>${filler}</p></div>`
  const inside = body.includes('class="data')
  return {
    html: documentHtml(
      random,
      inside ? body : `${body}${tableHtml(table, '', 'Tabela 1. Produtividade em função dos tratamentos.')}`,
      '.two{column-count:2;column-gap:22px;text-align:justify;font-size:.9em}.two table{font-size:.74em}.two table.data td,.two table.data th{padding:2px 3px}' +
        (random.chance(0.7) ? '.two table{break-inside:avoid}' : ''),
    ),
    truth: world.truth,
  }
}

const sheet: Family = (random) => {
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

const slides: Family = (random) => {
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

const transposed: Family = (random) => {
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

const merged: Family = (random) => {
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

const rotated: Family = (random) => {
  const report = random.chance(0.5) ? keyValue(random) : transposed(random)
  if (random.chance(0.5)) return { ...report, turned: true }
  const style =
    '@page{size:A4;margin:14mm}.turned{transform:rotate(-90deg) translateX(-262mm);transform-origin:top left;width:262mm;height:175mm;position:absolute;left:0;top:0;font-size:.86em}'
  return {
    ...report,
    html: `${report.html.replace('</style>', `${style}</style><div class="turned">`)}</div>`,
  }
}

const long: Family = (random) => {
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

const memo: Family = (random) => {
  const world = makeWorld(random, random.int(2, 5))
  const { truth } = world
  world.analyses.splice(0)
  for (const t of truth.tratamentos) t.analises_adicionais = []
  const verb = random.pick([': ', ' – ', ' – produziu ', ': produtividade de '])
  const bullets = truth.tratamentos
    .map((t, i) => {
      const what =
        i === 0
          ? controlWord(random)
          : t.produtos_aplicados.map((p, k) => `${p.nome} (${doseText(world, i, k)})`).join(' + ')
      const how = t.modalidade && i > 0 ? `, ${modeWord(t.modalidade, random).toLowerCase()}` : ''
      const cost =
        t.custo && i > 0
          ? random.pick([`; custo de R$ ${br(t.custo)}/ha`, `, custo R$ ${br(t.custo)}/ha`])
          : ''
      return `<li>T${i + 1} - ${esc(what)}${how}${verb}${yieldText(world, t.produtividade ?? 0)} ${world.yieldUnit.name}${cost}</li>`
    })
    .join('')
  const items = headerItems(world, random)
  const body = `<p><b>De:</b> ${esc(truth.consultoria ?? 'Equipe técnica')}<br><b>Para:</b> Diretoria comercial<br><b>Assunto:</b> resultado do ensaio de ${truth.cultura?.toLowerCase()}</p>${random.chance(0.5) ? `<p>${esc(paragraphs(world, random).join(' '))}</p><p>${esc(economics(world, random))}</p>` : `<ul>${items.map((i) => `<li>${esc(i.label)}: ${esc(i.value)}</li>`).join('')}</ul>`}<p><b>${random.pick(['Tratamentos e resultados', 'O que foi testado'])}</b></p><ul>${bullets}</ul><p>Atenciosamente,</p>`
  return { html: documentHtml(random, body, 'li{margin:3px 0}'), truth }
}

const checks: Family = (random) => {
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

const dashboard: Family = (random) => {
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

const fixedWidth: Family = (random) => {
  const world = makeWorld(random, random.int(2, 6))
  const items = headerItems(world, random)
  const wide = Math.max(...items.map((i) => i.label.length)) + 1
  const dots = random.chance(0.5)
  const lines = items.map((i) => `${i.label.padEnd(wide, dots ? '.' : ' ')}: ${i.value}`)
  const table = resultTable(world, random)
  const all = [table.head, ...table.rows, ...table.foot]
  const widths = table.head.map((_, c) => Math.max(...all.map((r) => (r[c] ?? '').length)) + 2)
  const total = widths.reduce((a, b) => a + b, 0)
  const line = (row: readonly string[]): string =>
    row
      .map((cell, c) =>
        /^[\d.,-]/.test(cell) && c > 0
          ? cell.padStart((widths[c] ?? 2) - 2).padEnd(widths[c] ?? 2)
          : cell.padEnd(widths[c] ?? 2),
      )
      .join('')
  const rule = '-'.repeat(total)
  const text = [
    'RELATORIO DE ENSAIO',
    rule,
    ...lines,
    rule,
    line(table.head),
    rule,
    ...table.rows.map(line),
    rule,
    ...table.foot.map(line),
  ].join('\n')
  const size = Math.min(9.5, 178 / 0.212 / Math.max(total, 60))
  return {
    html: documentHtml(
      random,
      `<pre style="font:${size.toFixed(1)}pt 'DejaVu Sans Mono',monospace">${esc(text)}</pre>`,
    ),
    truth: world.truth,
  }
}

const scan: Family = (random) => {
  const report = random.pick([keyValue, keyValue, merged, transposed, prose, memo])(random)
  return { ...report, scan: 'plain' }
}
const badLayer: Family = (random) => ({ ...keyValue(random), scan: 'badLayer' })

const pasted: Family = (random) => {
  const world = makeWorld(random, random.int(2, 5))
  const head = list(headerItems(world, random), random)
  const table = tableHtml(resultTable(world, random))
  const photo = documentHtml(random, table, '', 'size:A4;margin:6mm')
  return {
    html: documentHtml(
      random,
      `${title(random, world)}${head.html}<br><img src="PHOTO" style="width:170mm">${footer(world, random)}`,
      head.style,
    ),
    photo,
    truth: world.truth,
  }
}

/** Treatments described in one table, their results in another, costs in a third. */
const split: Family = (random) => {
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

export const FAMILIES: Readonly<Record<string, Family>> = {
  keyValue,
  prose,
  paper,
  sheet,
  slides,
  transposed,
  merged,
  split,
  rotated,
  long,
  memo,
  checks,
  dashboard,
  fixedWidth,
  pasted,
  scan,
  badLayer,
}
