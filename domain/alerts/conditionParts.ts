import { EVERY_NUMBER, numberedFieldsOf, watchedFieldById } from '../catalogue/fieldId.ts'
import type { FieldId } from '../ids.ts'

/** The fields of a condition, which may stand for every component. */
interface WatchedFields {
  readonly fieldId: FieldId
  readonly secondFieldId: FieldId | null
}

export interface ConditionPart extends WatchedFields {
  readonly number: number
}

const isOfEvery = (fieldId: FieldId | null): fieldId is FieldId =>
  fieldId !== null && watchedFieldById(fieldId)?.number === EVERY_NUMBER

/**
 * Splits a condition whose field has no number into one part for every display (relay, camera …) of a device, because
 * each is evaluated separately. Returns none for a condition that watches numbered components alone.
 */
export function partsOf({ fieldId, secondFieldId }: WatchedFields): readonly ConditionPart[] {
  const every = [fieldId, secondFieldId].find(isOfEvery)
  if (every === undefined) return []
  const numberedOf = (id: FieldId, number: number) =>
    isOfEvery(id) ? numberedFieldsOf(id).find((one) => one.number === number)?.id : id
  return numberedFieldsOf(every).flatMap(({ number }) => {
    const first = numberedOf(fieldId, number)
    const second = secondFieldId === null ? null : numberedOf(secondFieldId, number)
    return first === undefined || second === undefined ? [] : [{ number, fieldId: first, secondFieldId: second }]
  })
}

/** Two fields of every component belong together by number only if they are of one type. */
export const canBePaired = (first: FieldId, second: FieldId): boolean =>
  !isOfEvery(first) || !isOfEvery(second) || watchedFieldById(first)?.type === watchedFieldById(second)?.type
