import type { FieldChange } from '@ensaio/domain'
import { useEffect } from 'react'

type Position = NonNullable<FieldChange['posicao']>

/** A fix that is older than this is asked for anew. */
const FRESH_MS = 60_000
const LONGEST_MS = 15_000
/** Of which plot it is asked for, and the last one that came. */
let asked = ''
let held: { plot: string; position: Position } | null = null

/** Where the phone was on this plot, as far as it has said; it says how exactly and when. */
export const positionAt = (plot: string): Position | null => (held?.plot === plot ? held.position : null)

/** Asks for the position once a plot, and never goes on watching: that would empty the battery. */
export function usePosition(plot: string, wanted: boolean): void {
  useEffect(() => {
    if (!wanted || held?.plot === plot || !('geolocation' in navigator)) return
    asked = plot
    navigator.geolocation.getCurrentPosition(
      ({ coords, timestamp }) => {
        // One that comes late is of a plot that was left.
        if (asked !== plot) return
        held = {
          plot,
          position: {
            ...{ lat: coords.latitude, lng: coords.longitude, precisao_m: coords.accuracy },
            quando: new Date(timestamp).toISOString(),
          },
        }
      },
      // Refused, or none to be had: values are kept without one.
      () => undefined,
      { enableHighAccuracy: true, maximumAge: FRESH_MS, timeout: LONGEST_MS },
    )
  }, [plot, wanted])
}
