import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import { ANY_CUSTOMER } from '#contract/call/values.ts'
import { acknowledgeByLink, getLinkedIncident, listIncidentNotices } from '#contract/http/alerting/incidentNotices.ts'
import {
  acknowledgeIncident,
  getIncident,
  listIncidentAlerts,
  listIncidents,
  mergeIncidents,
  noteIncident,
  snoozeIncident,
  splitIncident,
} from '#contract/http/alerting/incidents.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { publicRoute, route } from '#server/http/call/route.ts'
import { askedPage, exactTotal } from '#server/http/reading/pages.ts'
import { toIncident } from '#server/incidents/shownIncidents.store.ts'
import { createJobRinger } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import { inboundPage } from './acknowledgeByChannel.ts'
import { acknowledgeLinked, readLinked } from './acknowledgeByLink.ts'
import { acknowledge, merge, note, snooze, split } from './incidentChanges.ts'
import { readDetails } from './incidentDetails.ts'
import { readNotices } from './incidentNotices.store.ts'
import { countIncidents, findIncident, readIncidentAlerts, readIncidents } from './incidents.store.ts'

/** Reads and changes incidents, which group alerts of one cause (docs/decisions/0197). */
export function incidentsFeature(given: Pick<Given, 'pool' | 'db' | 'clock' | 'live' | 'cipher'>) {
  const { pool, db, clock } = given
  const wakeMails = createJobRinger(pool, MAILS_JOB)
  return {
    routes: [
      route(listIncidents, ({ query, caller }) => list(given, query, caller)),
      route(getIncident, async ({ query, caller }) => {
        const found = await readDetails(db, scopeOf(caller), query.id, clock.now())
        return { ...found, mayChange: found.mayChange && isAllowed(acknowledgeIncident.permission, caller) }
      }),
      route(listIncidentAlerts, ({ query, caller }) => listAlerts(given, query, caller)),
      route(acknowledgeIncident, ({ body, caller, change }) => acknowledge(given, body, { caller, change })),
      route(listIncidentNotices, async ({ query, caller }) => {
        const scope = scopeOf(caller)
        const { id } = await foundRow(findIncident(db, scope, query.id))
        return readNotices(db, scope, id)
      }),
      publicRoute(getLinkedIncident, ({ body }) => readLinked(given, body.token)),
      publicRoute(acknowledgeByLink, ({ body, change }) => acknowledgeLinked(given, body.token, change)),
      route(noteIncident, ({ body, caller, change }) => note(given, body, caller, change)),
      route(snoozeIncident, async ({ body, caller, change }) => {
        const answer = await snooze(given, body, caller, change)
        // When a snooze ends, notifications go out now.
        wakeMails()
        return answer
      }),
      route(mergeIncidents, ({ body, caller, change }) => merge(given, body, caller, change)),
      route(splitIncident, ({ body, caller, change }) => split(given, body, caller, change)),
    ],
    openPages: [inboundPage(given)],
  }
}

const PAGE_SIZE = 50
const noKeys = (): never => {
  throw new CallError('invalid_request', notValid('next'))
}

async function list(
  { pool, db, clock }: Pick<Given, 'pool' | 'db' | 'clock'>,
  query: ReadQueryOf<typeof listIncidents>,
  caller: Caller,
): Promise<AnswerOf<typeof listIncidents>> {
  const page = askedPage(query, PAGE_SIZE, noKeys)
  const scope = scopeOf(caller)
  const { deviceId, customerId } = query
  if (deviceId !== undefined) await requireVisible(pool, scope, [deviceId])
  if (customerId !== undefined && customerId !== ANY_CUSTOMER) await requireCustomer(db, customerId, scope)
  const [rows, count] = await Promise.all([readIncidents(db, scope, query, page), countIncidents(db, scope, query)])
  return {
    rows: rows.map((row) => toIncident(row, scope, clock.now())),
    total: exactTotal(count.rows),
    alertCount: count.alerts,
  }
}

async function listAlerts(
  { db }: Pick<Given, 'db'>,
  { id, ...paging }: ReadQueryOf<typeof listIncidentAlerts>,
  caller: Caller,
): Promise<AnswerOf<typeof listIncidentAlerts>> {
  const page = askedPage(paging, PAGE_SIZE, noKeys)
  const scope = scopeOf(caller)
  const row = await foundRow(findIncident(db, scope, id))
  return { rows: await readIncidentAlerts(db, scope, row, page), total: row.alert_count }
}
