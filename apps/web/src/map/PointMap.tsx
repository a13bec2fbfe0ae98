import 'leaflet/dist/leaflet.css'
import './map.css'
import L from 'leaflet'
import { useEffect, useRef } from 'react'
import { createMap, removeMap } from './basemap.ts'
import { useTiles } from './tiles.ts'

type Point = { latitude: number; longitude: number }
type Props = { point: Point | null; onMove: (point: Point) => void; label: string }

/** A small map with one point that can be dragged, or put by a click. */
export function PointMap({ point, onMove, label }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const shown = useRef<{ map: L.Map; marker: L.Marker | null } | null>(null)
  const move = useRef(onMove)
  move.current = onMove
  const tiles = useTiles()

  useEffect(() => {
    if (!frame.current || !tiles) return
    const map = createMap(frame.current, tiles, { scrollWheelZoom: false })
    shown.current = { map, marker: null }
    map.on('click', ({ latlng }) => move.current({ latitude: latlng.lat, longitude: latlng.wrap().lng }))
    return () => {
      shown.current = null
      removeMap(map)
    }
  }, [tiles])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is made anew with other tiles
  useEffect(() => {
    const current = shown.current
    if (!current) return
    if (!point) {
      current.marker?.remove()
      current.marker = null
      return
    }
    const place: L.LatLngExpression = [point.latitude, point.longitude]
    if (current.marker) current.marker.setLatLng(place)
    else {
      const marker = L.marker(place, {
        draggable: true,
        icon: L.divIcon({ className: 'point-marker', iconSize: [22, 22] }),
        title: 'Local do experimento',
        alt: 'Local do experimento',
      })
      marker.on('dragend', () => {
        const { lat, lng } = marker.getLatLng().wrap()
        move.current({ latitude: lat, longitude: lng })
      })
      marker.addTo(current.map)
      current.marker = marker
    }
    if (!current.map.getBounds().contains(place))
      current.map.setView(place, Math.max(current.map.getZoom(), 8))
  }, [point, tiles])

  return (
    <section aria-label={label} className="overflow-hidden rounded-md border border-line">
      <div ref={frame} className="map-frame h-64 w-full" />
    </section>
  )
}
