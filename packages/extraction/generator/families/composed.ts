import { br, coordinateText, esc, type Item, share, TABLE_STYLES } from '../pieces.ts'
import { type Random, seeded } from '../random.ts'
import { DESIGNS, LABELS, TITLES, UNITS } from '../wording.ts'
import { makeWorld, type World } from '../world.ts'
import { tellTreatments } from './composed-tables.ts'
import { type House, houseOf, section } from './house.ts'
import { type Family, list, type Report } from './report.ts'

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
  const season = house.pick('season', [
    String(year),
    // The year of a trial is that of its harvest.
    `${year - 1}/${year % 100}`,
    `${year - 1}/${year}`,
  ])
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
