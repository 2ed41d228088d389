import type { FieldId } from '../ids.ts'
import { MINUTE_MS } from '../units/time.ts'

/** The kinds of conditions. Readings decide `level`, `pair`, `change` and `absent`, the clock decides the others. */
export const CONDITION_KINDS = [
  { kind: 'level', name: 'Value', meaning: 'A field is above, below, equal to or not equal to a value' },
  { kind: 'pair', name: 'Two fields', meaning: 'Two fields meet their conditions together, or one of them does' },
  { kind: 'change', name: 'Change', meaning: 'A field changes by more than so much within some minutes' },
  { kind: 'absent', name: 'No value', meaning: 'A device reports, but not this field' },
  { kind: 'silent', name: 'Not reporting', meaning: 'No data from a device' },
  { kind: 'dark', name: 'Dark against plan', meaning: 'A display that should be lit is dark' },
] as const
export type ConditionKind = (typeof CONDITION_KINDS)[number]['kind']

/** These kinds watch no field of a report; their ids lie outside those of the catalogue, which begin at 1000. */
const SILENCE_FIELD_ID = 1 as FieldId
const DARKNESS_FIELD_ID = 2 as FieldId

export const fieldIdOfKind = (kind: ConditionKind): FieldId | undefined =>
  kind === 'silent' ? SILENCE_FIELD_ID : kind === 'dark' ? DARKNESS_FIELD_ID : undefined

export const isClockField = (fieldId: FieldId): boolean => fieldId === SILENCE_FIELD_ID || fieldId === DARKNESS_FIELD_ID

export const isClockKind = (kind: ConditionKind): boolean => fieldIdOfKind(kind) !== undefined

/** A condition may wait for a week at most. */
export const MOST_CONDITION_MINUTES = 10_080
/** Readings of this period are held for each device and condition. */
export const MOST_CHANGE_MINUTES = 60

export const minutesMs = (minutes: number): number => minutes * MINUTE_MS

/** The worst comes first, because alerts are ranked in this order. */
export const SEVERITIES = [
  { id: 1, name: 'Critical' },
  { id: 2, name: 'Warning' },
  { id: 3, name: 'Information' },
] as const
export type SeverityId = (typeof SEVERITIES)[number]['id']
export const USUAL_SEVERITY: SeverityId = 2
