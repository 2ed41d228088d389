import { sql } from 'kysely'
import type { IncidentState } from '#contract/call/listOptions.ts'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { incidentTitle } from '#domain/incidents/incidentLabels.ts'
import type { Db } from '#server/db/database.ts'
import { titleOf } from '#server/fleet/alertTitles.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { deviceThen, hasLeft, shownAs, shownId } from '#server/http/call/history.store.ts'
import { personName } from '#server/people/personName.ts'
import { OF_ALL } from './incidentRows.ts'

const STATES: readonly IncidentState[] = ['active', 'over', 'closed']
export const stateIdOf = (state: IncidentState): number => STATES.indexOf(state)

const then = <Value>(column: Parameters<typeof deviceThen>[0]) =>
  sql.raw<Value>(deviceThen(column, 'alert', 'found_at'))

export const deviceName = then<string>('name')
export const deviceAddress = then<string>('address')

const ownerName = sql.raw<string>(personName('owner'))

/** The other system of a channel may have acknowledged the incident. */
const channelNames = sql<{
  id: number
  name: string
  customer_id: CustomerId | null
}>`(select id, name, customer_id from channel)`.as('taker')

/** Names the owner. Customers do not learn the names of staff channels. */
function takerName(scope: Scope) {
  const ofChannel =
    scope.kind === 'everything'
      ? sql<string>`taker.name`
      : sql<string>`case when taker.customer_id is distinct from ${scope.customerId} then 'Staff' else taker.name end`
  return sql<string>`case when taker.id is not null and owner.id is null then ${ofChannel}
    else ${shownAs(scope, 'owner', ownerName)} end`
}

/** Chooses the share that a reader sees: all of an incident, or their customer's part. */
export const shareOf = (scope: Scope): number => (scope.kind === 'everything' ? OF_ALL : scope.customerId)

/**
 * Selects incidents as a reader sees them.
 * @param shareId is `shareOf` the scope, or of the customer that staff look at
 */
export function incidentRowsIn(db: Db | Tx, scope: Scope, shareId: number) {
  return db
    .selectFrom('incident_share as s')
    .innerJoin('incident as i', 'i.id', 's.incident_id')
    .innerJoin('alert', (on) =>
      on.onRef('alert.device_id', '=', 's.cause_device_id').onRef('alert.id', '=', 's.cause_alert_id'),
    )
    .innerJoin('device', 'device.id', 's.cause_device_id')
    .innerJoin('customer as c', 'c.id', 'alert.customer_id')
    .leftJoin('alert_condition as condition', 'condition.id', 'alert.condition_id')
    .leftJoin('app_user as owner', 'owner.id', 'i.owner_id')
    .leftJoin(channelNames, (on) => on.onRef('taker.id', '=', 'i.acknowledged_channel_id'))
    .where('s.customer_id', '=', shareId)
    .select([
      's.incident_id as id',
      's.began_at',
      's.over_at',
      's.state_id',
      's.severity_id',
      's.alert_count',
      's.active_count',
      's.open_count',
      's.device_count',
      's.place_count',
      's.title_device_count',
      's.title_place_count',
      's.customer_count',
      'alert.id as alert_id',
      'alert.field_id',
      'alert.condition_text',
      'alert.metric_value_text as told',
      'alert.metric_value_dec as value',
      'condition.title as condition_title',
      'alert.customer_id',
      'c.name as customer_name',
      'device.id as device_id',
      'device.guid',
      deviceName.as('device_name'),
      deviceAddress.as('device_address'),
      sql.raw<boolean>(hasLeft(scope, 'alert')).as('has_left'),
      'i.acknowledged_at',
      'i.snoozed_until',
      shownId<UserId>(scope, 'owner').as('owner_id'),
      takerName(scope).as('owner_name'),
    ])
}

export type IncidentRow = Awaited<ReturnType<ReturnType<typeof incidentRowsIn>['execute']>>[number]

export function toIncident(row: IncidentRow, scope: Scope, now: Date): Incident {
  const text = titleOf(row)
  const isOne = row.customer_count === 1
  return {
    id: row.id,
    title: incidentTitle({
      causeText: text,
      causeFieldId: row.field_id,
      deviceName: row.device_name,
      deviceAddress: row.device_address,
      deviceCount: row.title_device_count ?? row.device_count,
      placeCount: row.title_place_count ?? row.place_count,
    }),
    isWhole: isOne || scope.kind === 'everything',
    state: STATES[row.state_id] ?? 'active',
    severityId: row.severity_id,
    began: row.began_at.toISOString(),
    over: row.over_at?.toISOString() ?? null,
    cause: {
      alertId: row.alert_id,
      text,
      fieldId: row.field_id,
      deviceId: row.device_id,
      deviceGuid: row.guid,
      deviceName: row.device_name,
      deviceAddress: row.device_address,
      deviceHasLeft: row.has_left,
    },
    alertCount: row.alert_count,
    activeCount: row.active_count,
    openCount: row.open_count,
    deviceCount: row.device_count,
    placeCount: row.place_count,
    customerId: shownCustomerId(row, scope),
    customerName: isOne || scope.kind !== 'everything' ? row.customer_name : '',
    ownerName: row.owner_name,
    ownerId: row.owner_id,
    acknowledged: row.acknowledged_at?.toISOString() ?? null,
    snoozedUntil: row.snoozed_until && row.snoozed_until > now ? row.snoozed_until.toISOString() : null,
  }
}

function shownCustomerId({ customer_count, customer_id }: IncidentRow, scope: Scope): CustomerId | null {
  if (scope.kind !== 'everything') return scope.customerId
  return customer_count === 1 ? customer_id : null
}
