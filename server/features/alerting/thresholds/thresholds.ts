import { minutesMs } from '#domain/alerts/conditionKinds.ts'
import { pastDarkness } from '#server/darkness/waiting/pastDarkness.ts'
import { pastSilence } from '#server/darkness/waiting/pastSilence.ts'
import type { Given } from '#server/features/feature.ts'
import {
  closeLocked,
  forgetStrayStates,
  lockAlerts,
  openAlertIds,
  strayAlertIds,
} from '#server/telemetry/alerts/closing.ts'
import { replayRequested } from '#server/telemetry/alerts/replay.ts'
import { createConditionPreview } from './conditionPreview.service.ts'
import { isOffered } from './defaultConditions.store.ts'
import { createDefaultConditions } from './defaultConditions.ts'
import { alertConditionRoutes } from './thresholds.routes.ts'
import { createAlertConditions } from './thresholds.service.ts'
import { createAlertConditionStore } from './thresholds.store.ts'

export function alertConditionsFeature({ pool, db, live, clock }: Pick<Given, 'pool' | 'db' | 'live' | 'clock'>) {
  const store = createAlertConditionStore(db)
  return {
    routes: alertConditionRoutes({
      conditions: createAlertConditions({
        store,
        openAlertIds,
        strayAlertIds,
        forgetStrayStates,
        lockAlerts,
        closeLocked,
        onAlerts: live.noteAlerts,
      }),
      preview: createConditionPreview({
        store,
        replay: ({ asked, ...question }) => {
          const waited = { ...question, waitMs: minutesMs(asked.minutes ?? 0) }
          if (asked.kind === 'silent') return pastSilence(pool, waited)
          if (asked.kind === 'dark') return pastDarkness(pool, { ...waited, now: clock.now() })
          return replayRequested(pool, { ...question, asked })
        },
      }),
      defaults: createDefaultConditions(store, () => isOffered(db)),
      store,
    }),
  }
}
