import 'leaflet/dist/leaflet.css'
import './map.css'
import {
  brandColour,
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
import { createMap, removeMap } from './basemap.ts'
import { gainColour } from './gain-colour.ts'
import { popupOf } from './popup.ts'
import { roveByArrows } from './roving.ts'
import { useTiles } from './tiles.ts'

export type MapFrame = { bbox: string; zoom: number }

type Props = {
  points: readonly MapPoint[]
  places: readonly MapPlace[]
  /** By brand, or by the gain over the control. */
  colours: 'marca' | 'ganho'
  onFrame: (frame: MapFrame) => void
  onDetails: (id: string) => void
  onSynthesis: (product: string) => void
}

/** Brazil with one circle for every experiment, or one for every joined place. */
export function BrazilMap({ points, places, colours, onFrame, onDetails, onSynthesis }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const map = useRef<L.Map | null>(null)
  const layer = useRef<L.LayerGroup | null>(null)
  const handlers = useRef({ onFrame, onDetails, onSynthesis })
  handlers.current = { onFrame, onDetails, onSynthesis }
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
    const stopRoving = roveByArrows(frame.current, '.leaflet-interactive[role="button"]')
    const stopPrinting = fitPaper(frame.current, made)
    return () => {
      stopPrinting()
      stopRoving()
      map.current = null
      layer.current = null
      removeMap(made)
    }
  }, [tiles])

  useEffect(() => {
    const group = layer.current
    if (!group || !tiles) return
    group.clearLayers()
    const shown = map.current
    if (!shown) return
    const drawn = spread(points).map(({ point, place }) => ({
      point,
      marker: circle(place, colourOf(point, colours)),
    }))
    const numbers = L.layerGroup().addTo(group)
    let spots = new Map<MapPoint, readonly MapPoint[]>()
    const number = () => {
      spots = new Map()
      numbers.clearLayers()
      for (const spot of spotsOf(drawn, shown)) {
        for (const { point } of spot)
          spots.set(
            point,
            spot.map(({ point }) => point),
          )
        if (spot.length > 1) numberOf(spot).addTo(numbers)
      }
    }
    number()
    shown.on('zoomend', number)
    for (const { point, marker } of drawn) {
      let open: HTMLElement | null = null
      const content = () => {
        // Asked for again when its size has changed: what is being led through goes on.
        if (!open?.isConnected)
          open = popupOf(spots.get(point) ?? [point], point, {
            onDetails: (id) => handlers.current.onDetails(id),
            onSynthesis: (product) => handlers.current.onSynthesis(product),
            onTurn: () => marker.getPopup()?.update(),
          })
        return open
      }
      marker
        .bindPopup(content, { maxWidth: 300 })
        .on('add', () => makeReachable(marker, point))
        .addTo(group)
    }
    for (const place of apart(places, shown)) joinedMarker(place, shown, colours).addTo(group)
    return () => {
      shown.off('zoomend', number)
    }
  }, [points, places, colours, tiles])

  return (
    <section aria-label="Mapa de experimentos">
      <div ref={frame} className="map-frame w-full" style={{ height: MAP_HEIGHT_PX }} />
    </section>
  )
}

const colourOf = (point: MapPoint, colours: Props['colours']): string =>
  colours === 'ganho' ? gainColour(point.ganho_percent) : brandColour(point.marca)

