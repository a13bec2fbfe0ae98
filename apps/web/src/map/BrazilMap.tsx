import 'leaflet/dist/leaflet.css'
import './map.css'
import {
  brandColour,
  formatCurrency,
  formatNumber,
  MAP_HEIGHT_PX,
  MAP_MARKER_RADIUS_PX,
  MAP_SHARED_DECIMALS,
  MAP_SPREAD_DEGREES,
  type MapPlace,
  type MapPoint,
} from '@ensaio/domain'
import L from 'leaflet'
import { useEffect, useRef } from 'react'
import { createMap } from './basemap.ts'
import { useTiles } from './tiles.ts'

export type MapFrame = { bbox: string; zoom: number }

type Props = {
  points: readonly MapPoint[]
  places: readonly MapPlace[]
  onFrame: (frame: MapFrame) => void
  onDetails: (id: string) => void
}

/** Brazil with one circle for every experiment, or one for every joined place. */
export function BrazilMap({ points, places, onFrame, onDetails }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const map = useRef<L.Map | null>(null)
  const layer = useRef<L.LayerGroup | null>(null)
  const handlers = useRef({ onFrame, onDetails })
  handlers.current = { onFrame, onDetails }
  const tiles = useTiles()

  useEffect(() => {
    if (!frame.current || !tiles) return
    const made = createMap(frame.current, tiles, { scrollWheelZoom: false })
    made.on('moveend', () => {
      handlers.current.onFrame({ bbox: made.getBounds().pad(0.1).toBBoxString(), zoom: made.getZoom() })
    })
    // The wheel scrolls the page until the map is being used.
    made.on('focus click', () => made.scrollWheelZoom.enable())
    made.on('blur', () => made.scrollWheelZoom.disable())
    map.current = made
    layer.current = L.layerGroup().addTo(made)
    return () => {
      map.current = null
      layer.current = null
      made.remove()
    }
  }, [tiles])

  useEffect(() => {
    const group = layer.current
    if (!group || !tiles) return
    group.clearLayers()
    for (const { point, place } of spread(points)) {
      circle(place, point.marca)
        .bindPopup(() => popup(point, (id) => handlers.current.onDetails(id)), { maxWidth: 300 })
        .on('add', (event) => makeReachable(event.target as L.CircleMarker, point))
        .addTo(group)
    }
    const shown = map.current
    if (shown) for (const place of apart(places, shown)) joinedMarker(place, shown).addTo(group)
  }, [points, places, tiles])

  return (
    <section aria-label="Mapa de experimentos">
      <div ref={frame} className="map-frame w-full" style={{ height: MAP_HEIGHT_PX }} />
    </section>
  )
}

function circle(place: L.LatLngExpression, marca: string): L.CircleMarker {
  return L.circleMarker(place, {
    radius: MAP_MARKER_RADIUS_PX,
    color: '#ffffff',
    weight: 3,
    fillColor: brandColour(marca),
    fillOpacity: 0.8,
  })
}

/** Experiments that share coordinates stand on a circle around them. */
function spread(points: readonly MapPoint[]): { point: MapPoint; place: L.LatLngTuple }[] {
  const shared = Map.groupBy(
    points,
    ({ lat, lng }) => `${lat.toFixed(MAP_SHARED_DECIMALS)};${lng.toFixed(MAP_SHARED_DECIMALS)}`,
  )
  return [...shared.values()].flatMap((group) =>
    group.map((point, index) => {
      if (group.length === 1) return { point, place: [point.lat, point.lng] }
      const angle = (2 * Math.PI * index) / group.length
      return {
        point,
        place: [
          point.lat + MAP_SPREAD_DEGREES * Math.sin(angle),
          point.lng + MAP_SPREAD_DEGREES * Math.cos(angle),
        ],
      }
    }),
  )
}

/** A marker drawn as SVG takes the keyboard like a button. */
function makeReachable(marker: L.CircleMarker, point: MapPoint): void {
  const element = marker.getElement()
  if (!(element instanceof SVGElement)) return
  element.setAttribute('tabindex', '0')
  element.setAttribute('role', 'button')
  element.setAttribute(
    'aria-label',
    `${point.cidade}/${point.estado}, ${point.cultura}, ${point.marca}, ${point.ano}`,
  )
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    marker.openPopup()
  })
}

/** Joins places whose circles would cover each other at this zoom; the larger one's spot stays. */
function apart(places: readonly MapPlace[], map: L.Map): MapPlace[] {
  const kept: (MapPlace & { at: L.Point })[] = []
  for (const place of [...places].sort((a, b) => b.n - a.n)) {
    const at = map.project([place.lat, place.lng], map.getZoom())
    const near = kept.find((other) => at.distanceTo(other.at) < (sizeOf(other.n) + sizeOf(place.n)) / 2)
    if (near) near.n += place.n
    else kept.push({ ...place, at })
  }
  return kept
}

/** The diameter of a joined place, in pixels. */
const sizeOf = (n: number) => Math.min(52, 26 + 2 * Math.log2(n))

function joinedMarker(place: MapPlace, map: L.Map): L.Marker {
  const size = sizeOf(place.n)
  const face = document.createElement('span')
  face.textContent = formatNumber(place.n, 0)
  const marker = L.marker([place.lat, place.lng], {
    icon: L.divIcon({ className: 'place-marker', iconSize: [size, size], html: face }),
    alt: `${formatNumber(place.n, 0)} experimentos em ${place.cidade}/${place.estado}`,
    title: `${formatNumber(place.n, 0)} experimentos em ${place.cidade}/${place.estado} e arredores`,
  })
  marker.on('click keypress', () => {
    map.flyTo([place.lat, place.lng], Math.min(17, map.getZoom() + 2))
  })
  return marker
}

/** Built of text nodes: nothing that a person typed is ever read as markup. */
function popup(point: MapPoint, onDetails: (id: string) => void): HTMLElement {
  const box = document.createElement('div')
  const title = document.createElement('p')
  title.className = 'text-base font-semibold'
  title.textContent = `${point.cidade}/${point.estado}`
  box.append(title)
  const badge = (text: string) => {
    const element = document.createElement('p')
    element.className = 'mt-1 inline-block rounded-full bg-accent-soft px-2 py-0.5 font-medium text-accent'
    element.textContent = text
    box.append(element)
  }
  if (point.no_local > 1) badge(`${point.no_local} experimentos aqui`)
  if (point.aproximada) badge('localização aproximada')
  const list = document.createElement('dl')
  list.className = 'mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 figures'
  const facts: [string, string][] = [
    ['Consultoria', point.consultoria],
    ['Marca', point.marca],
    ['Cultura', point.cultura],
    ['Ano', String(point.ano)],
    ['Produtividade', `${formatNumber(point.produtividade_media, 0)} kg/ha`],
    ['ROI', formatCurrency(point.roi)],
    ['Regional', point.regional],
    ['Tratamentos', formatNumber(point.n_tratamentos, 0)],
  ]
  for (const [name, value] of facts) {
    const term = document.createElement('dt')
    term.className = 'text-muted'
    term.textContent = `${name}:`
    const text = document.createElement('dd')
    text.textContent = value
    list.append(term, text)
  }
  box.append(list)
  const details = document.createElement('button')
  details.type = 'button'
  details.className = 'mt-3 font-medium text-accent underline-offset-4 hover:underline'
  details.textContent = 'Ver detalhes'
  details.addEventListener('click', () => onDetails(point.id))
  box.append(details)
  return box
}
