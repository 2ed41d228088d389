import { sparklinePaths } from './sparklinePath.ts'
import './Sparkline.css'

const WIDTH = 100
const HEIGHT = 26
const ROOM_FOR_STROKE = 2

interface SparklineProps {
  /** The oldest value stands first; null is a gap. */
  readonly values: readonly (number | null)[]
  /** It describes the line for screen readers. Without it the line is decoration beside a value. */
  readonly label?: string
  /** The scale spans at least this, so that small changes look small. */
  readonly leastSpan?: number
}

export function Sparkline({ values, label, leastSpan }: SparklineProps) {
  const { line, area } = sparklinePaths(values, WIDTH, HEIGHT, leastSpan)
  return (
    <svg
      className="sparkline"
      viewBox={`0 ${-ROOM_FOR_STROKE} ${WIDTH} ${HEIGHT + 2 * ROOM_FOR_STROKE}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label ?? ''}
      aria-hidden={label === undefined}
    >
      <path className="sparkline-area" d={area} />
      <path className="sparkline-line" d={line} />
    </svg>
  )
}
