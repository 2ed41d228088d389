import type { DefaultConditions } from '#contract/http/alerting/thresholds.ts'
import {
  isWatched,
  SUGGESTED_CONDITIONS,
  type SuggestedCondition,
  type SuggestedConditionKey,
} from '#domain/alerts/suggestedConditions.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { readConditionFields, textOf } from './conditionLabels.ts'
import { ALL_DEVICES, NOWHERE } from './conditionPlace.ts'
import { answerOffer, beginDefaults } from './defaultConditions.store.ts'
import type { AlertConditionStore, ConditionFields } from './thresholds.store.ts'

const PLACE = { ...NOWHERE, overridesId: null }

const wordsOf = ({ kind, fieldId, operatorId, value, minutes, severityId }: SuggestedCondition): ConditionFields =>
  readConditionFields({
    ...{ kind, eventTypeFieldId: fieldId, operatorId, severityId, minutes },
    ...(typeof value === 'number' ? { valueDec: value } : { valueText: value }),
    ...{ periodId: 1, actionTypeId: 1, isOff: false, allDevices: true },
  })

/**
 * Gives a new installation default conditions for all devices, because its operators have not defined any and would not
 * be notified of anything. An upgraded installation is asked instead, because its own conditions cover much of the
 * same.
 */
export const ensureDefaultConditions = (store: Pick<AlertConditionStore, 'insert' | 'transaction'>): Promise<void> =>
  store.transaction(async (transaction) => {
    if ((await beginDefaults(transaction)) !== 'added') return
    for (const one of SUGGESTED_CONDITIONS) await store.insert(wordsOf(one), PLACE, null, transaction)
  })

/** Manages the offer of default conditions that an upgraded installation gets once. */
export function createDefaultConditions(store: AlertConditionStore, isOffered: () => Promise<boolean>) {
  return {
    list: async (caller: Caller): Promise<DefaultConditions> => {
      const scope = scopeOf(caller)
      const [isWaiting, conditions] = await Promise.all([isOffered(), store.list(scope, {})])
      const wide = conditions
        .filter(({ deviceId, customerId, tag }) => deviceId === null && customerId === null && tag === null)
        .map(({ fieldId, isOff }) => ({ eventTypeFieldId: fieldId, isOff }))
      return {
        isOffered: isWaiting && scope.kind === 'everything',
        conditions: SUGGESTED_CONDITIONS.map((one) => ({
          ...{ key: one.key, title: one.title, severityId: one.severityId },
          conditionText: textOf(wordsOf(one)),
          isWatched: isWatched(one, wide),
        })),
      }
    },

    answer: async (keys: readonly SuggestedConditionKey[], caller: Caller, change: ChangeRecord): Promise<number[]> => {
      if (scopeOf(caller).kind !== 'everything') throw new CallError('forbidden')
      return store.transaction(async (transaction) => {
        // When two people answer at once, the second has nothing to answer.
        if (!(await answerOffer(transaction))) throw notFound()
        const added: number[] = []
        const wanted = SUGGESTED_CONDITIONS.filter(({ key }) => keys.includes(key)).map(wordsOf)
        for (const words of wanted) added.push(await store.insert(words, PLACE, caller.userId, transaction))
        await change.done(transaction, {
          name: `Default conditions · ${ALL_DEVICES}`,
          customerId: null,
          after: { addedConditions: wanted.map(textOf) },
        })
        return added
      })
    },
  }
}
