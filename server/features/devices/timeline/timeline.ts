import type { z } from 'zod'
import type { ReadQueryOf } from '#contract/call/call.ts'
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
import type { DeviceId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { type Period, readPeriod } from '#server/http/reading/period.ts'
import { readMeansOfHours } from '#server/telemetry/read/hourlyMeans.ts'
import { lanesOf } from './lanes.ts'
import { lightAndPower } from './lightAndPower.ts'
import { findSite, type SiteDevice } from './site.store.ts'
import { readTimeZone, readWrittenDown } from './timeline.store.ts'
import { unusualFields } from './unusualFields.ts'
import { worstFirst } from './worstFirst.ts'

type Deps = Pick<Given, 'pool' | 'clock'>
type Answer = z.input<typeof deviceTimeline>
type Bounds = Pick<Parameters<typeof lightAndPower>[3], 'readDays'> & { readonly mostItems: number }

const OF_ONE: Bounds = { readDays: LONGEST_READ_DAYS, mostItems: MOST_LANE_ITEMS }
const OF_SITE: Bounds = { readDays: SITE_READ_DAYS, mostItems: MOST_SITE_LANE_ITEMS }
/** So few devices of a site are read at the same time, because others need database connections too. */
const TOGETHER = 4
const HOURS_A_DAY = 24

export const deviceTimelineFeature = (deps: Deps) => ({
  routes: [
    route(getDeviceTimeline, async ({ query, caller }) => {
      const period = periodUpTo(LONGEST_TIMELINE_DAYS, query, 'A timeline')
      const [, answer] = await Promise.all([
        requireVisible(deps.pool, scopeOf(caller), [query.deviceId]),
        timeline(deps, query.deviceId, period, caller, OF_ONE),
      ])
      return answer
    }),
    route(getSiteTimeline, ({ query, caller }) =>
      siteTimeline(deps, query.deviceId, periodUpTo(LONGEST_SITE_DAYS, query, 'A timeline of a site'), caller),
    ),
    route(getUnusualFields, ({ query, caller }) => unusualIn(deps, query, caller)),
  ],
})

async function timeline(
  { pool, clock }: Deps,
  deviceId: DeviceId,
  period: Period,
  caller: Caller,
  { readDays, mostItems }: Bounds,
): Promise<Answer> {
  const scope = scopeOf(caller)
  const now = clock.now()
  const mayOpen = isAllowed('seeDevices', caller)
  const [written, told] = await Promise.all([
    readWrittenDown(pool, scope, deviceId, period, mostItems),
    lightAndPower(pool, now, deviceId, { period, readDays, withPower: mayOpen }),
  ])
  const lanes = lanesOf({ written, told, period, mostItems, now, scope })
  // Whoever may not open the pages of a device sees none of their history here either.
  return mayOpen ? lanes : { alerts: lanes.alerts, light: lanes.light }
}

async function siteTimeline(deps: Deps, deviceId: DeviceId, period: Period, caller: Caller) {
  const site = await foundRow(findSite(deps.pool, scopeOf(caller), deviceId))
  const told: (SiteDevice & { lanes: Answer })[] = []
  for (let begin = 0; begin < site.devices.length; begin += TOGETHER) {
    const some = site.devices.slice(begin, begin + TOGETHER).map(async (device) => ({
      ...device,
      lanes: await timeline(deps, device.id, period, caller, OF_SITE),
    }))
    told.push(...(await Promise.all(some)))
  }
  return { devices: worstFirst(told, period, deps.clock.now()), leftOut: site.leftOut }
}

async function unusualIn({ pool }: Deps, { deviceId, ...asked }: ReadQueryOf<typeof getUnusualFields>, caller: Caller) {
  const { from, to } = readPeriod(asked)
  if (to.getTime() - from.getTime() > LONGEST_WINDOW_MS) {
    throw new CallError('invalid_request', 'A window may be a day long at most.')
  }
  const hours = hoursOf(from.getTime(), to.getTime())
  const begin = (hours[0] ?? 0) - (MOST_EARLIER_DAYS + 1) * HOURS_A_DAY
  const [timeZone, means] = await Promise.all([
    foundRow(readTimeZone(pool, scopeOf(caller), deviceId)),
    readMeansOfHours(pool, deviceId, { begin, end: (hours.at(-1) ?? 0) + 1 }),
  ])
  return unusualFields(means, begin, hours, timeZone)
}

/** @throws CallError `invalid_request` for a longer period */
function periodUpTo(days: number, asked: Parameters<typeof readPeriod>[0], what: string): Period {
  const period = readPeriod(asked)
  if (period.to.getTime() - period.from.getTime() > days * DAY_MS) {
    throw new CallError('invalid_request', `${what} may have at most ${days} days.`)
  }
  return period
}
