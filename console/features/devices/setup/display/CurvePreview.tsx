import { withUnit } from '#console/ui/number/NumberSlider.tsx'
import { type AmbientCurve, backlightForLight } from '#domain/displays/ambientCurve.ts'
import { LAST_LUX_POSITION, positionOfLux } from '#domain/displays/luxScale.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { curvePoints, LUX_MARKS } from './curvePoints.ts'

interface CurvePreviewProps {
  readonly today: AmbientCurve | undefined
  readonly next: AmbientCurve
  readonly isAutomatic: boolean
  readonly ambientLightLux: number | undefined
}

const PERCENT_MARKS = [100, 50, 0]
const WIDTH = 1000
const HEIGHT = 100
const xOf = (position: number) => (position / LAST_LUX_POSITION) * WIDTH
const yOf = (backlightPercent: number) => HEIGHT - backlightPercent
const lux = (value: number) => withUnit(Math.round(value), 'lux')

export function CurvePreview({ today, next, isAutomatic, ambientLightLux }: CurvePreviewProps) {
  const isDifferent = today !== undefined && pathOf(today) !== pathOf(next)
  const summary = summaryOf({ today: isDifferent ? today : undefined, next, isAutomatic, ambientLightLux })
  return (
    <figure className="preview" data-off={!isAutomatic || undefined}>
      <div className="curve">
        <div className="curve-percents" aria-hidden>
          {PERCENT_MARKS.map((mark) => (
            <span key={mark}>{mark} %</span>
          ))}
        </div>
        <div className="curve-area">
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
            {PERCENT_MARKS.map((mark) => (
              <line key={mark} className="curve-grid" x1={0} x2={WIDTH} y1={yOf(mark)} y2={yOf(mark)} />
            ))}
            {LUX_MARKS.map(({ lux: mark, share }) => (
              <line key={mark} className="curve-grid" x1={share * WIDTH} x2={share * WIDTH} y1={0} y2={HEIGHT} />
            ))}
            {isDifferent && <path className="curve-today" d={pathOf(today)} />}
            <path className="curve-next" d={pathOf(next)} />
            {ambientLightLux !== undefined && (
              <line
                className="curve-now"
                x1={xOf(positionOfLux(ambientLightLux))}
                x2={xOf(positionOfLux(ambientLightLux))}
                y1={0}
                y2={HEIGHT}
              />
            )}
          </svg>
          {ambientLightLux !== undefined && <NowDot curve={next} ambientLightLux={ambientLightLux} />}
        </div>
        <div className="curve-luxes" aria-hidden>
          {LUX_MARKS.map(({ lux: mark, share }) => (
            <span key={mark} style={{ left: `${share * 100}%` }}>
              {mark >= 1000 ? `${mark / 1000}k` : mark}
            </span>
          ))}
        </div>
      </div>
      <figcaption aria-hidden>
        <span className="curve-key curve-key-next">{isDifferent ? 'New' : 'Backlight by ambient light'}</span>
        {isDifferent && <span className="curve-key curve-key-today">Today</span>}
        <span className="curve-reading">{readingText(next, isDifferent ? today : undefined, ambientLightLux)}</span>
      </figcaption>
      {!isAutomatic && <p className="preview-off">Automatic backlight is off: the sensor steers nothing.</p>}
    </figure>
  )
}

/** The drawing is stretched, so the dot, which must stay round, is laid over it. */
function NowDot({ curve, ambientLightLux }: { readonly curve: AmbientCurve; readonly ambientLightLux: number }) {
  const left = (positionOfLux(ambientLightLux) / LAST_LUX_POSITION) * 100
  const top = 100 - backlightForLight(curve, ambientLightLux)
  return <span className="curve-dot" style={{ left: `${left}%`, top: `${top}%` }} aria-hidden />
}

function pathOf(curve: AmbientCurve): string {
  const points = curvePoints(curve).map(
    ({ position, backlightPercent }) => `${xOf(position).toFixed(1)},${yOf(backlightPercent).toFixed(1)}`,
  )
  return `M${points.join('L')}`
}

function readingText(next: AmbientCurve, today: AmbientCurve | undefined, ambientLightLux: number | undefined): string {
  if (ambientLightLux === undefined) return 'No reading of the sensor'
  const to = `${formatNumber(Math.round(backlightForLight(next, ambientLightLux)))} %`
  const before = today && `${formatNumber(Math.round(backlightForLight(today, ambientLightLux)))} %`
  const present = `Now ${lux(ambientLightLux)}`
  return before !== undefined && before !== to ? `${present}: ${before} → ${to}` : `${present}: ${to}`
}

function summaryOf({ today, next, isAutomatic, ambientLightLux }: CurvePreviewProps): string {
  return [
    isAutomatic ? '' : 'Automatic backlight is off.',
    `Backlight from ${rangeText(next)}.`,
    today ? `Today from ${rangeText(today)}.` : '',
    `${readingText(next, today, ambientLightLux)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function rangeText({ minBacklight, maxBacklight, minAmbientLight, maxAmbientLight }: AmbientCurve): string {
  return `${minBacklight} % at ${lux(minAmbientLight)} to ${maxBacklight} % at ${lux(maxAmbientLight)}`
}
