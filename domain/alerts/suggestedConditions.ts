import { NUMBERED_FIELDS } from '../catalogue/fieldId.ts'
import { NEARLY_USED_UP_PERCENT } from '../dataBudget/dataUse.ts'
import { MOST_USUAL_STARTS } from '../devices/restarts.ts'
import type { FieldId } from '../ids.ts'
import { USUAL_SEVERITY } from './conditionKinds.ts'
import { operatorByCode } from './operators.ts'

/** A condition of the kind `level` that is offered where nothing watches its field. */
export interface SuggestedCondition {
  /** What it would tell of, as a button says it. */
  readonly title: string
  readonly fieldId: FieldId
  readonly operatorId: number
  /** Of a number. */
  readonly value: number | string
  readonly severityId: number
}

function suggested(title: string, wireName: string, operator: string, value: number | string): SuggestedCondition {
  const field = NUMBERED_FIELDS.find((one) => one.wireName === wireName)
  const found = operatorByCode(operator)
  if (!field || !found) throw new Error(`${title} is no condition.`)
  return { title, fieldId: field.id, operatorId: found.id, value, severityId: USUAL_SEVERITY }
}

/**
 * What costs money or light before anybody looks: nobody has them unless somebody wants them, because whoever wants none
 * would have to switch them off.
 */
const SUGGESTED_CONDITIONS: readonly SuggestedCondition[] = [
  suggested(
    `Data budget used up to ${NEARLY_USED_UP_PERCENT} %`,
    'ro_data_used_percent',
    'GTE',
    NEARLY_USED_UP_PERCENT,
  ),
  suggested('Client keeps restarting', 'client_starts', 'GT', MOST_USUAL_STARTS),
  suggested('Battery test failed', 'u_battery_test_result', 'EQ', 'failed'),
]

/**
 * Those of which nothing watches the field yet.
 *
 * @param offered fields that these devices report
 */
export function suggestionsBeside(
  watched: readonly { readonly eventTypeFieldId: number | null; readonly isOff: boolean }[],
  offered: readonly { readonly id: number }[],
): readonly SuggestedCondition[] {
  const isWatched = (fieldId: number) => watched.some((one) => !one.isOff && one.eventTypeFieldId === fieldId)
  const isOffered = (fieldId: number) => offered.some(({ id }) => id === fieldId)
  return SUGGESTED_CONDITIONS.filter(({ fieldId }) => isOffered(fieldId) && !isWatched(fieldId))
}
