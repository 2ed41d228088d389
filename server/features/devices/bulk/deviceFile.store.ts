import type { FilePart } from '#domain/bulk/deviceFile.ts'
import type { CustomerId, DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import { countUpSettings } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import { noteOtherConditions } from '#server/telemetry/alerts/refold/strayAlerts.ts'
import { componentRows } from '../componentRows.store.ts'

export interface PresentDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly modelId: DeviceModelId
  readonly customerId: CustomerId
  readonly customerName: string
  readonly address: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly attrSerial: string
  readonly tags: readonly string[]
  readonly timeZoneIsAssumed: boolean
  readonly components: readonly FilePart[]
}

const SELECTED = `select d.id, d.guid, d.name, d.model_id as "modelId", d.customer_id as "customerId", k.name as "customerName",
    d.address, d.latitude, d.longitude, d.attr_serial as "attrSerial", d.tags, d.time_zone_is_assumed as "timeZoneIsAssumed",
    coalesce((select json_agg(json_build_object('componentModelId', c.component_model_id, 'number', c.number)
      order by c.category_id, c.number) from device_component c where c.device_id = d.id), '[]') as components
  from device d join customer k on k.id = d.customer_id
  where d.deleted_at is null and ($1::int is null or d.customer_id = $1)`

export async function readAllDevices(db: Db, scope: Scope): Promise<readonly PresentDevice[]> {
  const { rows } = await statementsOf(db).query<PresentDevice>(`${SELECTED} order by k.name, d.name, d.id`, [
    customerOf(scope),
  ])
  return rows
}

export interface Named {
  readonly guids: readonly string[]
  readonly serials: readonly string[]
  readonly names: readonly string[]
}

/** Finds and locks the devices that rows of a file may mean, in one order. */
export async function lockNamedDevices(db: Db, scope: Scope, { guids, serials, names }: Named) {
  const { rows } = await statementsOf(db).query<PresentDevice>(
    `${SELECTED} and (d.guid = any($2::uuid[]) or d.attr_serial = any($3::text[]) or d.name = any($4::text[]))
     order by d.id for no key update of d`,
    [customerOf(scope), [...guids], [...serials], [...names]],
  )
  return rows as readonly PresentDevice[]
}

export interface FileCustomer {
  readonly id: CustomerId
  readonly name: string
  readonly isActive: boolean
  readonly timeZone: string | null
}

export async function readFileCustomers(db: Db, scope: Scope): Promise<readonly FileCustomer[]> {
  const { rows } = await statementsOf(db).query<FileCustomer>(
    `select c.id, c.name, c.is_active as "isActive", k.time_zone as "timeZone"
     from customer c left join country k on k.id = c.country_id where $1::int is null or c.id = $1`,
    [customerOf(scope)],
  )
  return rows
}

/** Adds the parts that a device lacks, with what new parts have, and removes those that the file does not name. */
export async function replaceParts(
  transaction: Tx,
  id: DeviceId,
  before: readonly FilePart[],
  after: readonly FilePart[],
): Promise<void> {
  const isIn = (parts: readonly FilePart[], { componentModelId, number }: FilePart) =>
    parts.some((part) => part.componentModelId === componentModelId && part.number === number)
  const removed = before.filter((part) => !isIn(after, part))
  const added = after.filter((part) => !isIn(before, part))
  if (removed.length > 0)
    await statementsOf(transaction).query(
      `delete from device_component c using unnest($2::int[], $3::int[]) gone(model, number)
       where c.device_id = $1 and c.component_model_id = gone.model and c.number = gone.number`,
      [id, removed.map(({ componentModelId }) => componentModelId), removed.map(({ number }) => number)],
    )
  const rows = componentRows(id, added.map(newPart))
  if (rows.length > 0) await transaction.insertInto('device_component').values(rows).execute()
  await countUpSettings(transaction, id)
  await noteOtherConditions(transaction, id)
}

/** A file names parts only; what they are connected to is set on the tab Components. */
export const newPart = (part: FilePart) => ({ ...part, label: '', als: null, touchMatrix: null })
