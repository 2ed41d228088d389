import { formatBucket } from '#console/lib/time/time.ts'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { LineMark } from './LineMark.tsx'
import type { ChartSeries } from './series/chartSeries.ts'
import { legendNames } from './series/legendNames.ts'
import { type HiddenKeys, isHidden, isIsolated, isolated, ownersOf, toggled } from './series/shownSeries.ts'
import { type ChartShade, isShaded } from './useChartShade.ts'

interface Props {
  readonly series: readonly ChartSeries[]
  readonly timesS: readonly number[]
  readonly index: number | undefined
  /** A key moved the cursor, so its values are announced. */
  readonly isSpoken: boolean
  readonly shades?: readonly ChartShade[] | undefined
  readonly choice?: LegendChoice | undefined
}

export interface LegendChoice {
  readonly hidden: HiddenKeys
  readonly onHidden: (hidden: HiddenKeys) => void
  readonly onPointed: (key: string | undefined) => void
}

const NO_SHADES: readonly ChartShade[] = []
const GESTURES = 'Drag or Ctrl + wheel to zoom · Shift + drag or Shift + wheel to move · Esc for the whole period'

/** It shows all series at the cursor. A click on a name isolates its line; a click on its mark hides or shows it. */
export function ChartLegend({ series, timesS, index, isSpoken, shades = NO_SHADES, choice }: Props) {
  const timeS = index === undefined ? undefined : timesS[index]
  const names = legendNames(series.map(({ name }) => name))
  const keys = [...new Set(series.flatMap(ownersOf))]
  return (
    <div className="chart-legend-box">
      <ul className="chart-legend" aria-live={isSpoken ? 'polite' : 'off'} aria-label="Values at the cursor">
        <li className="chart-legend-head">
          <span className="chart-legend-time">{timeS === undefined ? '' : formatBucket(new Date(timeS * 1000))}</span>
          {names.shared && <span className="chart-legend-shared">{names.shared}</span>}
        </li>
        {series.map((one, at) => (
          <li
            key={one.key}
            className="chart-legend-item"
            data-hidden={(choice && isHidden(one, choice.hidden)) || undefined}
          >
            {choice && keys.length > 1 && one.of === undefined ? (
              <Choices of={one} name={names.own[at] ?? one.name} keys={keys} choice={choice} />
            ) : (
              <>
                <LineMark of={one} />
                <span className="chart-legend-name">{names.own[at]}</span>
              </>
            )}
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

interface ChoicesProps {
  readonly of: ChartSeries
  /** The legend shows the short name; the buttons have the whole one. */
  readonly name: string
  readonly keys: readonly string[]
  readonly choice: LegendChoice
}

function Choices({ of: one, name, keys, choice: { hidden, onHidden, onPointed } }: ChoicesProps) {
  const points = {
    onPointerEnter: () => onPointed(one.key),
    onPointerLeave: () => onPointed(undefined),
    onFocus: () => onPointed(one.key),
    onBlur: () => onPointed(undefined),
  }
  const isShown = !hidden.has(one.key)
  const isAlone = isIsolated(keys, hidden, one.key)
  return (
    <>
      <button
        type="button"
        className="chart-legend-toggle"
        aria-pressed={isShown}
        aria-label={`Show ${one.name}`}
        title={isShown ? 'Hide' : 'Show'}
        onClick={() => onHidden(toggled(hidden, one.key))}
        {...points}
      >
        <LineMark of={one} />
      </button>
      <button
        type="button"
        className="chart-legend-name"
        aria-pressed={isAlone}
        aria-label={`Only ${one.name}`}
        title={
          isAlone ? `${one.name}: click to show all` : `${one.name}: click to show only this, Ctrl + click to hide`
        }
        onClick={({ ctrlKey, metaKey }) =>
          onHidden(ctrlKey || metaKey ? toggled(hidden, one.key) : isolated(keys, hidden, one.key))
        }
        {...points}
      >
        {name}
      </button>
    </>
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
