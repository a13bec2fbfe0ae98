import {
  br,
  controlWord,
  documentHtml,
  doseText,
  esc,
  headerItems,
  modeWord,
  resultTable,
  season,
  share,
  tableHtml,
  yieldText,
} from '../pieces.ts'
import type { Random } from '../random.ts'
import type { Truth } from '../score.ts'
import { makeWorld, type World } from '../world.ts'
import { caption, type Family, footer, note, title } from './report.ts'

export function paragraphs(world: World, random: Random): string[] {
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

export function economics(world: World, random: Random): string {
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
export const proseTruth = (world: World): Truth => world.truth

export const prose: Family = (random) => {
  const world = makeWorld(random)
  const text = paragraphs(world, random)
  const cut = random.int(3, Math.max(3, text.length - 2))
  const body = `${title(random, world)}<h2>${random.pick(['Material e Métodos', '2. Metodologia', 'Introdução'])}</h2><p style="text-align:justify">${esc(text.slice(0, cut).join(' '))}</p><p style="text-align:justify">${esc(text.slice(cut).join(' '))}</p><h2>Resultados</h2>${tableHtml(resultTable(world, random), '', caption(random))}<p>${esc(economics(world, random))}</p>${note(random, world)}${footer(world, random)}`
  return { html: documentHtml(random, body, 'p{line-height:1.4}'), truth: proseTruth(world) }
}

export const paper: Family = (random) => {
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

export const memo: Family = (random) => {
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

export const fixedWidth: Family = (random) => {
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
