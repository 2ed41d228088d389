import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface ConditionCounts {
  readonly deviceCount: number
  /** The number of these devices on which a narrower condition replaces it. */
  readonly overriddenCount: number
}

interface CountedCondition {
  readonly id: number
  readonly deviceId: DeviceId | null
  readonly modelId: DeviceModelId | null
  readonly customerId: CustomerId | null
  readonly tagKey: string | null
  readonly overridesId: number | null
}

export async function countDevicesOf(
  db: Db | Tx,
  scope: Scope,
  conditions: readonly CountedCondition[],
): Promise<(condition: CountedCondition) => ConditionCounts> {
  const { rows: groups } = await sql<{ modelId: DeviceModelId; customerId: CustomerId; devices: number }>`
    select model_id as "modelId", customer_id as "customerId", count(*)::int as devices
    from device where ${deviceExists(scope)} group by 1, 2`.execute(db)
  const sumOf = (isMeant: (group: (typeof groups)[number]) => boolean) =>
    groups.reduce((sum, group) => sum + (isMeant(group) ? group.devices : 0), 0)
  const ofTags = await countsById(db, scope, {
    ids: conditions.flatMap(({ id, tagKey }) => (tagKey === null ? [] : [id])),
    isCounted: sql`condition_names(c, device)`,
  })
  // Only overridden conditions are counted so, because each needs a scan of all devices.
  const replaced = await countsById(db, scope, {
    ids: await overriddenOf(db, conditions),
    isCounted: sql`condition_names(c, device) and exists (
      select from alert_condition narrower
      where narrower.overrides_id = coalesce(c.overrides_id, c.id) and narrower.id <> c.id
        and condition_names(narrower, device) and (c.overrides_id is null
          or (condition_reach(narrower), narrower.id) < (condition_reach(c), c.id)))`,
  })
  return ({ id, deviceId, modelId, customerId, tagKey }) => ({
    deviceCount:
      deviceId !== null
        ? 1
        : tagKey !== null
          ? (ofTags.get(id) ?? 0)
          : modelId !== null
            ? sumOf((group) => group.modelId === modelId)
            : sumOf((group) => customerId === null || group.customerId === customerId),
    overriddenCount: replaced.get(id) ?? 0,
  })
}

async function overriddenOf(db: Db | Tx, conditions: readonly CountedCondition[]): Promise<number[]> {
  const ids = conditions.map(({ id }) => id)
  // An override by tag can be replaced in turn by overrides of the same condition on devices.
  const { rows } = await sql<{ id: number }>`select c.id from alert_condition c
    where c.id = any(${ids}::int[]) and exists (select from alert_condition other
      where other.overrides_id = coalesce(c.overrides_id, c.id) and other.id <> c.id and other.deleted_at is null)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

interface Counted {
  readonly ids: readonly number[]
  /** SQL for a statement that knows the condition as `c`, and `device`. */
  readonly isCounted: RawBuilder<SqlBool>
}

async function countsById(
  db: Db | Tx,
  scope: Scope,
  { ids, isCounted }: Counted,
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; devices: number }>`
    select c.id, count(*)::int as devices from alert_condition c join device on ${isCounted}
    where c.id = any(${[...ids]}::int[]) and ${deviceExists(scope)} group by c.id`.execute(db)
  return new Map(rows.map(({ id, devices }) => [id, devices]))
}
