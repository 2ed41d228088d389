import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { openDatabase } from './db/database.ts'
import { alertConditionRoutes } from './features/alertConditions/alertConditions.routes.ts'
import { createAlertConditions } from './features/alertConditions/alertConditions.service.ts'
import { createAlertConditionStore } from './features/alertConditions/alertConditions.store.ts'
import { createConditionPreview } from './features/alertConditions/conditionPreview.service.ts'
import { createAlertActions } from './features/alerts/alertActions.service.ts'
import { createAlertActionStore } from './features/alerts/alertActions.store.ts'
import { findAlertDetails } from './features/alerts/alertDetails.store.ts'
import { createAlertList } from './features/alerts/alertList.service.ts'
import { alertRoutes as routesOfAlerts } from './features/alerts/alerts.routes.ts'
import { createAlertStore } from './features/alerts/alerts.store.ts'
import type { Route } from './http/route.ts'
import { createVisibleDevices } from './http/visibleDevices.store.ts'
import { closeLocked, lockAlerts, openAlertIds } from './telemetry/alerts/closing.ts'
import { replay } from './telemetry/alerts/replay.ts'

/** The calls about alerts and the conditions that raise them. */
export function alertRoutes(pool: pg.Pool, onAlerts: (devices: ReadonlySet<DeviceId>) => void): readonly Route[] {
  const db = openDatabase(pool)
  const visibleDevices = createVisibleDevices(pool)
  const store = createAlertStore(db)
  const conditions = createAlertConditionStore(db)
  return [
    ...routesOfAlerts({
      list: createAlertList({ store, visibleDevices }),
      actions: createAlertActions({
        store: createAlertActionStore(db),
        lockAlerts,
        closeLocked,
        details: (scope, id, transaction) => findAlertDetails(transaction, scope, id),
        onAlerts,
      }),
      details: (scope, id) => findAlertDetails(db, scope, id),
      store,
      visibleDevices,
    }),
    ...alertConditionRoutes({
      conditions: createAlertConditions({ store: conditions, openAlertIds, lockAlerts, closeLocked, onAlerts }),
      preview: createConditionPreview({ store: conditions, replay: (question) => replay(pool, question) }),
      store: conditions,
    }),
  ]
}
