import { DIAGRAM, type Diagram, diagramOf, drawn, LEVELS_OF_BAR } from '@ensaio/domain'

const path = (squares: readonly (readonly [x: number, y: number])[]): string =>
  squares.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('')

const known = new Map<string, string>()

/** The diagram of a note, in the colour of its text; the note and its word stand beside it. Nothing where it has none. */
export function ScaleFigure({
  figura,
  className = '',
}: {
  figura: string | null | undefined
  className?: string
}) {
  const diagram = diagramOf(figura)
  if (!diagram) return null
  return (
    <svg
      aria-hidden
      viewBox={`-1 -1 ${DIAGRAM.width + 2} ${DIAGRAM.height + 2}`}
      width={DIAGRAM.width + 14}
      height={(DIAGRAM.height + 2) * ((DIAGRAM.width + 14) / (DIAGRAM.width + 2))}
      className={`shrink-0 ${className}`}
    >
      {diagram.kind === 'nivel' ? <Bars level={diagram.level} /> : <Share diagram={diagram} />}
    </svg>
  )
}

function Bars({ level }: { level: number }) {
  const step = DIAGRAM.width / LEVELS_OF_BAR
  return Array.from({ length: LEVELS_OF_BAR }, (_, at) => {
    const high = ((at + 1) / LEVELS_OF_BAR) * DIAGRAM.height
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        key={at}
        x={at * step + 0.6}
        y={DIAGRAM.height - high}
        width={step - 1.2}
        height={high}
        fill={at < level ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth={0.7}
      />
    )
  })
}

function Share({ diagram }: { diagram: Exclude<Diagram, { kind: 'nivel' }> }) {
  const { width, height } = DIAGRAM
  const key = `${diagram.kind}:${diagram.percent}`
  const squares = () => {
    const { outline, covered } = drawn(diagram)
    const eaten = new Set(covered)
    // What insects left is the leaf.
    return path(diagram.kind === 'desfolha' ? outline.filter((square) => !eaten.has(square)) : covered)
  }
  const filled = known.get(key) ?? squares()
  known.set(key, filled)
  return (
    <>
      <path d={filled} fill="currentColor" />
      <path
        d={
          diagram.kind === 'quadro'
            ? `M0 0h${width}v${height}h-${width}z`
            : `M0 ${height / 2}Q${width / 2} ${-height / 2} ${width} ${height / 2}Q${width / 2} ${1.5 * height} 0 ${height / 2}z`
        }
        fill="none"
        stroke="currentColor"
        strokeWidth={0.9}
      />
    </>
  )
}
