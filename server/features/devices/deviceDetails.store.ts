import { sql } from 'kysely'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { DeviceId, UserId } from '#domain/ids.ts'
import { statementsOf } from '#server/db/statements.ts'
import { storeSearchTexts } from '#server/fleet/searchTexts.ts'
import { countUpSettings } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isOfScope, shownAs } from '#server/http/call/history.store.ts'
import { readEndedOverrides } from '#server/telemetry/alerts/alertRules.ts'
import { RAISING_STATUS_IDS } from '#server/telemetry/alerts/evaluate/readWatchedConditions.ts'
import { deviceIn } from './deviceRows.store.ts'

export type DeviceDetails = Pick<
  Device,
  | 'name'
  | 'address'
  | 'attrSerial'
  | 'tags'
  | 'description'
  | 'internalIp'
  | 'externalIp'
  | 'latitude'
  | 'longitude'
  | 'timeZone'
  | 'timeZoneIsAssumed'
  | 'modelId'
  | 'customerId'
  | 'statusId'
>

const COLUMNS = {
  name: 'name',
  address: 'address',
  attrSerial: 'attr_serial',
  tags: 'tags',
  description: 'description',
  internalIp: 'internal_ip',
  externalIp: 'external_ip',
  latitude: 'latitude',
  longitude: 'longitude',
  timeZone: 'time_zone',
  timeZoneIsAssumed: 'time_zone_is_assumed',
  modelId: 'model_id',
  customerId: 'customer_id',
  statusId: 'status_id',
} as const satisfies Record<keyof DeviceDetails, string>

/**
 * A change of these changes the device's settings: its model and zone, and by its customer the holidays of its country.
 */
const TOLD: readonly (keyof DeviceDetails)[] = ['modelId', 'timeZone', 'customerId', 'latitude', 'longitude']

/** The folded search text is made of these. */
const FOUND_BY: readonly (keyof DeviceDetails)[] = ['name', 'address', 'attrSerial', 'tags', 'customerId']

/** Readings that arrived while the device's status raised no alerts must not raise any later. */
function alertsFrom(statusId: number) {
  const isRaising = RAISING_STATUS_IDS.includes(statusId)
  return sql<Date>`case when ${isRaising} and not status_id = any(${[...RAISING_STATUS_IDS]}::int[])
    then now() else alerts_from end`
}

/** Changes exactly these fields of a device that the transaction has locked. */
export async function updateDetails(
  transaction: Tx,
  id: DeviceId,
  changed: Partial<DeviceDetails>,
  by: UserId,
): Promise<Device> {
  const names = Object.keys(changed) as (keyof DeviceDetails)[]
  if (names.length > 0) {
    await transaction
      .updateTable('device')
      .set({
        ...Object.fromEntries(names.map((name) => [COLUMNS[name], changed[name]])),
        ...(changed.tags === undefined ? {} : { tag_keys: changed.tags.map(tagKey) }),
        ...(changed.statusId === undefined ? {} : { alerts_from: alertsFrom(changed.statusId) }),
        // Readings from before the move must not raise alerts for the next customer.
        ...(changed.customerId === undefined ? {} : { alerts_from: sql<Date>`now()` }),
        updated_at: new Date(),
        updated_by: by,
      })
      .where('id', '=', id)
      .execute()
  }
  if (names.some((name) => FOUND_BY.includes(name))) await storeSearchTexts(statementsOf(transaction), [id])
  if (names.some((name) => TOLD.includes(name))) await countUpSettings(transaction, id)
  return deviceIn(transaction, id)
}

/** Describes the overrides of alert conditions that the transaction ended by such a change. */
export const endedOverrides = async (
  transaction: Tx,
  id: DeviceId,
  { modelId, customerId, tags }: Partial<DeviceDetails>,
): Promise<readonly string[]> =>
  modelId === undefined && customerId === undefined && tags === undefined
    ? []
    : readEndedOverrides(statementsOf(transaction), id)

/** Names who last changed one of these fields, as the scope knows them; undefined when it knows nobody. */
export async function lastChangedBy(
  transaction: Tx,
  id: DeviceId,
  fields: readonly string[],
  scope: Scope,
): Promise<string | undefined> {
  const last = await transaction
    .selectFrom('audit_log as a')
    .leftJoin('app_user as author', 'author.id', 'a.user_id')
    .select(shownAs(scope, 'author', sql`a.username`).as('by'))
    .where('a.entity_id', '=', id)
    .where('a.entity_type_id', '=', AUDIT_ENTITY_IDS.Device)
    .where('a.outcome', '=', 'done')
    .where(sql<boolean>`a.after ?| ${sql.val([...fields])}::text[]`)
    .where(isOfScope(scope, 'a.customer_id'))
    .orderBy('a.inserted_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.by
}
