import { withFeeds } from '#domain/darkness/configuredFeeds.ts'
import type { CommandFact, DarknessFacts, Reading } from '#domain/darkness/facts.ts'
import { defaultFeedChain, type FeedChain } from '#domain/darkness/feedChain.ts'
import { LOOKED_AT_FIELDS } from '#domain/darkness/lookedAt.ts'
import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { CONFLICT_LASTS_MS } from '#domain/devices/identityConflict.ts'
import { REFUSED_FOR_MS } from '#domain/devices/refusedReports.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import type { Statements } from '#server/db/statements.ts'
import { holidaysOfDevices } from '#server/fleet/deviceHolidays.ts'
import { readMaintenanceSpans } from '#server/fleet/maintenanceSpans.ts'
import { newestPresence, type Presence } from '#server/fleet/newestPresence.ts'
import { readCurrentStates } from '#server/telemetry/state/currentState.ts'
import { readCommandFacts } from './commandFacts.ts'
import { type ConfirmedSettings, readConfirmedSettings } from './confirmedSettings.ts'
import { readOutletHistory } from './outletHistory.ts'
import { readComponents, readFeeds } from './wiringRows.ts'

export interface DeviceFacts {
  readonly facts: DarknessFacts
  readonly chain: FeedChain
  /** The customer whose counts include the device, while it is Paired; otherwise null. */
  readonly countsFor: CustomerId | null
  /** When the device was last heard; null if it never was. */
  readonly lastHeardAt: Date | null
  /** The device went with the server, then at the earliest, and may not have had the time to reconnect. */
  readonly leftWithServerAt: Date | undefined
  /** Two machines report as this device. `until` is when the conflict ends unless it is seen again. */
  readonly conflict: { readonly since: Date; readonly until: Date } | undefined
}

/**
 * Reads everything that the verdicts of these devices depend on; devices that do not exist are left out. All statements
 * are issued at once, so a caller with a single connection must queue them.
 */
export async function readNowFacts(
  statements: Statements,
  deviceIds: readonly DeviceId[],
  now: Date,
): Promise<ReadonlyMap<DeviceId, DeviceFacts>> {
  const [devices, components, settings, commands, outlets, states, holidays, feeds, maintenance] = await Promise.all([
    readDevices(statements, deviceIds, now),
    readComponents(statements, deviceIds),
    readConfirmedSettings(statements, deviceIds),
    readCommandFacts(statements, deviceIds),
    readOutletHistory(statements, deviceIds, now),
    readCurrentStates(statements, { kind: 'everything' }, deviceIds, LOOKED_AT),
    holidaysOfDevices(statements, deviceIds, 1, now),
    readFeeds(statements, deviceIds),
    readMaintenanceSpans(statements, deviceIds, { fromMs: now.getTime(), toMs: now.getTime() + DAY_MS }),
  ])
  const offline = devices.flatMap((device) => (device.is_online ? [] : [device.id]))
  const presence = offline.length > 0 ? await newestPresence(statements, offline) : NO_PRESENCE
  return new Map(
    devices.map((device): [DeviceId, DeviceFacts] => {
      const { id, model_id: modelId, time_zone: timeZone } = device
      const its = components.get(id) ?? []
      const facts: DarknessFacts = {
        modelId,
        isOnline: device.is_online,
        refused: device.refused_since ? refusedOf(device) : undefined,
        clockErrorMs: device.clock_error_ms || undefined,
        // The zone is checked against our own tables, because the database may know other zones.
        timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
        position:
          device.latitude === null || device.longitude === null
            ? undefined
            : { latitude: device.latitude, longitude: device.longitude },
        ...(settings.get(id) ?? NOTHING_CONFIRMED),
        components: its,
        commands: commands.get(id) ?? NO_COMMANDS,
        outletHistory: outlets.get(id) ?? NO_OUTLETS,
        readings: new Map((states.get(id) ?? []).map(({ numbered, value, at }) => [numbered.wireName, { value, at }])),
        holidays: new Set((holidays.get(id) ?? []).map(({ date }) => date)),
        maintenance: maintenance.get(id) ?? NO_MAINTENANCE,
      }
      const chain = withFeeds(defaultFeedChain(modelId, its), feeds.get(id) ?? {})
      const countsFor = device.status_id === DEVICE_STATUS.active ? device.customer_id : null
      const { conflict_since: since, conflict_until: until } = device
      const left = presence.get(id)
      // A process that died could not record that the device left, so the last report counts instead.
      const lastHeardAt = left && !left.isOnline ? left.since : device.heard_at
      const conflict = since && until ? { since, until } : undefined
      const leftWithServerAt = device.is_online ? undefined : goneWithServer(left)
      return [id, { facts, chain, countsFor, lastHeardAt, leftWithServerAt, conflict }]
    }),
  )
}

