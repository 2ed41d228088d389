import type { z } from 'zod'
import {
  type deviceTimeline,
  getDeviceTimeline,
  getSiteTimeline,
  getUnusualFields,
  LONGEST_READ_DAYS,
  LONGEST_SITE_DAYS,
  LONGEST_TIMELINE_DAYS,
  MOST_LANE_ITEMS,
  MOST_SITE_LANE_ITEMS,
  SITE_READ_DAYS,
} from '#contract/http/devices/records.ts'
import { hoursOf, LONGEST_WINDOW_MS, MOST_EARLIER_DAYS } from '#domain/analytics/unusual.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { type Period, readPeriod } from '#server/http/reading/period.ts'
import type { HourlyMeans, Hours } from '#server/telemetry/read/hourlyMeans.ts'
import { lanesOf } from './lanes.ts'
import { type LightAndPowerDeps, lightAndPower } from './lightAndPower.ts'
import type { SiteDevice, SiteStore } from './site.store.ts'
import type { DeviceTimelineStore } from './timeline.store.ts'
import { unusualFields } from './unusualFields.ts'
import { worstFirst } from './worstFirst.ts'

export interface DeviceTimelineDeps extends LightAndPowerDeps {
  readonly store: Pick<DeviceTimelineStore, 'writtenDown'>
  readonly visibleDevices: VisibleDevices
  readonly siteOf: SiteStore['siteOf']
  readonly timeZone: (deviceId: DeviceId, scope: Scope) => Promise<string | undefined>
  readonly means: (deviceId: DeviceId, hours: Hours) => Promise<ReadonlyMap<FieldId, HourlyMeans>>
}

type Answer = z.input<typeof deviceTimeline>
type Bounds = Pick<Parameters<typeof lightAndPower>[2], 'readDays'> & { readonly mostItems: number }

const OF_ONE: Bounds = { readDays: LONGEST_READ_DAYS, mostItems: MOST_LANE_ITEMS }
const OF_SITE: Bounds = { readDays: SITE_READ_DAYS, mostItems: MOST_SITE_LANE_ITEMS }
/** So few devices of a site are read at the same time, because others need database connections too. */
const TOGETHER = 4
const HOURS_A_DAY = 24

export function deviceTimelineRoutes(deps: DeviceTimelineDeps): readonly Route[] {
  const { store, visibleDevices } = deps

  async function timeline(deviceId: DeviceId, period: Period, caller: Caller, bounds: Bounds): Promise<Answer> {
    const scope = scopeOf(caller)
    const mayOpen = isAllowed('seeDevices', caller)
    const [written, told] = await Promise.all([
      store.writtenDown(scope, deviceId, period, bounds.mostItems),
      lightAndPower(deps, deviceId, { period, readDays: bounds.readDays, withPower: mayOpen }),
    ])
    const lanes = lanesOf({ written, told, period, mostItems: bounds.mostItems, now: deps.now(), scope })
    // Whoever may not open the pages of a device sees none of their history here either.
    return mayOpen ? lanes : { alerts: lanes.alerts, light: lanes.light }
  }

  async function siteTimeline(deviceId: DeviceId, period: Period, caller: Caller) {
    const site = await deps.siteOf(scopeOf(caller), deviceId)
    if (!site) throw notFound()
    const told: (SiteDevice & { lanes: Answer })[] = []
    for (let begin = 0; begin < site.devices.length; begin += TOGETHER) {
      const some = site.devices.slice(begin, begin + TOGETHER).map(async (device) => ({
        ...device,
        lanes: await timeline(device.id, period, caller, OF_SITE),
      }))
      told.push(...(await Promise.all(some)))
    }
    return { devices: worstFirst(told, period, deps.now()), leftOut: site.leftOut }
  }

  return [
    route(getDeviceTimeline, async ({ query, caller }) => {
      const period = periodUpTo(LONGEST_TIMELINE_DAYS, query, 'A timeline')
      const [, answer] = await Promise.all([
        visibleDevices.require(scopeOf(caller), [query.deviceId]),
        timeline(query.deviceId, period, caller, OF_ONE),
      ])
      return answer
    }),
    route(getSiteTimeline, ({ query, caller }) =>
      siteTimeline(query.deviceId, periodUpTo(LONGEST_SITE_DAYS, query, 'A timeline of a site'), caller),
    ),
    route(getUnusualFields, async ({ query: { deviceId, ...asked }, caller }) => {
      const { from, to } = readPeriod(asked)
      if (to.getTime() - from.getTime() > LONGEST_WINDOW_MS) {
        throw new CallError('invalid_request', 'A window may be a day long at most.')
      }
      const hours = hoursOf(from.getTime(), to.getTime())
      const begin = (hours[0] ?? 0) - (MOST_EARLIER_DAYS + 1) * HOURS_A_DAY
      const [timeZone, means] = await Promise.all([
        deps.timeZone(deviceId, scopeOf(caller)),
        deps.means(deviceId, { begin, end: (hours.at(-1) ?? 0) + 1 }),
      ])
      if (timeZone === undefined) throw notFound()
      return unusualFields(means, begin, hours, timeZone)
    }),
  ]
}

/** @throws CallError `invalid_request` for a longer period */
function periodUpTo(days: number, asked: Parameters<typeof readPeriod>[0], what: string): Period {
  const period = readPeriod(asked)
  if (period.to.getTime() - period.from.getTime() > days * DAY_MS) {
    throw new CallError('invalid_request', `${what} may have at most ${days} days.`)
  }
  return period
}
