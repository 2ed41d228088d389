import { minutesMs } from '#domain/alerts/conditionKinds.ts'
import { pastDarkness } from '#server/darkness/waiting/pastDarkness.ts'
import { pastSilence } from '#server/darkness/waiting/pastSilence.ts'
import {
  closeLocked,
  forgetStrayStates,
  lockAlerts,
  openAlertIds,
  strayAlertIds,
} from '#server/telemetry/alerts/closing.ts'
import { replayAsked } from '#server/telemetry/alerts/replay.ts'
import type { Given } from '../feature.ts'
import { alertConditionRoutes } from './alertConditions.routes.ts'
import { createAlertConditions } from './alertConditions.service.ts'
import { createAlertConditionStore } from './alertConditions.store.ts'
import { createConditionPreview } from './conditionPreview.service.ts'
import { isOffered } from './defaultConditions.store.ts'
import { createDefaultConditions } from './defaultConditions.ts'

/** What raises alerts. */
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
          return replayAsked(pool, { ...question, asked })
        },
      }),
      defaults: createDefaultConditions(store, () => isOffered(db)),
      store,
    }),
  }
}
