import { EVERY_NUMBER, numberedFieldsOf, watchedFieldById } from '../catalogue/fieldId.ts'
import type { FieldId } from '../ids.ts'

/** The fields of a condition, of which some may be of every component. */
interface WatchedFields {
  readonly fieldId: FieldId
  readonly secondFieldId: FieldId | null
}

/** What a condition asks of one of the components that it is meant for. */
export interface ConditionPart extends WatchedFields {
  readonly number: number
}

const isOfEvery = (fieldId: FieldId | null): fieldId is FieldId =>
  fieldId !== null && watchedFieldById(fieldId)?.number === EVERY_NUMBER

/**
 * A condition whose field has no number holds for every display (relay, camera …) of a device, each judged by itself. None
 * for one that watches numbered components alone.
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

/** Of two fields of every component it has to be said which belong together: those of one type do, by their numbers. */
export const canBePaired = (first: FieldId, second: FieldId): boolean =>
  !isOfEvery(first) || !isOfEvery(second) || watchedFieldById(first)?.type === watchedFieldById(second)?.type