/** A process that died could not record that the device left. */
function goneWithServer(left: Presence | undefined): Date | undefined {
  const isOfServer = left?.isOnline || left?.reason === 'server_stopped' || left?.reason === 'server_lost'
  return isOfServer ? left?.since : undefined
}

const NOTHING_CONFIRMED: ConfirmedSettings = {
  offTimes: undefined,
  dayPlan: undefined,
  setBacklights: new Map(),
  refusals: [],
}
const NO_COMMANDS: readonly CommandFact[] = []
const NO_PRESENCE: Awaited<ReturnType<typeof newestPresence>> = new Map()
const NO_MAINTENANCE: readonly Span[] = []
const NO_OUTLETS: ReadonlyMap<string, readonly Reading[]> = new Map()

const lookedAtOrdinals = Map.groupBy(LOOKED_AT_FIELDS, ({ type }) => type.id as number)
const LOOKED_AT = {
  eventTypeIds: [...lookedAtOrdinals.keys()],
  isWanted: (eventTypeId: number, ordinal: number) =>
    lookedAtOrdinals.get(eventTypeId)?.some((field) => field.ordinal === ordinal) ?? false,
}

interface DeviceRow {
  readonly id: DeviceId
  readonly model_id: DeviceModelId
  readonly status_id: number
  readonly customer_id: CustomerId
  readonly time_zone: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly is_online: boolean
  readonly heard_at: Date | null
  /** Null when nothing was refused recently; then the next two are null too. */
  readonly refused_since: Date | null
  readonly refused_at: Date | null
  readonly refused_detail: string | null
  readonly clock_error_ms: number | null
  readonly conflict_since: Date | null
  readonly conflict_until: Date | null
}

const refusedOf = ({ refused_since, refused_at, refused_detail }: DeviceRow) => ({
  since: refused_since ?? new Date(0),
  lastAt: refused_at ?? new Date(0),
  detail: refused_detail ?? '',
})

async function readDevices(
  statements: Statements,
  deviceIds: readonly DeviceId[],
  now: Date,
): Promise<readonly DeviceRow[]> {
  const { rows } = await statements.query<DeviceRow>(
    `select d.id, d.model_id, d.status_id, d.customer_id, d.time_zone, d.latitude, d.longitude, connected.device_id is not null as is_online,
       n.heard_at,
       r.since as refused_since, r.last_at as refused_at, r.detail as refused_detail, n.clock_error_ms::float8 as clock_error_ms,
       conflict.began_at as conflict_since, conflict.until as conflict_until
     from device d
     left join device_refusal r on r.device_id = d.id and r.last_at > $2::timestamptz - interval '${REFUSED_FOR_MS} milliseconds'
     left join device_now n on n.device_id = d.id
     left join (select distinct on (device_id) device_id, began_at, seen_at + interval '${CONFLICT_LASTS_MS} milliseconds' as until
       from identity_conflict where device_id = any($1::int[]) order by device_id, began_at desc) conflict
       on conflict.device_id = d.id and conflict.until > now()
     left join (select distinct c.device_id from device_connection c join server_process p on p.id = c.process_id
       where c.device_id = any($1::int[]) and not c.is_silent and p.lease_until > now()) connected
       on connected.device_id = d.id
     where d.id = any($1::int[]) and d.deleted_at is null`,
    [deviceIds, now],
  )
  return rows
}
