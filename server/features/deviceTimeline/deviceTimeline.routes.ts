import type { z } from 'zod'
import {
  type deviceTimeline,
  getDeviceTimeline,
  getUnusualFields,
  LONGEST_READ_DAYS,
  LONGEST_TIMELINE_DAYS,
} from '#contract/http/deviceRecords.ts'
import { hoursOf, LONGEST_WINDOW_MS, MOST_EARLIER_DAYS } from '#domain/analytics/unusual.ts'
import { type LevelReading, lightSpans, type Span } from '#domain/darkness/darkMinutes.ts'
import { lightDay, localDates, merged, plannedSpans } from '#domain/darkness/lightDays.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate } from '#domain/units/wallClock.ts'
import type { DarkPlace } from '#server/darkness/dayCounts.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { type Period, readPeriod } from '#server/http/reading/period.ts'
import type { HourlyMeans, Hours } from '#server/telemetry/read/hourlyMeans.ts'
import type { DeviceTimelineStore } from './deviceTimeline.store.ts'
import { lanesOf } from './lanes.ts'
import { unusualFields } from './unusualFields.ts'

export interface DeviceTimelineNeeds {
  readonly store: DeviceTimelineStore
  readonly visibleDevices: VisibleDevices
  readonly now: () => Date
  readonly place: (deviceId: DeviceId) => Promise<DarkPlace | undefined>
  readonly holidays: (place: DarkPlace, first: LocalDate, last: LocalDate) => Promise<ReadonlySet<LocalDate>>
  /** Zone of the device, if it exists within the scope. */
  readonly timeZone: (deviceId: DeviceId, scope: Scope) => Promise<string | undefined>
  readonly means: (deviceId: DeviceId, hours: Hours) => Promise<ReadonlyMap<FieldId, HourlyMeans>>
  readonly levels: (deviceId: DeviceId, span: Span) => Promise<ReadonlyMap<number, readonly LevelReading[]>>
}

type Answer = z.input<typeof deviceTimeline>

const HOURS_A_DAY = 24

/** What happened with a device, from everything that keeps a history of it. */
export function deviceTimelineRoutes(needs: DeviceTimelineNeeds): readonly Route[] {
  const { store, visibleDevices } = needs

  /** How its displays were, which is of whoever had the device: what was before they got it is left out. */
  async function light(deviceId: DeviceId, period: Period) {
    const span = { fromMs: period.from.getTime(), toMs: Math.min(period.to.getTime(), needs.now().getTime()) }
    const [place, levels] = await Promise.all([needs.place(deviceId), needs.levels(deviceId, span)])
    if (!place || place.displayNumbers.length === 0 || span.fromMs >= span.toMs) return []
    const dates = localDates(span.fromMs, span.toMs, place.timeZone)
    const holidays = await needs.holidays(place, addDays(dates[0] ?? '', -1), dates.at(-1) ?? '')
    const planned = dates.flatMap((date) =>
      plannedSpans(lightDay(date, place.timeZone), place.offTimes, holidays, place.timeZone),
    )
    const displays = place.displayNumbers.map((number) => levels.get(number) ?? [])
    return lightSpans(span, merged(planned), displays)
  }

  async function timeline(deviceId: DeviceId, period: Period, caller: Caller): Promise<Answer> {
    const scope = scopeOf(caller)
    const readFrom = new Date(Math.max(period.from.getTime(), period.to.getTime() - LONGEST_READ_DAYS * DAY_MS))
    const read = { from: readFrom, to: period.to }
    const isManager = isAllowed('deviceManager', caller)
    const [, written, spans, onBattery] = await Promise.all([
      visibleDevices.require(scope, [deviceId]),
      store.writtenDown(scope, deviceId, period),
      light(deviceId, read),
      isManager ? store.onBattery(deviceId, read) : [],
    ])
    const lanes = lanesOf({ written, spans, onBattery, period, readFrom, now: needs.now(), scope })
    // What only the pages of a device tell, whoever may not open those is not told here.
    return isManager ? lanes : { alerts: lanes.alerts, light: lanes.light }
  }

  return [
    route(getDeviceTimeline, ({ query, caller }) => {
      const period = readPeriod(query)
      if (period.to.getTime() - period.from.getTime() > LONGEST_TIMELINE_DAYS * DAY_MS) {
        throw new CallError('invalid_request', `A timeline may have at most ${LONGEST_TIMELINE_DAYS} days.`)
      }
      return timeline(query.deviceId, period, caller)
    }),
    route(getUnusualFields, async ({ query: { deviceId, ...asked }, caller }) => {
      const { from, to } = readPeriod(asked)
      if (to.getTime() - from.getTime() > LONGEST_WINDOW_MS) {
        throw new CallError('invalid_request', 'A window may be a day long at most.')
      }
      const hours = hoursOf(from.getTime(), to.getTime())
      const begin = (hours[0] ?? 0) - (MOST_EARLIER_DAYS + 1) * HOURS_A_DAY
      const [timeZone, means] = await Promise.all([
        needs.timeZone(deviceId, scopeOf(caller)),
        needs.means(deviceId, { begin, end: (hours.at(-1) ?? 0) + 1 }),
      ])
      if (timeZone === undefined) throw notFound()
      return unusualFields(means, begin, hours, timeZone)
    }),
  ]
}
