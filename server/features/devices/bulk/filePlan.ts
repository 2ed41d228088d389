import { isDeepStrictEqual } from 'node:util'
import { type FilePart, type FileProblem, type FileRow, readDeviceFile } from '#domain/bulk/deviceFile.ts'
import { componentProblem } from '#domain/components/componentRules.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { DeviceDetails } from '../deviceDetails.store.ts'
import { type FileCustomer, lockNamedDevices, type PresentDevice, readFileCustomers } from './deviceFile.store.ts'

/** What one row of a file does. */
export interface PlannedRow {
  readonly row: FileRow
  readonly name: string
  readonly customer: FileCustomer
  /** Undefined for a device that is added. */
  readonly present: PresentDevice | undefined
  readonly details: Partial<DeviceDetails>
  /** Undefined when the parts stay. */
  readonly parts: readonly FilePart[] | undefined
  /** The columns whose value changes. */
  readonly changes: readonly string[]
}

export interface FilePlan {
  readonly rows: readonly PlannedRow[]
  readonly problems: readonly FileProblem[]
}

const COLUMN_OF = {
  name: 'name',
  address: 'address',
  attrSerial: 'serial number',
  tags: 'tags',
  modelId: 'model',
} as const
const filled = (texts: readonly (string | undefined)[]) =>
  [...new Set(texts.filter((text) => text !== undefined && text !== ''))] as string[]

/** Compares a file with the devices that there are; its rows are locked when this runs in a transaction. */
export async function planFile(db: Db, csv: string, caller: Caller): Promise<FilePlan> {
  const { rows, problems } = readDeviceFile(csv)
  if (rows.length === 0) return { rows: [], problems }
  const scope = scopeOf(caller)
  const customers = await readFileCustomers(db, scope)
  const devices = await lockNamedDevices(db, scope, {
    guids: filled(rows.map(({ guid }) => guid)),
    serials: filled(rows.map(({ attrSerial }) => attrSerial)),
    names: filled(rows.map(({ name }) => name)),
  })
  const found = new Finder(devices, customers, caller)
  // A line with an unreadable cell is wrong already, and says nothing else for sure.
  const unread = new Set(problems.map(({ line }) => line))
  const planned = rows.filter(({ line }) => !unread.has(line)).map((row) => found.plan(row))
  const unfit = planned.flatMap((one) => ('reason' in one ? [one] : []))
  return {
    rows: unread.size > 0 ? [] : planned.flatMap((one) => ('reason' in one ? [] : [one])),
    problems: [...problems, ...unfit].toSorted((one, other) => one.line - other.line),
  }
}

class Finder {
  readonly #byGuid: ReadonlyMap<string, PresentDevice>
  readonly #bySerial: ReadonlyMap<string, readonly PresentDevice[]>
  readonly #byName: ReadonlyMap<string, readonly PresentDevice[]>
  readonly #customers: readonly FileCustomer[]
  readonly #caller: Caller
  readonly #takenBy = new Map<string, number>()

  constructor(devices: readonly PresentDevice[], customers: readonly FileCustomer[], caller: Caller) {
    this.#byGuid = new Map(devices.map((device) => [device.guid, device]))
    this.#bySerial = Map.groupBy(devices, ({ attrSerial }) => attrSerial)
    this.#byName = Map.groupBy(devices, ({ name }) => name)
    this.#customers = customers
    this.#caller = caller
  }

  plan(row: FileRow): PlannedRow | FileProblem {
    const wrong = (column: string, reason: string): FileProblem => ({ line: row.line, column, reason })
    const customer = this.#customerOf(row)
    if (typeof customer === 'string') return wrong('customer', customer)
    const found = this.#find(row, customer)
    if ('reason' in found) return wrong(found.column, found.reason)
    const { present } = found
    const owner = customer ?? this.#customers.find(({ id }) => id === present?.customerId)
    if (!owner) return wrong('customer', 'A new device needs a customer.')
    if (present && present.customerId !== owner.id)
      return wrong('customer', `It belongs to ${present.customerName}. Move it on its page Details.`)
    if (!present && !owner.isActive) return wrong('customer', `${owner.name} is deactivated.`)
    const name = row.name ?? present?.name
    if (name === undefined) return wrong('name', 'A new device needs a name.')
    const modelId = row.modelId ?? present?.modelId
    if (modelId === undefined) return wrong('model', 'A new device needs a model.')
    const partFault = row.components && partsFault(row.components)
    if (partFault) return wrong('components', partFault)
    const identity = present ? `id ${present.id}` : `${owner.id} ${row.attrSerial || name}`
    const earlier = this.#takenBy.get(identity)
    if (earlier !== undefined) return wrong('', `It is the same device as in line ${earlier}.`)
    this.#takenBy.set(identity, row.line)
    return { row, name, customer: owner, present, ...differences(row, present, modelId) }
  }

  #customerOf({ customer }: FileRow): FileCustomer | string | undefined {
    const { customerId } = this.#caller
    if (customer === undefined) return customerId === undefined ? undefined : this.#customers[0]
    const same = this.#customers.filter(({ name }) => name.toLowerCase() === customer.toLowerCase())
    return same.length === 1 ? same[0] : `There is no customer “${customer}”.`
  }

  /** By guid, else by serial number, else by name within the customer. */
  #find(
    { guid, attrSerial, name }: FileRow,
    customer: FileCustomer | undefined,
  ): { readonly present: PresentDevice | undefined } | { readonly column: string; readonly reason: string } {
    if (guid !== undefined) {
      const present = this.#byGuid.get(guid)
      return present ? { present } : { column: 'guid', reason: 'There is no such device. Leave it empty to add one.' }
    }
    const [key, column, all] = attrSerial
      ? ([attrSerial, 'serial number', this.#bySerial] as const)
      : ([name ?? '', 'name', this.#byName] as const)
    const same = (all.get(key) ?? []).filter(({ customerId }) => !customer || customerId === customer.id)
    return same.length > 1
      ? { column, reason: `${same.length} devices have “${key}”. Name the guid.` }
      : { present: same[0] }
  }
}

function partsFault(parts: readonly FilePart[]): string | undefined {
  const edited = parts.map((part) => ({
    ...{ id: 0, modelId: part.componentModelId, number: part.number, removed: false, jsonSettings: null },
    ...{ label: 'x', labelReset: 'x', labelPort1: 'x', labelPort2: 'x', optionPort1: 'FULL', optionPort2: 'FULL' },
    ...{ als: null, touchMatrix: null },
  })) as never
  return componentProblem(edited)?.text
}

const sorted = (parts: readonly FilePart[]) =>
  parts.map(({ componentModelId, number }) => `${componentModelId}/${number}`).toSorted()

function differences(row: FileRow, present: PresentDevice | undefined, modelId: DeviceModelId) {
  const details: Record<string, unknown> = {}
  const changes: string[] = []
  for (const [name, column] of Object.entries(COLUMN_OF) as [keyof typeof COLUMN_OF, string][]) {
    const value = row[name]
    if (value === undefined || (present && isDeepStrictEqual(value, present[name]))) continue
    details[name] = value
    changes.push(column)
  }
  const { position } = row
  if (position && !(present && position.latitude === present.latitude && position.longitude === present.longitude)) {
    Object.assign(details, position)
    changes.push('position')
  }
  const before = present?.components ?? standardComponents(modelId)
  const hasOtherParts = row.components !== undefined && !isDeepStrictEqual(sorted(row.components), sorted(before))
  if (hasOtherParts) changes.push('components')
  return { details: details as Partial<DeviceDetails>, parts: hasOtherParts ? row.components : undefined, changes }
}
