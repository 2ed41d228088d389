import { formatDateTime } from '#console/lib/time/time.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import { ALERT_ACTIONS, ALERT_RESOLUTIONS, ALERT_STATUSES, nameOf } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { conditionText, type DescribedCondition } from '#domain/alerts/conditionText.ts'
import { componentModelById, componentModelTitle } from '#domain/components/componentModels.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { deviceStatusName } from '#domain/devices/status.ts'
import { FUNCTIONS } from '#domain/permissions/functions.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** One side of a change is worded as on the screens. */
export interface SaidField {
  readonly name: string
  readonly text: string
}

type Recorded = Readonly<Record<string, unknown>>
type Named = readonly { readonly id: number; readonly name: string }[]

const SAID: Readonly<Record<string, readonly [string, (id: number) => string]>> = {
  modelId: ['Model', deviceModelName],
  resolutionId: ['Resolution', (id) => nameOf(ALERT_RESOLUTIONS, id)],
  severityId: ['Severity', (id) => nameOf(SEVERITIES, id)],
  overridesId: ['Overrides', (id) => `condition ${id}`],
  actionTypeId: ['Action', (id) => nameOf(ALERT_ACTIONS, id)],
  functionId: ['Function', (id) => nameOf(FUNCTIONS, id)],
}
const STATUS_NAMES: Readonly<Record<string, (id: number) => string>> = {
  Device: deviceStatusName,
  Alert: (id) => nameOf(ALERT_STATUSES, id),
}
const CONDITION = [
  ...['fieldId', 'operator', 'valueDec', 'valueText', 'periodId', 'kind', 'clearDec', 'minutes', 'joinedBy'],
  ...['secondFieldId', 'secondOperator', 'secondValueDec', 'secondValueText', 'isOff'],
]

/** A name is looked up by its number, as far as the server knows it. */
type KnownNames = AuditEntry['names']
const NAMED: Readonly<Record<string, string>> = { customerId: 'Customer', roleId: 'Role', ownerId: 'Owner' }

/**
 * It names the recorded fields and values as screens do, and leaves out empty ones.
 *
 * @param entity the name of the entity in the log
 */
export function saidFields(recorded: unknown, entity: string, names: KnownNames): readonly SaidField[] {
  if (recorded === null || recorded === undefined) return []
  if (typeof recorded !== 'object' || Array.isArray(recorded)) return [{ name: 'Value', text: said(recorded) }]
  const known = recorded as Recorded
  const condition = entity === 'Alert condition' ? conditionOf(known) : undefined
  const isSaid = (name: string) =>
    condition !== undefined && (CONDITION.includes(name) || (name === 'overridesId' && known.overrides !== undefined))
  const rest = Object.entries(known).filter(([name]) => !isSaid(name))
  return [
    ...(condition === undefined ? [] : [{ name: 'Condition', text: condition }]),
    ...(condition !== undefined && known.isOff === true ? [{ name: 'Switched off', text: said(true) }] : []),
    ...rest
      .filter(([, value]) => isFilled(value))
      .flatMap(([name, value]) =>
        name === 'components' && Array.isArray(value)
          ? value.map((component) => componentField(component))
          : saidField(name, value, entity, names),
      ),
  ]
}

const isFilled = (value: unknown) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The alerts' old and new incident share one name, so that both sides make one change. */
const OF_INCIDENT: Readonly<Record<string, string>> = { ids: 'Incident', id: 'Incident', alertIds: 'Alerts split off' }

/** Other fields of a component say the same, or nothing that a reader could change. */
const DERIVED = ['id', 'category', 'categoryId', 'number', 'modelId', 'event_type_id', 'touch_matrix', 'removed']

/** Each component is a line of its own, so that only those that changed stand out. */
function componentField(component: Recorded): SaidField {
  const { category, number, modelId } = component
  const model = typeof modelId === 'number' ? componentModelById(modelId) : undefined
  const rest = Object.entries(component).filter(
    ([name, value]) => !DERIVED.includes(name) && isFilled(value) && value !== false,
  )
  return {
    name: [category, number].filter((part) => part !== undefined).join(' '),
    text: [model && componentModelTitle(model), rest.length > 0 && said(Object.fromEntries(rest))]
      .filter(Boolean)
      .join(', '),
  }
}

function saidField(name: string, value: unknown, entity: string, names: KnownNames): SaidField {
  const ofIncident = entity === 'Incident' && Object.hasOwn(OF_INCIDENT, name) ? OF_INCIDENT[name] : undefined
  if (ofIncident !== undefined) return { name: ofIncident, text: said(value) }
  const statusName = STATUS_NAMES[entity]
  if (name === 'statusId' && typeof value === 'number' && statusName) return { name: 'Status', text: statusName(value) }
  if (Object.hasOwn(NAMED, name) && typeof value === 'number') {
    const found = names.find((one) => one.field === name && one.id === value)
    const text = found?.name ?? (found === undefined ? String(value) : `${value} (removed)`)
    return { name: NAMED[name] ?? name, text }
  }
  const known = Object.hasOwn(SAID, name) ? SAID[name] : undefined
  if (known && typeof value === 'number') return { name: known[0], text: known[1](value) }
  if (name === 'functions' && Array.isArray(value)) return { name: 'Functions', text: named(FUNCTIONS, value) }
  return { name: toFieldLabel(name), text: said(value) }
}

const named = (names: Named, ids: readonly unknown[]) =>
  ids.map((id) => names.find((one) => one.id === id)?.name ?? String(id)).join(', ')

/** It words a condition as lists do, and returns undefined where there is none, as after a deletion. */
function conditionOf(recorded: Recorded): string | undefined {
  const { fieldId, operator, valueDec, valueText, periodId, secondFieldId } = recorded
  if (typeof fieldId !== 'number' || typeof periodId !== 'number') return undefined
  const { kind, clearDec, minutes, joinedBy, secondOperator, secondValueDec, secondValueText } = recorded
  return conditionText({
    ...{ kind: kind ?? undefined, fieldId, operator, threshold: valueDec ?? valueText ?? '', periodId },
    ...{ clearLevel: clearDec ?? undefined, minutes: minutes ?? undefined, joinedBy: joinedBy ?? undefined },
    second:
      typeof secondFieldId === 'number'
        ? { fieldId: secondFieldId, operator: secondOperator, threshold: secondValueDec ?? secondValueText ?? '' }
        : undefined,
  } as DescribedCondition)
}

function said(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string' && isMoment(value)) return formatDateTime(value)
  if (Array.isArray(value)) return value.map(said).join(value.some((one) => typeof one === 'object') ? '; ' : ', ')
  if (typeof value !== 'object' || value === null) return value === null ? UNKNOWN_TEXT : String(value)
  const parts = Object.entries(value).filter(([, part]) => isFilled(part))
  return parts.map(([name, part]) => `${toFieldLabel(name)}: ${said(part)}`).join(', ')
}

/** A text that only looks like a moment stays as it was written. */
const isMoment = (text: string) => ISO_MOMENT.test(text) && !Number.isNaN(Date.parse(text))

/** `timeZone` becomes "Time zone". */
function toFieldLabel(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