function circle(place: L.LatLngExpression, colour: string): L.CircleMarker {
  return L.circleMarker(place, {
    radius: MAP_MARKER_RADIUS_PX,
    color: '#ffffff',
    weight: 3,
    fillColor: colour,
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

type Drawn = { point: MapPoint; marker: L.CircleMarker }

/** Circles that cannot be told apart at this zoom are one spot. */
function spotsOf(drawn: readonly Drawn[], map: L.Map): Drawn[][] {
  const spots: { at: L.Point; of: Drawn[] }[] = []
  for (const one of drawn) {
    const at = map.latLngToLayerPoint(one.marker.getLatLng())
    const near = spots.find((spot) => at.distanceTo(spot.at) < MAP_MARKER_RADIUS_PX)
    if (near) near.of.push(one)
    else spots.push({ at, of: [one] })
  }
  return spots.map(({ of }) => of)
}

/** How many stand at a spot, at its shoulder: the circle below keeps its colour. */
function numberOf(spot: readonly Drawn[]): L.Marker {
  const face = document.createElement('span')
  face.textContent = formatNumber(spot.length, 0)
  const [first] = spot
  return L.marker(first?.marker.getLatLng() ?? [0, 0], {
    interactive: false,
    keyboard: false,
    icon: L.divIcon({ className: 'spot-number', iconSize: [20, 18], iconAnchor: [-3, 20], html: face }),
  })
}

/** A marker drawn as SVG takes the keyboard like a button. */
function makeReachable(marker: L.CircleMarker, point: MapPoint): void {
  const element = marker.getElement()
  if (!(element instanceof SVGElement)) return
  element.setAttribute('tabindex', '-1')
  element.setAttribute('role', 'button')
  element.setAttribute(
    'aria-label',
    `${point.cidade}/${point.estado}, ${point.cultura}, ${point.marca}, ${point.ano}`,
  )
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    marker.openPopup()
    const box = marker.getPopup()?.getElement()
    box?.querySelector('button')?.focus()
    box?.addEventListener('keydown', (within) => {
      if (within.key !== 'Escape') return
      within.stopPropagation()
      marker.closePopup()
      element.focus()
    })
  })
}

/** As wide as a page between its margins. */
const PAPER_PX = 660

/** On paper the same middle at the same zoom, in the paper's width. */
function fitPaper(frame: HTMLElement, map: L.Map): () => void {
  const resize = (width: string) => {
    const [centre, zoom] = [map.getCenter(), map.getZoom()]
    frame.style.width = width
    map.invalidateSize({ animate: false, pan: false })
    map.setView(centre, zoom, { animate: false })
  }
  const before = () => {
    map.closePopup()
    resize(`${PAPER_PX}px`)
  }
  const after = () => resize('')
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
  }
}

/** Joins places whose circles would cover each other at this zoom; the larger one's spot stays. */
function apart(places: readonly MapPlace[], map: L.Map): MapPlace[] {
  const kept: (MapPlace & { at: L.Point })[] = []
  for (const place of [...places].sort((a, b) => b.n - a.n)) {
    const at = map.project([place.lat, place.lng], map.getZoom())
    const near = kept.find((other) => at.distanceTo(other.at) < (sizeOf(other.n) + sizeOf(place.n)) / 2)
    if (near) {
      near.ganho_percent = joinedGain(near, place)
      near.n += place.n
    } else kept.push({ ...place, at })
  }
  return kept
}

/** Of two places together; good for a colour. */
function joinedGain(a: MapPlace, b: MapPlace): number | null {
  if (a.ganho_percent === null || b.ganho_percent === null) return a.ganho_percent ?? b.ganho_percent
  return (a.ganho_percent * a.n + b.ganho_percent * b.n) / (a.n + b.n)
}

/** The diameter of a joined place, in pixels. */
const sizeOf = (n: number) => Math.min(52, 26 + 2 * Math.log2(n))

function joinedMarker(place: MapPlace, map: L.Map, colours: Props['colours']): L.Marker {
  const size = sizeOf(place.n)
  const face = document.createElement('span')
  face.textContent = formatNumber(place.n, 0)
  const gain = colours === 'ganho' ? place.ganho_percent : null
  if (gain !== null) {
    face.className = 'place-gain'
    face.style.backgroundColor = gainColour(gain)
  }
  const told = gain === null ? '' : `, ganho médio de ${formatNumber(gain, 1)} %`
  const marker = L.marker([place.lat, place.lng], {
    icon: L.divIcon({ className: 'place-marker', iconSize: [size, size], html: face }),
    alt: `${formatNumber(place.n, 0)} experimentos em ${place.cidade}/${place.estado}${told}`,
    title: `${formatNumber(place.n, 0)} experimentos em ${place.cidade}/${place.estado} e arredores${told}`,
  })
  const nearer = () => map.flyTo([place.lat, place.lng], Math.min(17, map.getZoom() + 2))
  marker.on('click', nearer)
  marker.on('keypress', ({ originalEvent }) => {
    if (originalEvent.key === 'Enter' || originalEvent.key === ' ') nearer()
  })
  return marker
}
