import type { FieldId } from '../ids.ts'

/**
 * Returns the fields by which a condition is judged on a device whose other fields describe unused parts. If none is
 * returned, it is not judged there. Only "or" can do with one field; "and" could never be met.
 */
export function usedSides(
  fieldIds: readonly FieldId[],
  joinedBy: 'and' | 'or',
  unused: ReadonlySet<FieldId>,
): readonly FieldId[] {
  const used = fieldIds.filter((id) => !unused.has(id))
  return used.length === fieldIds.length || joinedBy === 'or' ? used : []
}
