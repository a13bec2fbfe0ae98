import { useEffect, useRef, useState } from 'react'
import type { Trial } from '../../field-store/trial.ts'
import { NorthArrow } from '../../ui/NorthArrow.tsx'
import { go, Link, trialPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { Touch } from './parts.tsx'
import { isDrawn, type Planned, whereIs } from './plan.ts'
import { useSettings } from './settings.ts'
import { placeKey } from './use-place.ts'

/** How a plot stands: a colour, and a sign for who does not see colours. */
const STATES = {
  vazia: { label: 'sem valor', sign: '' },
  parte: { label: 'em parte', sign: '·' },
  cheia: { label: 'com valor', sign: '✓' },
  conferir: { label: 'conferir', sign: '!' },
  conflito: { label: 'conflito', sign: '×' },
} as const
type State = keyof typeof STATES
const COLOURS: Record<State, [string, string]> = {
  vazia: ['--surface', '--text'],
  parte: ['--sunken', '--text'],
  cheia: ['--ok-soft', '--ok'],
  conferir: ['--warn-soft', '--warn'],
  conflito: ['--danger-soft', '--danger'],
}

function stateOf(trial: Trial, { placeOf, variables }: Planned, plot: number): State {
  let filled = 0
  let doubtful = false
  for (let variable = 0; variable < variables.length; variable++) {
    const { atual, abertos } = trial.cell(placeOf({ plot, variable }))
    if (abertos.length > 0) return 'conflito'
    if (atual.valor !== null || atual.motivo !== null) filled += 1
    const told = trial.told(atual.id)
    doubtful ||= told?.confirmado === true || told?.fora === true
  }
  if (doubtful) return 'conferir'
  return filled === 0 ? 'vazia' : filled < variables.length ? 'parte' : 'cheia'
}

const ZOOMS = [36, 52, 72] as const
const GAP = 3

export function Croqui({ trial, planned }: { trial: Trial; planned: Planned }) {
  const { turn } = useFieldState()
  const { sol, tema } = useSettings()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [zoom, setZoom] = useState(1)
  const plots = trial.pack.parcelas
  const drawn = isDrawn(trial)
  const size = ZOOMS[zoom] ?? ZOOMS[1]
  const columns = Math.max(1, ...plots.map(({ coluna }) => coluna ?? 1))
  const rows = Math.max(1, ...plots.map(({ linha }) => linha ?? 1))
  const states = plots.map((_, plot) => stateOf(trial, planned, plot))
  const open = async (plot: number) => {
    const one = plots[plot]
    if (!one) return
    await field.put(placeKey(trial), { parcela: one.id, variavel: null })
    go(trialPath(trial.experimento, 'coleta'))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again with every change of what it shows
  useEffect(() => {
    if (!canvas.current || !drawn) return
    const paint = () =>
      draw(canvas.current as HTMLCanvasElement, { plots, states, order: planned.order, size, columns, rows })
    paint()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', paint)
    return () => dark.removeEventListener('change', paint)
  }, [turn, zoom, planned, sol, tema, trial])
  return (
    <section aria-labelledby="croqui" className="flex flex-col gap-2">
      <h2 id="croqui" className="text-title font-semibold">
        Croqui
      </h2>
      {drawn ? (
        <>
          <div className="flex flex-wrap gap-2">
            <Touch disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
              Diminuir
            </Touch>
            <Touch disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
              Aumentar
            </Touch>
            {trial.pack.norte !== undefined && <NorthArrow degrees={trial.pack.norte} size={56} />}
          </div>
          <div
            role="group"
            tabIndex={0}
            aria-label="Desenho do croqui"
            className="max-h-[60dvh] overflow-auto rounded-md border border-line"
          >
            <canvas
              ref={canvas}
              aria-hidden
              onClick={(event) => {
                const box = event.currentTarget.getBoundingClientRect()
                const column = Math.floor((event.clientX - box.left) / size) + 1
                const row = Math.floor((event.clientY - box.top) / size) + 1
                void open(plots.findIndex(({ linha, coluna }) => linha === row && coluna === column))
              }}
            />
          </div>
          <ul className="flex flex-wrap gap-x-4 text-small">
            {Object.entries(STATES).map(([state, { label, sign }]) => (
              <li key={state}>
                {sign && <span aria-hidden>{sign} </span>}
                {label}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="text-muted">As parcelas não têm linha e coluna: elas são percorridas pelo número.</p>
      )}
      <PlotTable trial={trial} planned={planned} states={states} onOpen={(plot) => void open(plot)} />
    </section>
  )
}

function PlotTable({
  trial,
  planned,
  states,
  onOpen,
}: {
  trial: Trial
  planned: Planned
  states: readonly State[]
  onOpen: (plot: number) => void
}) {
  const [shown, setShown] = useState(false)
  return (
    <details
      className="rounded-md border border-line bg-surface px-4"
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary className="touch flex cursor-pointer items-center font-medium">Parcelas em tabela</summary>
      {shown && (
        <table className="figures w-full pb-2 text-left">
          <thead>
            <tr>
              <th scope="col">Parcela</th>
              <th scope="col">Lugar</th>
              <th scope="col">Situação</th>
            </tr>
          </thead>
          <tbody>
            {planned.order.map((plot) => (
              <tr key={plot} className="border-t border-line">
                <th scope="row" className="font-medium">
                  <Link
                    to={trialPath(trial.experimento, 'coleta')}
                    className="touch inline-flex items-center text-accent underline underline-offset-4"
                    onClick={(event) => {
                      event.preventDefault()
                      onOpen(plot)
                    }}
                  >
                    {trial.pack.parcelas[plot]?.numero}
                  </Link>
                </th>
                <td className="text-small">{whereIs(trial, plot)}</td>
                <td className="text-small">{STATES[states[plot] ?? 'vazia'].label}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}

function draw(
  canvas: HTMLCanvasElement,
  {
    plots,
    states,
    order,
    size,
    columns,
    rows,
  }: {
    plots: Trial['pack']['parcelas']
    states: readonly State[]
    order: readonly number[]
    size: number
    columns: number
    rows: number
  },
): void {
  const [width, height] = [columns * size, rows * size]
  const ratio = Math.min(devicePixelRatio, 8000 / Math.max(width, height, 1))
  canvas.width = width * ratio
  canvas.height = height * ratio
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  const pen = canvas.getContext('2d')
  if (!pen) return
  const tokens = getComputedStyle(document.documentElement)
  const colour = (name: string) => tokens.getPropertyValue(name)
  pen.scale(ratio, ratio)
  const centre = (plot: number): [number, number] => {
    const { coluna, linha } = plots[plot] ?? {}
    return [((coluna ?? 1) - 0.5) * size, ((linha ?? 1) - 0.5) * size]
  }
  pen.textAlign = 'center'
  plots.forEach(({ numero }, plot) => {
    const [x, y] = centre(plot)
    const state = states[plot] ?? 'vazia'
    const [ground, ink] = COLOURS[state].map(colour)
    const inner = size - GAP * 2
    pen.fillStyle = ground ?? ''
    pen.strokeStyle = colour('--line-strong')
    pen.lineWidth = 1
    pen.fillRect(x - inner / 2, y - inner / 2, inner, inner)
    pen.strokeRect(x - inner / 2, y - inner / 2, inner, inner)
    pen.fillStyle = ink ?? ''
    pen.font = `600 ${Math.round(size / 3.6)}px system-ui, sans-serif`
    pen.fillText(String(numero), x, y)
    pen.fillText(STATES[state].sign, x, y + size * 0.32)
  })
  // The path, as it is walked: above the numbers, and from line to line between the plots.
  pen.beginPath()
  let side = 1
  order.forEach((plot, n) => {
    const [x, middle] = centre(plot)
    const y = middle - size * 0.38
    if (n === 0) pen.moveTo(x, y)
    const [from, line] = centre(order[n - 1] ?? plot)
    if (line === middle) side = x < from ? -1 : 1
    else {
      const edge = from + side * size * 0.46
      pen.lineTo(edge, line - size * 0.38)
      pen.lineTo(edge, y)
    }
    pen.lineTo(x, y)
  })
  pen.strokeStyle = colour('--accent')
  pen.lineWidth = 1.5
  pen.globalAlpha = 0.7
  pen.stroke()
  pen.globalAlpha = 1
  const first = order[0]
  if (first === undefined) return
  const [x, y] = centre(first)
  pen.fillStyle = colour('--accent')
  pen.beginPath()
  pen.arc(x, y - size * 0.38, 4, 0, 2 * Math.PI)
  pen.fill()
}
