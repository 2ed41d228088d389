import { type ChartSeries, FAINT_ALPHA } from './series/chartSeries.ts'

const WIDTH_PX = 22

interface Props {
  readonly of: Pick<ChartSeries, 'color' | 'dash' | 'isFaint'>
}

/** The mark looks like the line in the chart: lines of one colour differ by their dashes. */
export function LineMark({ of: { color, dash = [], isFaint } }: Props) {
  const width = Math.max(WIDTH_PX, dash.reduce((sum, px) => sum + px, 0) * (dash.length > 2 ? 1 : 0))
  return (
    <svg className="line-mark" width={width} height="10" aria-hidden="true">
      <line
        x1="0"
        y1="5"
        x2={width}
        y2="5"
        stroke={isFaint ? color + FAINT_ALPHA : color}
        strokeWidth="3"
        strokeDasharray={dash.join(' ')}
      />
    </svg>
  )
}
