import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { closeLocked, lockAlerts } from '#server/telemetry/alerts/closing.ts'
import { createAlertActions } from './alertActions.service.ts'
import { createAlertActionStore } from './alertActions.store.ts'
import { findAlertDetails, findAlertHistory } from './alertDetails.store.ts'
import { createAlertList } from './alertList.service.ts'
import { alertRoutes } from './alerts.routes.ts'
import { createAlertStore } from './alerts.store.ts'

export function alertsFeature({ pool, db, live }: Pick<Given, 'pool' | 'db' | 'live'>) {
  const visibleDevices = createVisibleDevices(pool)
  const store = createAlertStore(db)
  return {
    routes: alertRoutes({
      list: createAlertList({ store, visibleDevices }),
      actions: createAlertActions({
        store: createAlertActionStore(db),
        lockAlerts,
        closeLocked,
        details: (scope, id, transaction) => findAlertDetails(transaction, scope, id),
        onAlerts: live.noteAlerts,
      }),
      details: (scope, id) => findAlertDetails(db, scope, id),
      history: (scope, asked) => findAlertHistory(db, scope, asked),
      store,
      visibleDevices,
    }),
    liveReaders: { readAlerts: store.justChanged },
  }
}
