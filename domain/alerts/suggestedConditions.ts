import { UPS_ON_GRID } from '../catalogue/displayRules.ts'
import { EVERY_FIELDS, NUMBERED_FIELDS } from '../catalogue/fieldId.ts'
import { NEARLY_USED_UP_PERCENT } from '../dataBudget/dataUse.ts'
import { MOST_USUAL_STARTS } from '../devices/restarts.ts'
import type { FieldId } from '../ids.ts'
import { type ConditionKind, fieldIdOfKind, isClockKind, type SeverityId, USUAL_SEVERITY } from './conditionKinds.ts'
import { type OperatorCode, operatorByCode } from './operators.ts'

export interface SuggestedCondition {
  readonly key: SuggestedConditionKey
  readonly title: string
  readonly kind: ConditionKind
  readonly fieldId: FieldId
  readonly operatorId: number
  /** A value for a comparison, or minutes for a kind that waits. */
  readonly value: number | string
  readonly minutes: number | null
  readonly severityId: SeverityId
}

export const SUGGESTED_CONDITION_KEYS = [
  'dark',
  'silent',
  'onBattery',
  'doorOpen',
  'dataBudget',
  'restarting',
  'batteryTest',
] as const
export type SuggestedConditionKey = (typeof SUGGESTED_CONDITION_KEYS)[number]

const CRITICAL: SeverityId = 1

const operatorId = (code: OperatorCode): number => operatorByCode(code)?.id ?? 0

function waiting(key: SuggestedConditionKey, title: string, kind: ConditionKind, minutes: number): SuggestedCondition {
  const fieldId = fieldIdOfKind(kind)
  if (fieldId === undefined) throw new Error(`${title} does not wait.`)
  return { key, title, kind, fieldId, operatorId: operatorId('GTE'), value: minutes, minutes, severityId: CRITICAL }
}

function level(
  key: SuggestedConditionKey,
  title: string,
  [wireName, operator, value]: readonly [wireName: string, operator: OperatorCode, value: number | string],
): SuggestedCondition {
  const field = [...NUMBERED_FIELDS, ...EVERY_FIELDS].find((one) => one.wireName === wireName)
  if (!field) throw new Error(`${title} is no condition.`)
  return {
    kind: 'level',
    ...{ key, title, fieldId: field.id, operatorId: operatorId(operator), value, minutes: null },
    severityId: USUAL_SEVERITY,
  }
}

/**
 * These cost money or light if nobody notices them. A new installation begins with all of them, so that nobody has to
 * think of a condition before being notified that a display is dark.
 */
export const SUGGESTED_CONDITIONS: readonly SuggestedCondition[] = [
  waiting('dark', 'Dark against plan', 'dark', 5),
  waiting('silent', 'Not reporting', 'silent', 30),
  level('onBattery', 'Running on battery', ['u_status', 'NEQ', UPS_ON_GRID]),
  // Nobody is notified of it in a maintenance window until the window ends.
  level('doorOpen', 'Door open', ['e*_door_status', 'EQ', '1']),
  level('dataBudget', `Data budget used up to ${NEARLY_USED_UP_PERCENT} %`, [
    'ro_data_used_percent',
    'GTE',
    NEARLY_USED_UP_PERCENT,
  ]),
  level('restarting', 'Client keeps restarting', ['client_starts', 'GT', MOST_USUAL_STARTS]),
  level('batteryTest', 'Battery test failed', ['u_battery_test_result', 'EQ', 'failed']),
]

/** A condition on one door counts as watching doors. */
const withoutNumber = (fieldId: number) => Math.floor(fieldId / 1000) * 1000 + (fieldId % 100)

interface Watching {
  readonly eventTypeFieldId: number | null
  readonly isOff: boolean
}

export const isWatched = ({ fieldId }: SuggestedCondition, watched: readonly Watching[]): boolean =>
  watched.some(
    (one) =>
      !one.isOff && one.eventTypeFieldId !== null && withoutNumber(one.eventTypeFieldId) === withoutNumber(fieldId),
  )

/**
 * Returns the suggestions whose field nothing watches yet.
 *
 * @param offered fields that these devices report
 */
export const suggestionsBeside = (
  watched: readonly Watching[],
  offered: readonly { readonly id: number }[],
): readonly SuggestedCondition[] =>
  SUGGESTED_CONDITIONS.filter(
    (one) => (isClockKind(one.kind) || offered.some(({ id }) => id === one.fieldId)) && !isWatched(one, watched),
  )
