import { formatDateTime } from '#console/lib/time/time.ts'
import type { AuditEntry } from '#contract/http/audit.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

export interface AuditedField {
  readonly name: string
  /** Undefined where it was not there, or empty. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isChanged: boolean
}

const LONGEST_SUMMARY = 200
/** As JSON writes a `Date`. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Each field of what was changed, from and to, by names as people read them; not what is empty on both sides. */
export function auditedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly AuditedField[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return names.map((name) => {
    const [from, to] = [was.get(name), is.get(name)]
    return { name: inWords(name), before: from, after: to, isChanged: from !== to }
  })
}

/** The details of an entry in one line: what somebody wrote, else what changed. */
export function detailsOf(entry: AuditEntry): string {
  if (entry.details !== '') return entry.details
  const changes = auditedFields(entry)
    .filter(({ isChanged }) => isChanged)
    .map(({ name, before, after }) =>
      entry.before === null || entry.before === undefined
        ? `${name}: ${after}`
        : `${name}: ${before ?? UNKNOWN_TEXT} → ${after ?? UNKNOWN_TEXT}`,
    )
  const summary = changes.join('; ')
  return summary.length > LONGEST_SUMMARY ? `${summary.slice(0, LONGEST_SUMMARY - 1)}…` : summary
}

function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([['value', written(value)]])
  const filled = Object.entries(value).filter(([, one]) => one !== null && one !== '')
  return new Map(filled.map(([name, one]) => [name, written(one)]))
}

function written(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string' && isMoment(value)) return formatDateTime(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What somebody named like one and is none stays as it was written. */
const isMoment = (text: string) => MOMENT.test(text) && !Number.isNaN(Date.parse(text))

/** `timeZone` is "Time zone". */
function inWords(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
