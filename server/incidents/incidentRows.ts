import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { IncidentId } from '#domain/ids.ts'
import type { Share } from '#domain/incidents/shares.ts'
import type { Statements } from '#server/db/statements.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { NOTICES_JOB, noteToNotifySql } from './dueRows.ts'
import { type DueAlert, keyOf, type Part } from './partRows.ts'

/** A share with this id is the whole incident. */
export const OF_ALL = 0

export async function takeIncidentIds(statements: Statements, count: number): Promise<IncidentId[]> {
  if (count === 0) return []
  const { rows } = await statements.query<{ id: IncidentId }>(
    'insert into incident (joined_into) select null::bigint from generate_series(1, $1) returning id::float8 as id',
    [count],
  )
  // The lowest id is taken first.
  return rows.map(({ id }) => id).toSorted((one, other) => other - one)
}

type Placed = Part & { readonly was: IncidentId | undefined; readonly incidentId: IncidentId }

const partKey = (part: Part): string => `${keyOf(part)} ${part.raisedMs}`

const isSame = (one: Placed, before: Part): boolean =>
  one.was === one.incidentId &&
  one.incidentId === before.incidentId &&
  one.onsetMs === before.onsetMs &&
  one.overMs === before.overMs &&
  one.isOpen === before.isOpen &&
  one.groupId === before.groupId &&
  one.severityId === before.severityId

/** Stores what has changed, and deletes what was never raised. */
export async function writeParts(statements: Statements, before: readonly Part[], placed: readonly Placed[]) {
  const known = new Map(before.map((part) => [partKey(part), part]))
  const news = placed.filter((part) => {
    const same = known.get(partKey(part))
    known.delete(partKey(part))
    return same === undefined || !isSame(part, same)
  })
  const goneParts = [...known.values()]
  if (goneParts.length > 0) {
    await statements.query(
      `delete from incident_part p using unnest($1::int[], $2::bigint[], $3::timestamptz[]) as gone (device_id, alert_id, raised_at)
       where p.device_id = gone.device_id and p.alert_id = gone.alert_id and p.raised_at = gone.raised_at`,
      [
        goneParts.map(({ deviceId }) => deviceId),
        goneParts.map(({ alertId }) => alertId),
        goneParts.map(({ raisedMs }) => new Date(raisedMs)),
      ],
    )
  }
  if (news.length === 0) return
  await statements.query(
    `insert into incident_part as p (device_id, alert_id, raised_at, onset_at, over_at, customer_id, field_id, severity_id,
       is_open, latitude, longitude, place_text, group_id, incident_id)
     select * from jsonb_to_recordset($1::jsonb) as r (device_id int, alert_id bigint, raised_at timestamptz,
       onset_at timestamptz, over_at timestamptz, customer_id int, field_id int, severity_id smallint, is_open boolean,
       latitude float8, longitude float8, place_text text, group_id bigint, incident_id bigint)
     on conflict (device_id, alert_id, raised_at) do update set onset_at = excluded.onset_at, over_at = excluded.over_at,
       customer_id = excluded.customer_id, severity_id = excluded.severity_id, is_open = excluded.is_open,
       group_id = excluded.group_id, incident_id = excluded.incident_id`,
    [JSON.stringify(news.map(rowOf))],
  )
}

const momentOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms))

const rowOf = (part: Placed) => ({
  device_id: part.deviceId,
  alert_id: part.alertId,
  raised_at: momentOf(part.raisedMs),
  onset_at: momentOf(part.onsetMs),
  over_at: momentOf(part.overMs),
  customer_id: part.customerId,
  field_id: part.fieldId,
  severity_id: part.severityId,
  is_open: part.isOpen,
  latitude: part.place.latitude,
  longitude: part.place.longitude,
  place_text: part.place.address,
  group_id: part.groupId,
  incident_id: part.incidentId,
})

/** Whoever was not notified of these alerts in the old incident is notified in the new one. */
export async function noteMoved(statements: Statements, moved: readonly DueAlert[], now: Date): Promise<void> {
  if (moved.length === 0) return
  await statements.query(
    `insert into alert_notice (device_id, alert_id, found_at, is_late)
     select a.device_id, a.id, $3, false from unnest($1::int[], $2::bigint[]) as moved (device_id, alert_id)
     join alert a on a.device_id = moved.device_id and a.id = moved.alert_id and a.status_id = 1
       and a.withdrawn_at is null and a.action_type_id = 1
     join device d on d.id = a.device_id and d.status_id = ${DEVICE_STATUS.active}
     left join alert_held h on h.device_id = a.device_id and h.alert_id = a.id
     where h.device_id is null order by a.device_id, a.id on conflict do nothing`,
    [moved.map(({ deviceId }) => deviceId), moved.map(({ alertId }) => alertId), now],
  )
}

interface Joined {
  readonly id: IncidentId
  readonly into: IncidentId
}

/** Moves the actions and notices of a merged incident to the one it is part of. */
export async function joinIncidents(statements: Statements, joined: readonly Joined[]): Promise<void> {
  if (joined.length === 0) return
  const values = [joined.map(({ id }) => id), joined.map(({ into }) => into)]
  const from = 'from unnest($1::bigint[], $2::bigint[]) as moved (id, into_id)'
  await statements.query(
    `update incident i set joined_into = moved.into_id ${from} where i.id = moved.id or i.joined_into = moved.id`,
    values,
  )
  await statements.query(
    `update incident_deed d set incident_id = moved.into_id ${from} where d.incident_id = moved.id`,
    values,
  )
  await statements.query(
    `update notification n set incident_id = moved.into_id ${from} where n.incident_id = moved.id`,
    values,
  )
  await statements.query(
    `update incident i set owner_id = taken.owner_id, acknowledged_at = taken.acknowledged_at,
       acknowledged_channel_id = taken.acknowledged_channel_id
     from (select distinct on (moved.into_id) moved.into_id, g.owner_id, g.acknowledged_at, g.acknowledged_channel_id
       ${from}
       join incident g on g.id = moved.id and g.acknowledged_at is not null
       order by moved.into_id, g.acknowledged_at) taken
     where i.id = taken.into_id and i.acknowledged_at is null`,
    values,
  )
}

