import { MAP_CENTRE, MAP_ZOOM } from '@ensaio/domain'
import outline from '@ensaio/domain/estados' with { type: 'json' }
import L from 'leaflet'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

export type Tiles = { url: string | null; attribution: string }

/** What the library keeps to itself of what goes on by a clock. */
type Clocks = { _animatingZoom: boolean; scrollWheelZoom: { _timer?: number } }

/** Takes a map away, whatever movement it is in. */
export function removeMap(map: L.Map): void {
  // It lets the end of a zoom and a turn of the wheel come when the map is gone, and fails on what is missing then.
  const clocks = map as unknown as Clocks
  clocks._animatingZoom = false
  clearTimeout(clocks.scrollWheelZoom._timer)
  map.remove()
}

/** Brazil at zoom 4: tiles when they can be had, over the outline of the 27 states, which needs none. */
export function createMap(frame: HTMLElement, tiles: Tiles, options: L.MapOptions = {}): L.Map {
  const map = L.map(frame, {
    center: [MAP_CENTRE.latitude, MAP_CENTRE.longitude],
    zoom: MAP_ZOOM,
    minZoom: 3,
    maxZoom: 17,
    worldCopyJump: true,
    zoomControl: false,
    ...options,
  })
  L.control.zoom({ zoomInTitle: 'Aproximar', zoomOutTitle: 'Afastar' }).addTo(map)
  map.on('popupopen', ({ popup }) => {
    const close = popup.getElement()?.querySelector('.leaflet-popup-close-button')
    close?.setAttribute('aria-label', 'Fechar o balão')
  })
  map.attributionControl.setPrefix(false)
  map.createPane('outline').style.zIndex = '150'
  // A file's `type` is read as any text, where the library asks for the word itself.
  const topology = outline as unknown as Topology
  const states = feature(topology, topology.objects['states'] as GeometryCollection)
  L.geoJSON(states, {
    pane: 'outline',
    interactive: false,
    style: { className: 'state-outline', weight: 1 },
    attribution: 'Natural Earth',
  }).addTo(map)
  if (tiles.url) {
    const layer = L.tileLayer(tiles.url, { attribution: tiles.attribution, maxZoom: 19 })
    // Without tiles the outline is the map: nothing to be told about it.
    layer.once('tileerror', () => layer.getContainer()?.classList.add('tiles-missing'))
    layer.addTo(map)
  }
  return map
}
