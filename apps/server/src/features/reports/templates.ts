import { readFileSync } from 'node:fs'
import type { TrialReport } from '@ensaio/domain'
import estados from '@ensaio/domain/estados' with { type: 'json' }
import type { Brand, Typesetting } from '../../jobs/typeset.ts'

const template = (name: string) => readFileSync(new URL(`./${name}.typ`, import.meta.url), 'utf8')
const BARS = template('bars')
export const TRIAL = BARS + template('trial')
export const SUMMARY = BARS + template('summary')
export const FIGURE = BARS + template('figure')

/** Of the states, each line once: (longitude, latitude) in degrees, to a hundredth. */
export const OUTLINES = estados.arcs.map((arc) => {
  const { scale, translate } = estados.transform
  let [x, y] = [0, 0]
  return arc.map(([dx = 0, dy = 0]) => {
    x += dx
    y += dy
    return [x * (scale[0] ?? 0) + (translate[0] ?? 0), y * (scale[1] ?? 0) + (translate[1] ?? 0)].map(
      (degrees) => Math.round(degrees * 100) / 100,
    )
  })
})

/** A report with how it is signed, ready to be set as a PDF. */
export const printed = (report: TrialReport, { cor, logo }: Brand): Typesetting => ({
  ...{ template: TRIAL, logo },
  data: { ...report, cor, logo: logo !== null, contornos: OUTLINES },
})
export const UNSIGNED: Brand = { cor: null, logo: null }

/** A name that every system takes for a file's. */
export const safe = (name: string): string => name.replace(/[\\/:*?"<>|]+/g, '-')
