import { formatBucket } from '#console/lib/time/time.ts'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { ChartSeries } from './chartSeries.ts'
import { type ChartShade, isShaded } from './useChartShade.ts'

interface Props {
  readonly series: readonly ChartSeries[]
  readonly timesS: readonly number[]
  /** Where the cursor stands. */
  readonly index: number | undefined
  /** The cursor was moved by key: what it reads is spoken. */
  readonly isSpoken: boolean
  readonly shades?: readonly ChartShade[] | undefined
}

const NO_SHADES: readonly ChartShade[] = []
const GESTURES = 'Drag or Ctrl + wheel to zoom · Shift + drag or Shift + wheel to move · Esc for the whole period'

/** All series at the cursor. */
export function ChartLegend({ series, timesS, index, isSpoken, shades = NO_SHADES }: Props) {
  const timeS = index === undefined ? undefined : timesS[index]
  return (
    <div className="chart-legend-box">
      <ul className="chart-legend" aria-live={isSpoken ? 'polite' : 'off'} aria-label="Values at the cursor">
        <li className="chart-legend-time">{timeS === undefined ? '' : formatBucket(new Date(timeS * 1000))}</li>
        {series.map((one) => (
          <li key={one.key} className="chart-legend-item">
            <i className="chart-mark" style={{ '--mark-color': one.color } as React.CSSProperties} />
            <span className="chart-legend-name" title={one.name}>
              {one.name}
            </span>
            <span className="chart-legend-value">{index === undefined ? '' : valueText(one, index)}</span>
          </li>
        ))}
        {shades
          .filter(({ spans }) => spans.length > 0)
          .map((shade) => (
            <li key={shade.name} className="chart-legend-item">
              <i className={`chart-mark chart-mark-shade${shade.tone ? ` chart-mark-shade-${shade.tone}` : ''}`} />
              <span className="chart-legend-name">{shade.name}</span>
              <span className="chart-legend-value">
                {timeS === undefined ? '' : isShaded(shade, timeS) ? 'yes' : 'no'}
              </span>
            </li>
          ))}
      </ul>
      <Hint label={GESTURES}>
        <button type="button" className="chart-help" aria-label={`How to move in the chart: ${GESTURES}`}>
          ?
        </button>
      </Hint>
    </div>
  )
}

function valueText({ values, low, high, unit }: ChartSeries, index: number): string {
  const value = values[index]
  if (value === null || value === undefined) return UNKNOWN_TEXT
  const [lowest, highest] = [low?.[index], high?.[index]]
  const range =
    typeof lowest === 'number' && typeof highest === 'number'
      ? ` (${formatNumber(lowest)} – ${formatNumber(highest)})`
      : ''
  return `${formatNumber(value)}${unit ? ` ${unit}` : ''}${range}`
}
