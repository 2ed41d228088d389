import type { DefaultConditions } from '#contract/http/alerting/thresholds.ts'
import {
  isWatched,
  SUGGESTED_CONDITIONS,
  type SuggestedCondition,
  type SuggestedConditionKey,
} from '#domain/alerts/suggestedConditions.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { readConditionFields, textOf } from './conditionLabels.ts'
import { ALL_DEVICES, NOWHERE } from './conditionPlace.ts'
import { answerOffer, beginDefaults, isOffered } from './defaultConditions.store.ts'
import { type ConditionFields, insertCondition, readConditions } from './thresholds.store.ts'

const PLACE = { ...NOWHERE, overridesId: null }

const fieldsOf = ({ kind, fieldId, operatorId, value, minutes, severityId }: SuggestedCondition): ConditionFields =>
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
export const ensureDefaultConditions = (db: Given['db']): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    if ((await beginDefaults(transaction)) !== 'added') return
    for (const one of SUGGESTED_CONDITIONS) await insertCondition(transaction, fieldsOf(one), PLACE, null)
  })

/** Lists what an upgraded installation is offered once, and says what of it is watched already. */
export async function listSuggested(db: Given['db'], scope: Scope): Promise<DefaultConditions> {
  const [isWaiting, conditions] = await Promise.all([isOffered(db), readConditions(db, scope, {})])
  const wide = conditions
    .filter(({ deviceId, customerId, tag }) => deviceId === null && customerId === null && tag === null)
    .map(({ fieldId, isOff }) => ({ eventTypeFieldId: fieldId, isOff }))
  return {
    isOffered: isWaiting && scope.kind === 'everything',
    conditions: SUGGESTED_CONDITIONS.map((one) => ({
      ...{ key: one.key, title: one.title, severityId: one.severityId },
      conditionText: textOf(fieldsOf(one)),
      isWatched: isWatched(one, wide),
    })),
  }
}

/** Adds the suggested conditions that somebody has chosen, and ends the offer. */
export async function addSuggested(
  db: Given['db'],
  keys: readonly SuggestedConditionKey[],
  caller: Caller,
  change: ChangeRecord,
): Promise<number[]> {
  if (scopeOf(caller).kind !== 'everything') throw new CallError('forbidden')
  return db.transaction().execute(async (transaction) => {
    // When two people answer at once, the second has nothing to answer.
    if (!(await answerOffer(transaction))) throw notFound()
    const added: number[] = []
    const wanted = SUGGESTED_CONDITIONS.filter(({ key }) => keys.includes(key)).map(fieldsOf)
    for (const fields of wanted) added.push(await insertCondition(transaction, fields, PLACE, caller.userId))
    await change.done(transaction, {
      name: `Default conditions · ${ALL_DEVICES}`,
      customerId: null,
      after: { addedConditions: wanted.map(textOf) },
    })
    return added
  })
}
