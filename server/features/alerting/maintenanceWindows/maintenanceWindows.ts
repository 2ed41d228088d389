import { z } from 'zod'
import type { AnswerOf, ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import { ANY_CUSTOMER } from '#contract/call/values.ts'
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  endMaintenanceWindow,
  listMaintenanceWindows,
  MOST_PREVIEWED,
  previewMaintenanceWindow,
} from '#contract/http/alerting/maintenanceWindows.ts'
import type { DeviceId } from '#domain/ids.ts'
import { scheduleFault } from '#domain/maintenanceWindows/scheduleRules.ts'
import type { Given } from '#server/features/feature.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { isWithin } from '#server/http/call/scopeSql.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'
import { countMailed } from '#server/mail/maintenanceMails.ts'
import { create, edit, end, readSchedule, remove } from './windowChanges.ts'
import { countDaysAnew, planInTurn } from './windowPlan.store.ts'
import { readWindows, timesOf, toWindow } from './windowRows.store.ts'
import { findTarget, readDevicesOf } from './windowTargets.store.ts'

/** During a maintenance window nobody is mailed, and its minutes do not count for availability. */
export const maintenanceWindowsFeature = (given: Pick<Given, 'pool' | 'db' | 'clock' | 'live'>) => ({
  routes: [
    route(listMaintenanceWindows, ({ query, caller }) => list(given, query, caller)),
    route(previewMaintenanceWindow, ({ body, caller }) => preview(given, body, caller)),
    route(createMaintenanceWindow, ({ body, caller, change }) => create(given, body, caller, change)),
    route(changeMaintenanceWindow, ({ body, caller, change }) => edit(given, body, caller, change)),
    route(endMaintenanceWindow, ({ body, caller, change }) => end(given, body, caller, change)),
    route(deleteMaintenanceWindow, ({ body, caller, change }) => remove(given, body.id, caller, change)),
  ],
  jobs: [maintenancePlanJob(given.live.noteChanged)],
})

type ReadDeps = Pick<Given, 'pool' | 'db' | 'clock'>

const USUAL_PAGE = 100
const PREVIEWED_TIMES = 3
const pageKey = z.strictObject({ id: z.int32() })

async function list(
  { pool, db, clock }: ReadDeps,
  { state, customerId, deviceId, ...paging }: ReadQueryOf<typeof listMaintenanceWindows>,
  caller: Caller,
): Promise<AnswerOf<typeof listMaintenanceWindows>> {
  const page = askedPage(paging, USUAL_PAGE, (key) => readPageKey(key, pageKey))
  const scope = scopeOf(caller)
  if (deviceId !== undefined) await requireVisible(pool, scope, [deviceId])
  const ofCustomer = customerId === ANY_CUSTOMER ? undefined : customerId
  if (ofCustomer !== undefined && !isWithin(scope, ofCustomer)) throw notFound()
  const now = clock.now()
  const asked = { state, customerId: ofCustomer, deviceId }
  const found = await readPage(
    page,
    ({ after, skip, size }) => readWindows(db, scope, now, { ...asked, beforeId: after?.id, skip, atMost: size }),
    ({ id }) => ({ id }),
  )
  return { rows: found.rows.map((row) => toWindow(row, scope, now)), next: found.next }
}

async function preview(
  { pool, db, clock }: ReadDeps,
  { target, schedule: asked }: ReadBodyOf<typeof previewMaintenanceWindow>,
  caller: Caller,
): Promise<AnswerOf<typeof previewMaintenanceWindow>> {
  const found = await foundRow(findTarget(db, scopeOf(caller), target))
  const now = clock.now()
  const schedule = readSchedule(asked, now, found.timeZone)
  const [{ count, devices }, toldPeople] = await Promise.all([
    readDevicesOf(db, found, MOST_PREVIEWED),
    countMailed(pool, found.customerId),
  ])
  const isPossible = scheduleFault(schedule, now) === undefined
  const times = isPossible ? timesOf(schedule, now, PREVIEWED_TIMES) : []
  return { deviceCount: count, devices, times, timeZone: schedule.timeZone, toldPeople }
}

const RETRY_MS = 3_000

/**
 * Plans ahead when devices are under maintenance, follows changes of their tags and customers, and has their days
 * counted again.
 * @param onChanged receives each device whose maintenance has changed
 */
function maintenancePlanJob(onChanged: (deviceId: DeviceId) => void): Job {
  return {
    name: 'maintenance windows',
    everyMs: TOLD_EVERY_MS,
    retryMs: RETRY_MS,
    async run(owner, now, stopped) {
      for (const deviceId of await planInTurn(owner, now)) onChanged(deviceId)
      while (!stopped.aborted && (await countDaysAnew(owner, now)) > 0);
    },
  }
}
