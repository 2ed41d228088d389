import { LightLegend } from '#console/deviceParts/LightLegend.tsx'
import { OFF_GROUPS } from '#console/deviceParts/settings/offGroups.ts'
import { dayText, useOnTime } from '#console/lib/time/time.ts'
import type { DeviceSettingsView, TurnOffTimes } from '#contract/http/devices/setup.ts'
import { isDarkAllDay, type OffSpan, type StripDay, weekStrip } from '#domain/displays/offTimes.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { DAY_WIDTH, WeekStrip, xOf } from './WeekStrip.tsx'

interface OffTimesStripProps {
  readonly times: TurnOffTimes
  readonly timeZone: string
  readonly holidays: DeviceSettingsView['holidays']
}

const ROW_HEIGHT = 20
const BAR_HEIGHT = 12

export function OffTimesStrip({ times, timeZone, holidays }: OffTimesStripProps) {
  const minute = useOnTime((now) => now.toISOString().slice(0, 16))
  const now = new Date(`${minute}Z`)
  const today = wallClock(now, timeZone).date
  const names = new Map(holidays.map(({ date, name }) => [date, name]))
  const days = weekStrip(times, new Set(names.keys()), today, timeZone)
  return (
    <WeekStrip
      label={summaryOf(times, timeZone, days, names)}
      days={days.map((day) => ({ ...day, holiday: names.get(day.date) }))}
      now={now}
      rowHeight={ROW_HEIGHT}
      row={(day, index) => <DayRow day={day} index={index} />}
    >
      <LightLegend kinds={['lit', 'planned']} />
    </WeekStrip>
  )
}

function DayRow({ day, index }: { readonly day: StripDay; readonly index: number }) {
  const place = { y: index * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2, height: BAR_HEIGHT }
  return (
    <>
      <rect data-light="lit" x={0} width={DAY_WIDTH} {...place} />
      {day.spans.map((span) => (
        <rect key={span.from.toISOString()} data-light="planned" {...barOf(day, span)} {...place} />
      ))}
    </>
  )
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
