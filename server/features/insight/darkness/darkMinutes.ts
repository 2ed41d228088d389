import type { ReadQueryOf } from '#contract/call/call.ts'
import {
  type Availability,
  getAvailability,
  getDarkMinutes,
  getPlannedDarkness,
  MOST_DARK_DAYS,
  type PlannedDarkness,
} from '#contract/http/insight/darkMinutes.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import { notValid } from '#domain/validation/messages.ts'
import { darkDaysJob } from '#server/darkness/darkDays.ts'
import { darkRecountJob } from '#server/darkness/darkRecount.ts'
import { type DarkPlace, readDarkPlace } from '#server/darkness/dayCounts.ts'
import { plannedWithin } from '#server/darkness/pastLight.ts'
import { darkSumsJob } from '#server/darkness/sums/darkSumsJob.ts'
import type { Given } from '#server/features/feature.ts'
import { narrowScope } from '#server/fleet/customerLookup.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { readPeriod } from '#server/http/reading/period.ts'
import { readDeviceSums, type SumsQuestion } from './darkMinutes.store.ts'
import { areSumsKept, readCustomerSums, readDarkest, readDarkestEver, readSpans } from './fleetDarkness.store.ts'
import { countedLately, fleetLight, keptFleetLight, worstOf } from './fleetLight.ts'
import { lightOfDevice } from './lightOfDevice.ts'

type Deps = Pick<Given, 'db' | 'pool' | 'log' | 'clock'>

const DEFAULT_WORST = 10
/** So many candidates are read for each of the worst, so that one query is nearly always enough. */
const CANDIDATES_EACH = 3
const LONG_MS = 60 * DAY_MS

export function darkMinutesFeature(deps: Deps) {
  const { log, clock } = deps
  return {
    routes: [
      route(getDarkMinutes, async ({ query, caller }) => {
        requireDays(query)
        const place = await requirePlace(deps.pool, query.deviceId, caller)
        return lightOfDevice(deps.pool, place, query, caller.customerId === undefined)
      }),
      route(getAvailability, ({ query, caller }) => availability(deps, query, caller)),
      route(getPlannedDarkness, ({ query, caller }) => plannedDarkness(deps.pool, query, caller)),
    ],
    jobs: [clock.deleting(darkDaysJob), darkRecountJob(log), darkSumsJob()],
  }
}

async function requirePlace(pool: Given['pool'], deviceId: DeviceId, caller: Caller): Promise<DarkPlace> {
  await requireVisible(pool, scopeOf(caller), [deviceId])
  return foundRow(readDarkPlace(pool, deviceId))
}

async function availability(
  { db, pool }: Pick<Given, 'db' | 'pool'>,
  query: ReadQueryOf<typeof getAvailability>,
  caller: Caller,
): Promise<Availability> {
  requireDays(query)
  const scope = await narrowScope(db, scopeOf(caller), query.customerId)
  const { dateFrom: from, dateTo: to, limit: most = DEFAULT_WORST } = query
  const now = new Date()
  const question = { scope, from, to }
  const kept = (await areSumsKept(pool, scope)) ? await fromSums(pool, question, most, now) : undefined
  return kept ?? fleetLight(await readDeviceSums(pool, question), { from, to, most }, now)
}

async function plannedDarkness(
  pool: Given['pool'],
  query: ReadQueryOf<typeof getPlannedDarkness>,
  caller: Caller,
): Promise<PlannedDarkness> {
  const { from, to } = readPeriod(query)
  const [fromMs, toMs] = [from.getTime(), to.getTime()]
  if (toMs - fromMs > MOST_DARK_DAYS * DAY_MS) throw tooLong()
  const place = await requirePlace(pool, query.deviceId, caller)
  return (await plannedWithin(pool, place, { fromMs, toMs }))
    .map((span) => ({ fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }))
    .filter((span) => span.fromMs < span.toMs)
    .map((span) => ({ from: new Date(span.fromMs).toISOString(), to: new Date(span.toMs).toISOString() }))
}

/** @returns undefined when the worst cannot be determined from unplanned darkness alone */
async function fromSums(
  pool: Given['pool'],
  question: SumsQuestion,
  most: number,
  now: Date,
): Promise<Availability | undefined> {
  const [spans, customers, worst] = await Promise.all([
    readSpans(pool, question, countedLately(now)),
    readCustomerSums(pool, question),
    darkest(pool, question, most, now),
  ])
  return worst && { ...keptFleetLight(spans, customers, question, now), worst }
}

/** Finds the darkest devices. It reads more candidates while a device further down may be as dark. */
async function darkest(
  pool: Given['pool'],
  question: SumsQuestion,
  most: number,
  now: Date,
): Promise<Availability['worst'] | undefined> {
  // A long period contains many of the days that are kept, so the sums of all days find good candidates.
  const isLong = Date.parse(question.to) - Date.parse(question.from) > LONG_MS
  const tries = isLong ? [readDarkestEver, readDarkestEver] : []
  for (let take = most * CANDIDATES_EACH; ; take *= CANDIDATES_EACH) {
    const find = tries.shift() ?? readDarkest
    const { deviceIds, othersAtMost } = await find(pool, question, take)
    const worst = worstOf(await readDeviceSums(pool, { ...question, deviceIds }), { ...question, most }, now)
    const least = worst.length < most ? 0 : (worst.at(-1)?.unplannedDarkMinutes ?? 0)
    if (least > othersAtMost) return worst
    if (othersAtMost === 0) return undefined
  }
}

const tooLong = () =>
  new CallError('invalid_request', `A period of dark minutes may have at most ${MOST_DARK_DAYS} days.`)

function requireDays({ dateFrom, dateTo }: { readonly dateFrom: LocalDate; readonly dateTo: LocalDate }): void {
  if (dateFrom > dateTo) throw new CallError('invalid_request', `${notValid('dateFrom')}: it is after dateTo`)
  if (Date.parse(dateTo) - Date.parse(dateFrom) >= MOST_DARK_DAYS * DAY_MS) throw tooLong()
}
