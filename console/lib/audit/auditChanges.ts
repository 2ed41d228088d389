import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { saidFields } from './auditLabels.ts'

export interface AuditedField {
  readonly name: string
  /** It is undefined where the value was absent or empty. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isChanged: boolean
}

type Recorded = Pick<AuditEntry, 'before' | 'after' | 'entityTypeName'> & Partial<Pick<AuditEntry, 'names'>>

const LONGEST_SUMMARY = 200
/** These fields need no name before their value. */
const SPEAKS_FOR_ITSELF = ['Status', 'Condition']

/** It names fields as the screens do, and leaves out those that are empty on both sides. */
export function auditedFields({ before, after, entityTypeName, names: known = [] }: Recorded): readonly AuditedField[] {
  const [was, is] = [before, after].map(
    (recorded) => new Map(saidFields(recorded, entityTypeName, known).map(({ name, text }) => [name, text])),
  ) as [Map<string, string>, Map<string, string>]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return names.map((name) => {
    const [from, to] = [was.get(name), is.get(name)]
    return { name, before: from, after: to, isChanged: from !== to }
  })
}

/** It puts an entry in one line: its comment, otherwise what changed. */
export function detailsOf(entry: AuditEntry): string {
  if (entry.details !== '') return entry.details
  const [isNew, isGone] = [entry.before, entry.after].map((recorded) => recorded === null || recorded === undefined)
  const changes = auditedFields(entry)
    .filter(({ isChanged }) => isChanged)
    .map(({ name, before, after }) => {
      const change = isNew || isGone ? (after ?? before) : `${before ?? UNKNOWN_TEXT} → ${after ?? UNKNOWN_TEXT}`
      return SPEAKS_FOR_ITSELF.includes(name) ? `${change}` : `${name}: ${change}`
    })
  const summary = changes.join('; ')
  return summary.length > LONGEST_SUMMARY ? `${summary.slice(0, LONGEST_SUMMARY - 1)}…` : summary
}
