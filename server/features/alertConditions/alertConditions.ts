import { closeLocked, lockAlerts, openAlertIds } from '#server/telemetry/alerts/closing.ts'
import { replay } from '#server/telemetry/alerts/replay.ts'
import type { Given } from '../feature.ts'
import { alertConditionRoutes } from './alertConditions.routes.ts'
import { createAlertConditions } from './alertConditions.service.ts'
import { createAlertConditionStore } from './alertConditions.store.ts'
import { createConditionPreview } from './conditionPreview.service.ts'

/** What raises alerts. */
export function alertConditionsFeature({ pool, db, live }: Pick<Given, 'pool' | 'db' | 'live'>) {
  const store = createAlertConditionStore(db)
  return {
    routes: alertConditionRoutes({
      conditions: createAlertConditions({ store, openAlertIds, lockAlerts, closeLocked, onAlerts: live.noteAlerts }),
      preview: createConditionPreview({ store, replay: (question) => replay(pool, question) }),
      store,
    }),
  }
}
