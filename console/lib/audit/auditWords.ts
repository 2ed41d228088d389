import { formatDateTime } from '#console/lib/time/time.ts'
import { ALERT_ACTIONS, ALERT_RESOLUTIONS, ALERT_STATUSES, nameOf } from '#domain/alerts/alertWords.ts'
import { conditionText, type DescribedCondition } from '#domain/alerts/conditionText.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { deviceStatusName } from '#domain/devices/status.ts'
import { FUNCTIONS } from '#domain/permissions/functions.ts'

/** As JSON writes a `Date`. */
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** What was recorded of one side of a change, by the words of the screens. */
export interface SaidField {
  readonly name: string
  readonly text: string
}

type Recorded = Readonly<Record<string, unknown>>
type Named = readonly { readonly id: number; readonly name: string }[]

/** Columns that screens call by another name, and show as something else than is stored. */
const SAID: Readonly<Record<string, readonly [string, (id: number) => string]>> = {
  modelId: ['Model', deviceModelName],
  resolutionId: ['Resolution', (id) => nameOf(ALERT_RESOLUTIONS, id)],
  actionTypeId: ['Action', (id) => nameOf(ALERT_ACTIONS, id)],
  functionId: ['Function', (id) => nameOf(FUNCTIONS, id)],
}
const STATUS_NAMES: Readonly<Record<string, (id: number) => string>> = {
  Device: deviceStatusName,
  Alert: (id) => nameOf(ALERT_STATUSES, id),
}
const CONDITION = ['fieldId', 'operator', 'valueDec', 'valueText', 'periodId']

/** What was recorded, by names and values as people read them; not what is empty. @param entity its name in the log */
export function saidFields(recorded: unknown, entity: string): readonly SaidField[] {
  if (recorded === null || recorded === undefined) return []
  if (typeof recorded !== 'object' || Array.isArray(recorded)) return [{ name: 'Value', text: said(recorded) }]
  const known = recorded as Recorded
  const condition = entity === 'Alert condition' ? conditionOf(known) : undefined
  const rest = Object.entries(known).filter(([name]) => condition === undefined || !CONDITION.includes(name))
  return [
    ...(condition === undefined ? [] : [{ name: 'Condition', text: condition }]),
    ...rest.filter(([, value]) => isFilled(value)).map(([name, value]) => saidField(name, value, entity)),
  ]
}

const isFilled = (value: unknown) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

function saidField(name: string, value: unknown, entity: string): SaidField {
  const statusName = STATUS_NAMES[entity]
  if (name === 'statusId' && typeof value === 'number' && statusName) return { name: 'Status', text: statusName(value) }
  const known = Object.hasOwn(SAID, name) ? SAID[name] : undefined
  if (known && typeof value === 'number') return { name: known[0], text: known[1](value) }
  if (name === 'functions' && Array.isArray(value)) return { name: 'Functions', text: named(FUNCTIONS, value) }
  return { name: inWords(name), text: said(value) }
}

const named = (names: Named, ids: readonly unknown[]) =>
  ids.map((id) => names.find((one) => one.id === id)?.name ?? String(id)).join(', ')

/** As lists of conditions say it. Undefined for what is none, as after a deletion. */
function conditionOf({ fieldId, operator, valueDec, valueText, periodId }: Recorded): string | undefined {
  if (typeof fieldId !== 'number' || typeof periodId !== 'number') return undefined
  const threshold = valueDec ?? valueText ?? ''
  return conditionText({ fieldId, operator, threshold, periodId } as DescribedCondition)
}

function said(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string' && isMoment(value)) return formatDateTime(value)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What somebody named like one and is none stays as it was written. */
const isMoment = (text: string) => ISO_MOMENT.test(text) && !Number.isNaN(Date.parse(text))

/** `timeZone` is "Time zone". */
function inWords(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
