import type { z } from 'zod'
import {
  type AlertDetails,
  acknowledgeAlert,
  closeAlerts,
  getAlertDetails,
  getAlertHistory,
  listAlertResolutions,
  listAlerts,
  listAnalyticsAlerts,
} from '#contract/http/alerting/alerts.ts'
import { ALERT_RESOLUTIONS } from '#domain/alerts/alertLabels.ts'
import type { AlertId } from '#domain/ids.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Scope, scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import { justAfter, readPeriod } from '#server/http/reading/period.ts'
import type { AlertActions } from './alertActions.service.ts'
import type { createAlertList } from './alertList.service.ts'
import type { AlertStore } from './alerts.store.ts'

export interface AlertRouteDeps {
  readonly list: ReturnType<typeof createAlertList>
  readonly actions: AlertActions
  readonly details: (scope: Scope, id: AlertId) => Promise<AlertDetails | undefined>
  readonly history: (
    scope: Scope,
    asked: z.output<typeof getAlertHistory.query>,
  ) => Promise<z.output<typeof getAlertHistory.answer> | undefined>
  readonly store: Pick<AlertStore, 'markers'>
  readonly visibleDevices: VisibleDevices
}

/** People choose from these; the others are set by the system. */
const resolutions = ALERT_RESOLUTIONS.filter(({ isSystem }) => !isSystem).map(({ id, name }) => ({ id, name }))

export const alertRoutes = ({
  list,
  actions,
  details,
  history,
  store,
  visibleDevices,
}: AlertRouteDeps): readonly Route[] => [
  route(listAlerts, ({ query, caller }) => list(query, caller)),
  route(getAlertDetails, async ({ query, caller }) => {
    const found = await details(scopeOf(caller), query.id)
    if (found === undefined) throw notFound()
    return found
  }),
  route(getAlertHistory, async ({ query, caller }) => {
    const found = await history(scopeOf(caller), query)
    if (found === undefined) throw notFound()
    return found
  }),
  route(listAlertResolutions, () => resolutions),
  route(closeAlerts, ({ body, caller, change }) => actions.close(body, caller, change)),
  route(acknowledgeAlert, ({ body, caller, change }) => actions.acknowledge(body, caller, change)),
  route(listAnalyticsAlerts, async ({ query, caller }) => {
    const { deviceId, measurementId: fieldId } = query
    const { from, to } = readPeriod(query)
    const scope = scopeOf(caller)
    await visibleDevices.require(scope, [deviceId])
    const found = await store.markers(scope, { deviceId, fieldId, from, to: justAfter(to) })
    return found.map(({ id, conditionText, createdAt, deviceName }) => ({
      id,
      conditionText,
      created: createdAt.toISOString(),
      deviceName,
    }))
  }),
]
