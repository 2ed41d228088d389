import { isClockField } from '../alerts/conditionKinds.ts'
import { numberedFieldById } from '../catalogue/fieldId.ts'
import type { FieldId } from '../ids.ts'
import { LOOKED_AT_FIELDS } from './lookedAt.ts'

const ALERT_CONSEQUENCE = { light: 1, hardware: 2, other: 3 } as const
type AlertConsequence = (typeof ALERT_CONSEQUENCE)[keyof typeof ALERT_CONSEQUENCE]

const OF_HARDWARE = new Set(['temperature', 'fan', 'voltage', 'battery', 'plug', 'door'])

/** Verdicts use these fields, but light does not depend on them. */
const IS_NOT_LIGHT = new Set(['client_starts'])

/** A condition on a field that light depends on puts light at stake (rules/states 13). */
export function alertConsequence(fieldId: FieldId): AlertConsequence {
  // Silence and darkness have no field.
  if (isClockField(fieldId)) return ALERT_CONSEQUENCE.light
  const numbered = numberedFieldById(fieldId)
  if (numbered === undefined) return ALERT_CONSEQUENCE.other
  const { type, field } = numbered
  const isLookedAt = LOOKED_AT_FIELDS.some(
    (one) =>
      one.type === type && one.ordinal === field.ordinal && one.sign !== undefined && !IS_NOT_LIGHT.has(one.name),
  )
  if (isLookedAt) return ALERT_CONSEQUENCE.light
  return field.icon !== undefined && OF_HARDWARE.has(field.icon) ? ALERT_CONSEQUENCE.hardware : ALERT_CONSEQUENCE.other
}
