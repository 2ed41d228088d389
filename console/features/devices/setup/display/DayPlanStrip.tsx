import { levelLabel } from '#console/deviceParts/dayPlanLabels.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'
import { groupOfDay } from '#domain/displays/offTimes.ts'
import { type LightStep, plannedLightOfDay } from '#domain/displays/plannedLight.ts'
import { sunDay } from '#domain/displays/sunTimes.ts'
import { addDays, wallClock } from '#domain/units/wallClock.ts'
import { holidaysOf, offTimesOf, placeOf } from './planOfView.ts'
import { type DrawnDay, WeekStrip, xOf } from './WeekStrip.tsx'

interface DayPlanStripProps {
  readonly plan: DayPlan
  readonly view: DeviceSettingsView
}

const DAYS_SHOWN = 7
const ROW_HEIGHT = 26
const BAR_HEIGHT = 20
/** A level above zero must be visible. */
const LEAST_HEIGHT = 3

export function DayPlanStrip({ plan, view }: DayPlanStripProps) {
  const minute = useOnTime((now) => now.toISOString().slice(0, 16))
  const now = new Date(`${minute}Z`)
  const days = daysFrom(plan, view, now)
  const [today] = days
  const words = today ? stepsLabel(today.steps, view.timeZone) : ''
  const hasPlanToday = today?.steps.some(({ rule }) => rule !== 'none')
  return (
    <WeekStrip
      className="day-plan-strip"
      label={`Backlight today, in ${view.timeZone}: ${words}.`}
      {...{ days, now }}
      rowHeight={ROW_HEIGHT}
      row={(day, index) => <DayRow day={day} index={index} />}
    >
      <ul className="light-legend" aria-label="Colours">
        {LEGEND.filter(({ rule }) => rule !== 'sun' || view.position !== null).map(({ rule, name }) => (
          <li key={rule}>
            <i data-planned={rule} aria-hidden />
            {name}
          </li>
        ))}
      </ul>
      <span className="day-plan-today">{hasPlanToday ? `Today: ${words}` : 'No plan today'}</span>
    </WeekStrip>
  )
}

function DayRow({ day, index }: { readonly day: PlannedDay; readonly index: number }) {
  return (
    <>
      {day.steps.map((step) => (
        <rect key={step.from.toISOString()} {...barOf(day, step, index)} />
      ))}
      {day.sunMoments.map((at) => (
        <line
          key={at.toISOString()}
          className="strip-sun"
          x1={xOf(day, at)}
          x2={xOf(day, at)}
          y1={index * ROW_HEIGHT}
          y2={(index + 1) * ROW_HEIGHT}
        />
      ))}
    </>
  )
}

const LEGEND = [
  { rule: 'dayPlan', name: 'Level of the plan' },
  { rule: 'dark', name: 'Dark: 0 % or off times' },
  { rule: 'none', name: 'No plan' },
  { rule: 'sun', name: 'Sunrise, sunset' },
] as const

interface PlannedDay extends DrawnDay {
  readonly steps: readonly LightStep[]
  readonly sunMoments: readonly Date[]
}

function daysFrom(dayPlan: DayPlan, view: DeviceSettingsView, now: Date): readonly PlannedDay[] {
  const place = placeOf(view)
  const holidays = holidaysOf(view)
  const names = new Map(view.holidays.map(({ date, name }) => [date, name]))
  const today = wallClock(now, view.timeZone).date
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const date = addDays(today, index)
    const steps = plannedLightOfDay({ offTimes: offTimesOf(view), dayPlan }, place, holidays, date)
    const [from, to] = [steps[0]?.from ?? now, steps.at(-1)?.to ?? now]
    const { sunrise, sunset } = place.position ? sunDay(date, place.position, place.timeZone) : {}
    const sunMoments = [sunrise, sunset].flatMap((at) => (at && at >= from && at < to ? [at] : []))
    return { date, group: groupOfDay(date, holidays), holiday: names.get(date), from, to, steps, sunMoments }
  })
}

function barOf(day: PlannedDay, { from, to, rule, backlightPercent }: LightStep, index: number) {
  const isDark = rule !== 'none' && backlightPercent === 0
  const height =
    rule === 'dayPlan' && !isDark
      ? Math.max(LEAST_HEIGHT, ((backlightPercent ?? 0) / 100) * BAR_HEIGHT)
      : isDark
        ? BAR_HEIGHT
        : LEAST_HEIGHT
  const bottom = index * ROW_HEIGHT + (ROW_HEIGHT + BAR_HEIGHT) / 2
  const x = xOf(day, from)
  return { 'data-planned': isDark ? 'dark' : rule, x, width: xOf(day, to) - x, y: bottom - height, height }
}

const stepsLabel = (steps: readonly LightStep[], timeZone: string) =>
  steps
    .map(({ from, rule, backlightPercent }) => {
      const what = rule === 'offTimes' ? 'off times' : levelLabel(backlightPercent)
      return `${wallClock(from, timeZone).time} ${what}`
    })
    .join(' · ')
