import { northSaid } from '@ensaio/domain'

/** Where north is on a layout; what it says is for who does not see it. */
export function NorthArrow({ degrees, size }: { degrees: number; size: number }) {
  const turn = (degrees * Math.PI) / 180
  return (
    <svg role="img" aria-label={northSaid(degrees)} viewBox="-20 -20 40 40" width={size} height={size}>
      <g transform={`rotate(${degrees})`} fill="none" stroke="currentColor" strokeLinejoin="round">
        <path d="M0 -9L6 9L0 5z" strokeWidth={1.2} />
        <path d="M0 -9L-6 9L0 5z" strokeWidth={1.2} fill="currentColor" />
      </g>
      {/* The letter stands upright wherever the arrow points. */}
      <text
        x={15 * Math.sin(turn)}
        y={-15 * Math.cos(turn)}
        textAnchor="middle"
        dominantBaseline="central"
        fontSize={9}
        fontWeight={700}
        fill="currentColor"
      >
        N
      </text>
    </svg>
  )
}
