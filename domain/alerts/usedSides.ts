import type { FieldId } from '../ids.ts'

/**
 * Which fields of a condition it is judged by on a device of which some fields tell of nothing that is in use. None: it is
 * not judged there. Only "or" goes on with the other field; "and" could never be met.
 */
export function usedSides(
  fieldIds: readonly FieldId[],
  joinedBy: 'and' | 'or',
  unused: ReadonlySet<FieldId>,
): readonly FieldId[] {
  const used = fieldIds.filter((id) => !unused.has(id))
  return used.length === fieldIds.length || joinedBy === 'or' ? used : []
}
