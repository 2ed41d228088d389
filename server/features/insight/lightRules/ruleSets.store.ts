import { CATEGORY } from '#domain/components/componentFields.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CountryId, CustomerId, DeviceGuid, DeviceId, UserId } from '#domain/ids.ts'
import { type LightRuleSet, meets } from '#domain/lightRules/ruleSet.ts'
import { firstOf, lastOf, type Month } from '#domain/statement/months.ts'
import type { Db } from '#server/db/database.ts'
import { type Statements, statementsOf } from '#server/db/statements.ts'
import { countryAt } from '#server/fleet/countryAt.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'

export interface RuleSetRow {
  readonly id: number
  readonly customerId: CustomerId | null
  readonly customerName: string | null
  readonly set: LightRuleSet
  readonly createdAt: Date
  readonly createdBy: string
  readonly replaces: number | null
}

/** Reads the rule sets that can meet devices of the scope; names of staff are not a customer's to see. */
export async function readRuleSets(statements: Statements, scope: Scope, id?: number): Promise<readonly RuleSetRow[]> {
  const { rows } = await statements.query<RuleSetRow>(
    `select r.id, r.customer_id as "customerId", c.name as "customerName", r.content as set, r.created_at as "createdAt", r.replaces,
       case when $1::integer is null or u.customer_id = $1 then u.username else 'Staff' end as "createdBy"
     from light_rule_set r join app_user u on u.id = r.created_by left join customer c on c.id = r.customer_id
     where ($1::integer is null or r.customer_id is null or r.customer_id = $1) and ($2::integer is null or r.id = $2)
     order by r.id`,
    [customerOf(scope), id ?? null],
  )
  return rows
}

interface NewRuleSet extends Pick<RuleSetRow, 'customerId' | 'set'> {
  readonly userId: UserId
  readonly replaces?: number
}

/** @returns undefined if another set replaces the same one */
export async function insertRuleSet(
  transaction: Tx,
  { customerId, set, userId, replaces }: NewRuleSet,
): Promise<number | undefined> {
  const { rows } = await statementsOf(transaction).query<{ id: number }>(
    `insert into light_rule_set (customer_id, content, created_by, replaces) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [customerId, JSON.stringify(set), userId, replaces ?? null],
  )
  return rows[0]?.id
}

/**
 * What was counted stays.
 * @returns false if the set ends before that day already
 */
export async function endRuleSet(transaction: Tx, id: number, validUntil: string): Promise<boolean> {
  const { rows } = await statementsOf(transaction).query(
    `update light_rule_set set content = content || jsonb_build_object('validUntil', $2::text)
     where id = $1 and coalesce(content ->> 'validUntil', $2) >= $2 returning id`,
    [id, validUntil],
  )
  return rows.length === 1
}

export async function deleteRuleSet(transaction: Tx, id: number): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query('delete from light_rule_day where rule_set_id = $1', [id])
  await statements.query('delete from light_rule_set where id = $1', [id])
}

export interface PlacedDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly address: string
  readonly customerId: CustomerId
  readonly timeZone: string
  readonly position: { readonly latitude: number; readonly longitude: number } | undefined
  readonly country: string | undefined
  /** That of the customer, whose holidays count. */
  readonly holidaysOf: { readonly id: CountryId; readonly isoCode: string } | undefined
}

interface DeviceRow extends Omit<PlacedDevice, 'position' | 'country' | 'holidaysOf'> {
  readonly latitude: number | null
  readonly longitude: number | null
  readonly country_id: CountryId | null
  readonly iso_code: string | null
}

/** Reads the devices with displays of the scope, and where they are. */
export async function readPlacedDevices(statements: Statements, scope: Scope): Promise<readonly PlacedDevice[]> {
  const { rows } = await statements.query<DeviceRow>(
    `select d.id, d.guid, d.name, d.address, d.customer_id as "customerId", d.time_zone as "timeZone", d.latitude,
       d.longitude, n.id as country_id, n.iso_code
     from device d join customer c on c.id = d.customer_id left join country n on n.id = c.country_id
     where d.deleted_at is null and d.status_id <> $2 and ($1::integer is null or d.customer_id = $1)
       and exists (select from device_component k where k.device_id = d.id and k.category_id = $3)
     order by d.name_order, d.id`,
    [customerOf(scope), DEVICE_STATUS.deactivated, CATEGORY.display],
  )
  return rows.map(({ latitude, longitude, country_id, iso_code, ...row }) => ({
    ...row,
    position: latitude === null || longitude === null ? undefined : { latitude, longitude },
    country: latitude === null || longitude === null ? undefined : countryAt(latitude, longitude),
    holidaysOf: country_id === null || iso_code === null ? undefined : { id: country_id, isoCode: iso_code },
  }))
}

/** Divides devices by whether a rule set meets them; those outside are left out. */
export function metBy({ customerId, set }: Pick<RuleSetRow, 'customerId' | 'set'>, devices: readonly PlacedDevice[]) {
  const own = devices.filter((one) => customerId === null || one.customerId === customerId)
  const { meets: met = [], unknown = [] } = Object.groupBy(own, (device) => meets(set, device))
  return { met, unknown }
}

export interface SettingsRow {
  readonly device_id: DeviceId
  readonly section: string
  readonly values: Readonly<Record<string, unknown>>
  readonly desired_at: Date | null
}

/**
 * Reads what devices are to have of the settings that decide their light. While an emergency lasts, what they get back
 * after it counts.
 */
export async function readLightSettings(db: Db, deviceIds: readonly DeviceId[]): Promise<readonly SettingsRow[]> {
  const { rows } = await statementsOf(db).query<Omit<SettingsRow, 'values'> & { values: SettingsRow['values'] | null }>(
    `select s.device_id, s.section, s.desired_at,
       case when m.off_times is null then coalesce(s.desired, s.reported) else m.before end as values
     from device_setting s left join lateral (
       select off_times, before from emergency_dark_device
       where device_id = s.device_id and ended_at is null and s.section = 'turnOff' and off_times = s.desired limit 1) m on true
     where s.device_id = any($1::integer[]) and s.section in ('turnOff', 'dayPlan', 'ambientSensor', 'display')`,
    [deviceIds],
  )
  return rows.flatMap(({ values, ...row }) => (values === null ? [] : [{ ...row, values }]))
}

export interface ProofRow {
  readonly deviceId: DeviceId
  readonly due: number
  readonly kept: number
  readonly broken: number
  readonly unknown: number
  readonly maintenance: number
  readonly emergency: number
  readonly days: number
  readonly brokenAt: Date | null
}

export async function readProofRows(db: Db, id: number, month: Month): Promise<readonly ProofRow[]> {
  const sum = (name: string) => `sum(${name}_min)::integer as ${name}`
  const { rows } = await statementsOf(db).query<ProofRow>(
    `select device_id as "deviceId", ${['due', 'kept', 'broken', 'unknown', 'maintenance', 'emergency'].map(sum).join(', ')},
       count(*)::integer as days, min(broken_at) as "brokenAt"
     from light_rule_day where rule_set_id = $1 and day between $2 and $3 group by device_id`,
    [id, firstOf(month), lastOf(month)],
  )
  return rows
}
