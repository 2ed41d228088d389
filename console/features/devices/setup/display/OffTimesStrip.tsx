import { Fragment } from 'react'
import { LightLegend } from '#console/deviceParts/LightLegend.tsx'
import { OFF_GROUPS } from '#console/deviceParts/settings/offGroups.ts'
import { dayText, useOnTime } from '#console/lib/time/time.ts'
import type { DeviceSettingsView, TurnOffTimes } from '#contract/http/devices/setup.ts'
import { isDarkAllDay, type OffSpan, type StripDay, weekStrip } from '#domain/displays/offTimes.ts'
import { wallClock } from '#domain/units/wallClock.ts'

interface OffTimesStripProps {
  readonly times: TurnOffTimes
  readonly timeZone: string
  readonly holidays: DeviceSettingsView['holidays']
}

const DAY_WIDTH = 1440
const ROW_HEIGHT = 20
const BAR_HEIGHT = 12
const HOUR_MARKS = [0, 6, 12, 18, 24]

export function OffTimesStrip({ times, timeZone, holidays }: OffTimesStripProps) {
  const minute = useOnTime((now) => now.toISOString().slice(0, 16))
  const now = new Date(`${minute}Z`)
  const today = wallClock(now, timeZone).date
  const names = new Map(holidays.map(({ date, name }) => [date, name]))
  const days = weekStrip(times, new Set(names.keys()), today, timeZone)
  return (
    <figure className="preview strip">
      <ol className="strip-days" aria-hidden>
        {days.map(({ date, group }) => (
          <li key={date} data-group={group} title={names.get(date)}>
            {dayText(date)}
            {names.has(date) && <span className="strip-holiday">{names.get(date)}</span>}
          </li>
        ))}
      </ol>
      <svg
        viewBox={`0 0 ${DAY_WIDTH} ${days.length * ROW_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summaryOf(times, timeZone, days, names)}
      >
        {days.map((day, index) => (
          <Fragment key={day.date}>
            <rect
              data-light="lit"
              x={0}
              y={index * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2}
              width={DAY_WIDTH}
              height={BAR_HEIGHT}
            />
            {day.spans.map((span) => (
              <rect
                key={span.from.toISOString()}
                data-light="planned"
                {...barOf(day, span)}
                y={index * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2}
                height={BAR_HEIGHT}
              />
            ))}
          </Fragment>
        ))}
        {HOUR_MARKS.slice(1, -1).map((hour) => (
          <line key={hour} className="curve-grid" x1={hour * 60} x2={hour * 60} y1={0} y2={days.length * ROW_HEIGHT} />
        ))}
        {days[0] && <line className="curve-now" x1={xOf(days[0], now)} x2={xOf(days[0], now)} y1={0} y2={ROW_HEIGHT} />}
      </svg>
      <div className="strip-hours" aria-hidden>
        {HOUR_MARKS.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <figcaption>
        <LightLegend kinds={['lit', 'planned']} />
      </figcaption>
    </figure>
  )
}

/** A day lasts 23 or 25 hours when the clocks change, and is as wide as the others. */
function xOf({ from, to }: StripDay, at: Date): number {
  return ((at.getTime() - from.getTime()) / (to.getTime() - from.getTime())) * DAY_WIDTH
}

function barOf(day: StripDay, span: OffSpan) {
  const x = xOf(day, span.from)
  return { x, width: xOf(day, span.to) - x }
}

function summaryOf(
  times: TurnOffTimes,
  timeZone: string,
  days: readonly StripDay[],
  names: ReadonlyMap<string, string>,
): string {
  const groups = OFF_GROUPS.map(({ name, from, to }) => {
    if (times[from] === null || times[to] === null) return `${name} never`
    if (isDarkAllDay(times[from], times[to])) return `${name} dark 24 h from ${times[from]}`
    return `${name} ${times[from]} to ${times[to]}`
  })
  const holidays = days.flatMap(({ date }) => (names.has(date) ? [`${dayText(date)} ${names.get(date)}`] : []))
  const among = holidays.length > 0 ? ` Holidays of the next seven days: ${holidays.join(', ')}.` : ''
  return `Displays are off, in ${timeZone}: ${groups.join('; ')}.${among}`
}
