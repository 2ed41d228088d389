import {
  acknowledgeAlert,
  closeAlerts,
  getAlertDetails,
  getAlertHistory,
  listAlertResolutions,
  listAlerts,
  listAnalyticsAlerts,
} from '#contract/http/alerting/alerts.ts'
import { ALERT_RESOLUTIONS } from '#domain/alerts/alertLabels.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import { titleOf } from '#server/fleet/alertTitles.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { type Scope, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { justAfter, readPeriod } from '#server/http/reading/period.ts'
import { acknowledge, close } from './alertActions.ts'
import { findAlertDetails, findAlertHistory } from './alertDetails.store.ts'
import { list } from './alertList.ts'
import { readJustChanged, readMarkers } from './alerts.store.ts'

/** People choose from these; the others are set by the system. */
const RESOLUTIONS = ALERT_RESOLUTIONS.filter(({ isSystem }) => !isSystem).map(({ id, name }) => ({ id, name }))

export const alertsFeature = (given: Pick<Given, 'pool' | 'db' | 'live'>) => ({
  routes: [
    route(listAlerts, ({ query, caller }) => list(given, query, caller)),
    route(getAlertDetails, ({ query, caller }) => foundRow(findAlertDetails(given.db, scopeOf(caller), query.id))),
    route(getAlertHistory, ({ query, caller }) => foundRow(findAlertHistory(given.db, scopeOf(caller), query))),
    route(listAlertResolutions, () => RESOLUTIONS),
    route(closeAlerts, ({ body, caller, change }) => close(given, body, caller, change)),
    route(acknowledgeAlert, ({ body, caller, change }) => acknowledge(given, body, caller, change)),
    route(listAnalyticsAlerts, async ({ query, caller }) => {
      const { deviceId, measurementId: fieldId } = query
      const { from, to } = readPeriod(query)
      const scope = scopeOf(caller)
      await requireVisible(given.pool, scope, [deviceId])
      const found = await readMarkers(given.db, scope, { deviceId, fieldId, from, to: justAfter(to) })
      return found.map(({ id, deviceName, createdAt, named }) => ({
        ...{ id, deviceName, created: createdAt.toISOString() },
        ...{ conditionText: named.condition_text, title: titleOf(named) },
      }))
    }),
  ],
  liveReaders: {
    readAlerts: (scope: Scope, deviceIds: readonly DeviceId[]) => readJustChanged(given.db, scope, deviceIds),
  },
})
