import { LightLegend } from '#console/deviceParts/LightLegend.tsx'
import { readableTimes } from '#console/deviceParts/settings/offGroups.ts'
import { dayText } from '#console/lib/time/time.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { DeviceSettingsView, TurnOffTimes } from '#contract/http/devices/setup.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'
import { groupOfDay } from '#domain/displays/offTimes.ts'
import { type LightWithoutPlan, type ResultingStep, resultingLightOfDay } from '#domain/displays/resultingLight.ts'
import { addDays, wallClock } from '#domain/units/wallClock.ts'
import { holidaysOf, placeOf } from '../display/planOfView.ts'
import { readablePlan } from '../display/readablePlan.ts'
import { stepsText } from './lightText.ts'

interface WeekAheadProps {
  readonly view: DeviceSettingsView
  readonly offTimes: TurnOffTimes
  readonly dayPlan: DayPlan
  readonly otherwise: LightWithoutPlan
  readonly now: Date
  /** The display, where the device has several. */
  readonly displayName: string | undefined
  readonly isUnsaved: boolean
}

const DAYS_SHOWN = 7
const DAY_WIDTH = 1440
const ROW_HEIGHT = 20
const BAR_HEIGHT = 12
/** A level above zero must be visible. */
const LEAST_HEIGHT = 3
const HOUR_MARKS = [0, 6, 12, 18, 24]

/** One picture shows what off times, plan, ambient light and the level set by hand come to together (rules/setup 15). */
export function WeekAhead(props: WeekAheadProps) {
  const { view, now, displayName, isUnsaved } = props
  const days = daysFrom(props)
  const height = days.length * ROW_HEIGHT
  const [today] = days
  return (
    <Panel title="What the display will do" meta={[displayName, view.timeZone].filter(Boolean).join(' · ')} isPadded>
      <figure className="week-ahead">
        <ol className="week-days" aria-hidden>
          {days.map(({ date, group, holiday }) => (
            <li key={date} data-group={group} title={holiday}>
              {dayText(date)}
              {holiday && <span className="week-holiday">{holiday}</span>}
            </li>
          ))}
        </ol>
        <svg
          viewBox={`0 0 ${DAY_WIDTH} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summaryOf(days, view)}
        >
          {days.map((day, index) => (
            <DayRow key={day.date} day={day} index={index} />
          ))}
          {HOUR_MARKS.slice(1, -1).map((hour) => (
            <line key={hour} className="week-grid" x1={hour * 60} x2={hour * 60} y1={0} y2={height} />
          ))}
          {today && <line className="week-now" x1={xOf(today, now)} x2={xOf(today, now)} y1={0} y2={ROW_HEIGHT} />}
        </svg>
        <div className="week-hours" aria-hidden>
          {HOUR_MARKS.map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </div>
        <figcaption>
          <LightLegend kinds={['lit', 'planned']} />
          {today && <p>Today: {stepsText(today.steps, view.timeZone)}</p>}
          {isUnsaved && <p className="week-unsaved">With your unsaved changes.</p>}
          <p>Off times take priority, then the plan, then ambient light, then the manual level.</p>
        </figcaption>
      </figure>
    </Panel>
  )
}

interface DrawnDay {
  readonly date: string
  readonly group: string
  readonly holiday: string | undefined
  readonly from: Date
  readonly to: Date
  readonly steps: readonly ResultingStep[]
}

function daysFrom({ view, offTimes, dayPlan, otherwise, now }: WeekAheadProps): readonly DrawnDay[] {
  const holidays = holidaysOf(view)
  const names = new Map(view.holidays.map(({ date, name }) => [date, name]))
  const today = wallClock(now, view.timeZone).date
  const plan = { offTimes: readableTimes(offTimes), dayPlan: readablePlan(dayPlan) }
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const date = addDays(today, index)
    const steps = resultingLightOfDay(plan, otherwise, placeOf(view), holidays, date)
    const [from, to] = [steps[0]?.from ?? now, steps.at(-1)?.to ?? now]
    return { date, group: groupOfDay(date, holidays), holiday: names.get(date), from, to, steps }
  })
}

/** A day lasts 23 or 25 hours when the clocks change, and is as wide as the others. */
const xOf = ({ from, to }: DrawnDay, at: Date): number =>
  ((at.getTime() - from.getTime()) / (to.getTime() - from.getTime())) * DAY_WIDTH

function DayRow({ day, index }: { readonly day: DrawnDay; readonly index: number }) {
  const bottom = index * ROW_HEIGHT + (ROW_HEIGHT + BAR_HEIGHT) / 2
  return day.steps.map((step) => {
    const x = xOf(day, step.from)
    const height = heightOf(step)
    return (
      <rect
        key={step.from.toISOString()}
        data-light={step.isLit ? 'lit' : 'planned'}
        x={x}
        width={xOf(day, step.to) - x}
        y={bottom - height}
        height={height}
      />
    )
  })
}

/** Only a level of the plan is known ahead; everything else is drawn in full. */
const heightOf = ({ rule, isLit, backlightPercent }: ResultingStep): number =>
  rule === 'dayPlan' && isLit ? Math.max(LEAST_HEIGHT, ((backlightPercent ?? 100) / 100) * BAR_HEIGHT) : BAR_HEIGHT

function summaryOf(days: readonly DrawnDay[], { timeZone }: DeviceSettingsView): string {
  const texts = days.map(({ date, holiday, steps }) => {
    const name = holiday === undefined ? dayText(date) : `${dayText(date)} ${holiday}`
    return `${name}: ${stepsText(steps, timeZone)}.`
  })
  return `The next seven days, in ${timeZone}. ${texts.join(' ')}`
}
