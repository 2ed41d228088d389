import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { deviceExists, isOnline } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { countsAll, type DeviceListFilter, devicesMatching } from './deviceList.store.ts'
import { type MapView, pinsOfView } from './devicePinsView.store.ts'
import { ACTIVE_ALERTS, HEALTH_JOINS, WORST } from './pinHealth.store.ts'

const COLUMNS = {
  ids: numbers('id'),
  guids: texts('guid'),
  names: texts('name'),
  latitudes: numbers('latitude'),
  longitudes: numbers('longitude'),
  statusIds: numbers('status_id'),
  connStatusIds: numbers('conn_status_id'),
  activeAlerts: numbers('active_alerts'),
  lights: words('light'),
  lightSince: words('light_since'),
  lightIsAtLeast: orNull('light_is_at_least'),
  onBattery: orNull('is_on_battery'),
  wrong: words('wrong'),
  silentSince: words('silent_since'),
  causes: texts('cause'),
}
type Column = keyof typeof COLUMNS

const NAMES = Object.keys(COLUMNS) as Column[]

/** The database writes the arrays: making an object for each device would take longer than everything else. */
const ARRAYS = sql.join(NAMES.map((name) => sql`${COLUMNS[name]} as ${sql.id(name)}`))

function texts(column: string) {
  return sql`coalesce(json_agg(${sql.ref(column)}) filter (where is_placed), '[]')::text`
}

/** This is a third faster than `json_agg`, and numbers need no escaping. */
function numbers(column: string) {
  return listed(sql<string>`${sql.ref(column)}::text`)
}

function orNull(column: string) {
  return listed(sql<string>`coalesce(${sql.ref(column)}::text, 'null')`)
}

/** These values have only letters, so nothing is escaped. */
function words(column: string) {
  return listed(sql<string>`coalesce('"' || ${sql.ref(column)} || '"', 'null')`)
}

function listed(value: RawBuilder<string>) {
  return sql`'[' || coalesce(string_agg(${value}, ',') filter (where is_placed), '') || ']'`
}

const moment = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

// Connections are read once for the whole fleet, as alerts and verdicts are: a lookup for each of 100,000 devices takes
// much longer. In a view they are looked up one by one.
const ONLINE = sql<boolean>`device.id in (
  select c.device_id from device_connection c
  where not c.is_silent and c.process_id in (select p.id from server_process p where p.lease_until > now()))`

/** @param view limits the pins to a view; without it every pin is written */
export async function devicePinsJson(
  db: Db,
  scope: Scope,
  filter: DeviceListFilter,
  view: MapView | undefined,
): Promise<string> {
  const where = sql<SqlBool>`${deviceExists(scope)} and ${devicesMatching(filter)}`
  const isWhole = scope.kind === 'everything' && countsAll(filter)
  const shown = view && (await pinsOfView(db, { where, isWhole }, view))
  const pins = sql<Record<Column, string> & { without_position: number }>`
    select ${ARRAYS}, (count(*) filter (where not is_placed))::integer as without_position
    from (
      select device.id, device.guid, device.name, device.latitude, device.longitude, device.status_id,
        device.latitude is not null and device.longitude is not null as is_placed,
        case when ${shown ? isOnline('device.id') : ONLINE} then 1 else 0 end as conn_status_id,
        ${ACTIVE_ALERTS} as active_alerts, n.light, ${moment('n.light_since')} as light_since,
        coalesce(n.light_is_at_least, false) as light_is_at_least, n.is_on_battery, ${WORST} as wrong,
        case when n.is_silent then ${moment('n.silent_since')} end as silent_since,
        n.cause ->> 'sentence' as cause
      from device ${HEALTH_JOINS}
      where ${where} and ${shown?.isPin ?? sql`true`}
    ) found`.execute(db)
  const [found, seen] = await Promise.all([pins, shown?.view])
  const row = onlyRow(found)
  const arrays = NAMES.map((name) => `"${name}":${row[name]}`)
  const more = seen ? `,"view":${JSON.stringify(seen)}` : ''
  return `{${arrays.join(',')},"withoutPosition":${shown?.withoutPosition ?? row.without_position}${more}}`
}