interface Shared {
  readonly id: IncidentId
  readonly shares: readonly Share[]
}

const STATE = { active: 0, over: 1, closed: 2 } as const

function stateOf({ overMs, openCount }: Share): number {
  if (overMs === undefined) return STATE.active
  return openCount > 0 ? STATE.over : STATE.closed
}

/**
 * Stores shares; changed ones are due for notices.
 *
 * @param touched incidents that have these shares and no others
 */
export async function writeShares(
  statements: Statements,
  touched: ReadonlySet<IncidentId>,
  incidents: readonly Shared[],
  now: Date,
): Promise<void> {
  const rows = incidents.flatMap(({ id, shares }) =>
    shares.map((share) => ({
      incident_id: id,
      customer_id: share.customerId ?? OF_ALL,
      began_at: momentOf(share.beganMs),
      over_at: momentOf(share.overMs),
      state_id: stateOf(share),
      severity_id: share.severityId,
      alert_count: share.alertCount,
      active_count: share.activeCount,
      open_count: share.openCount,
      device_count: share.deviceCount,
      place_count: share.placeCount,
      title_device_count: share.titleDeviceCount,
      title_place_count: share.titlePlaceCount,
      customer_count: share.customerCount,
      cause_device_id: share.causeDeviceId,
      cause_alert_id: share.causeAlertId,
    })),
  )
  const { rows: before } = await statements.query<ShareBefore>(
    `delete from incident_share where incident_id = any($1::bigint[])
     returning incident_id::float8 as incident_id, customer_id, over_at, alert_count, active_count, open_count, severity_id`,
    [[...touched]],
  )
  await statements.query(
    `insert into incident_share select * from jsonb_to_recordset($1::jsonb) as r (incident_id bigint, customer_id int,
       began_at timestamptz, over_at timestamptz, state_id smallint, severity_id smallint, alert_count int,
       active_count int, open_count int, device_count int, place_count int, customer_count int, cause_device_id int,
       cause_alert_id bigint, title_device_count int, title_place_count int)`,
    [JSON.stringify(rows)],
  )
  await noteTurns(statements, before, rows, now)
}

interface ShareBefore {
  readonly incident_id: IncidentId
  readonly customer_id: number
  readonly over_at: Date | null
  readonly alert_count: number
  readonly active_count: number
  readonly open_count: number
  readonly severity_id: number
}

type ShareAfter = Omit<ShareBefore, 'over_at'> & { readonly over_at: Date | null }

const shareKey = (share: ShareAfter): string => `${share.incident_id} ${share.customer_id}`

/** Notified recipients may have to be notified again: at once or, where calm has to last, from the change on. */
async function noteTurns(
  statements: Statements,
  before: readonly ShareBefore[],
  after: readonly ShareAfter[],
  now: Date,
): Promise<void> {
  const known = new Map(before.map((share) => [shareKey(share), share]))
  const moved = after.flatMap((share) => {
    const was = known.get(shareKey(share))
    known.delete(shareKey(share))
    const isTurned = was === undefined || (was.over_at === null) !== (share.over_at === null)
    const isSame =
      was?.alert_count === share.alert_count &&
      was.active_count === share.active_count &&
      was.open_count === share.open_count &&
      was.severity_id === share.severity_id
    return isTurned || !isSame ? [{ incident_id: share.incident_id, customer_id: share.customer_id, isTurned }] : []
  })
  const gone = [...known.values()]
  await statements.query(
    `delete from incident_turn t using unnest($1::bigint[], $2::int[]) as gone (incident_id, customer_id)
     where t.incident_id = gone.incident_id and t.customer_id = gone.customer_id`,
    [gone.map(({ incident_id }) => incident_id), gone.map(({ customer_id }) => customer_id)],
  )
  const keysOf = (shares: typeof moved) => [
    shares.map(({ incident_id }) => incident_id),
    shares.map(({ customer_id }) => customer_id),
    now,
  ]
  await statements.query(
    `insert into incident_turn (incident_id, customer_id, turned_at, next_at)
     select incident_id, customer_id, $3, $3 from unnest($1::bigint[], $2::int[]) as turned (incident_id, customer_id)
     on conflict (incident_id, customer_id) do update set turned_at = excluded.turned_at, next_at = excluded.next_at`,
    keysOf(moved.filter(({ isTurned }) => isTurned)),
  )
  await statements.query(
    `update incident_turn t set next_at = $3 from unnest($1::bigint[], $2::int[]) as moved (incident_id, customer_id)
     where t.incident_id = moved.incident_id and t.customer_id = moved.customer_id`,
    keysOf(moved.filter(({ isTurned }) => !isTurned)),
  )
  await noteToTell(statements, new Set([...moved, ...gone].map(({ incident_id }) => incident_id)), now)
}

/** The decision about notices needs these, also what has become part of another. */
async function noteToTell(statements: Statements, ids: ReadonlySet<IncidentId>, now: Date): Promise<void> {
  if (ids.size === 0) return
  await statements.query(noteToNotifySql('$1::bigint[]', '$2::timestamptz'), [[...ids], now])
  await statements.query(ringSql(NOTICES_JOB))
}
