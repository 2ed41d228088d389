import {
  addVisitPhoto,
  cancelVisit,
  endCalendarAddress,
  getCalendarAddress,
  getVisit,
  getVisitPhoto,
  listVisits,
  newCalendarAddress,
  recordVisit,
  setVisit,
} from '#contract/http/devices/visits.ts'
import type { Given } from '#server/features/feature.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { findCalendarMade, findPhoto, findVisit, findVisits, findWritten } from './fieldVisits.store.ts'
import { endCalendarAddressOf, makeCalendarAddress } from './visitCalendar.ts'
import { cancelVisitPlan, planVisit } from './visitPlans.ts'
import { takePhoto, writeVisit } from './visitRecords.ts'

/** Visits to devices: planned, written on site, with photos (rules/maintenance 5 to 8). */
export const visitRoutes = ({ pool, db }: Pick<Given, 'pool' | 'db'>): readonly Route[] => [
  route(listVisits, async ({ query: { deviceId, mine }, caller }) => {
    const scope = scopeOf(caller)
    if (deviceId !== undefined) await requireVisible(pool, scope, [deviceId])
    return findVisits(db, { deviceId, technicianId: mine ? caller.userId : undefined }, scope)
  }),
  route(getVisit, async ({ query: { id }, caller }) => {
    const visit = await foundRow(findVisit(db, id, scopeOf(caller)))
    return { ...visit, ...(await findWritten(db, visit)) }
  }),
  route(getVisitPhoto, async ({ query: { id, key }, caller }) => {
    const { jpeg, takenAt } = await foundRow(findPhoto(db, id, key, scopeOf(caller)))
    return { jpeg: jpeg.toString('base64'), takenDt: takenAt.toISOString() }
  }),
  route(setVisit, ({ body, caller, change }) => planVisit(db, body, caller, change)),
  route(cancelVisit, ({ body, caller, change }) => cancelVisitPlan(db, body.id, caller, change)),
  route(recordVisit, (request) => writeVisit(db, request)),
  route(addVisitPhoto, (request) => takePhoto(db, request)),
  route(getCalendarAddress, async ({ caller }) => {
    const made = await findCalendarMade(db, caller.userId)
    return { madeDt: made?.madeAt.toISOString() ?? null }
  }),
  route(newCalendarAddress, ({ caller, change }) => makeCalendarAddress(db, caller, change)),
  route(endCalendarAddress, ({ caller, change }) => endCalendarAddressOf(db, caller, change)),
]
