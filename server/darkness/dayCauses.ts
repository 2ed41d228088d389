import { commandedDarkness } from '#domain/darkness/causes/commandedDarkness.ts'
import {
  awayMinutes,
  causeSeconds,
  DARK_CAUSES,
  plannedParts,
  wholeCauses,
} from '#domain/darkness/causes/darkCauses.ts'
import { withFeeds } from '#domain/darkness/configuredFeeds.ts'
import { defaultFeedChain } from '#domain/darkness/feedChain.ts'
import type { LightKind, LightSpan, Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { plannedSpans } from '#domain/darkness/minutes/lightDays.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { PRESENCE_SINCE } from '#server/fleet/newestPresence.ts'
import { inOrder, readCauses, type Wired } from './causes/causeReadings.ts'
import type { CountedDay, DarkPlace } from './dayCounts.ts'
import { readComponents, readFeeds } from './now/wiringRows.ts'

/** An outlet that was turned off longer ago counts by what it reports alone. */
const COMMANDS_REACH_MS = 31 * DAY_MS

export interface DayCauses {
  /** They are ordered as `DARK_CAUSES` are; null where nothing was dark. */
  readonly causes: readonly number[] | null
  readonly away: number | null
  /** They are ordered as `PLANNED_BY` are; null where nothing was planned. */
  readonly plannedBy: readonly number[] | null
}

/**
 * Finds what the darkness of counted days is put down to, unplanned and planned, and how much of what is unknown is our
 * own doing.
 */
export async function causesOfDays(
  queryable: Queryable,
  place: DarkPlace,
  days: readonly CountedDay[],
  holidays: ReadonlySet<LocalDate>,
): Promise<ReadonlyMap<CountedDay, DayCauses>> {
  const found = new Map<CountedDay, DayCauses>()
  let wired: Wired | undefined
  let emergencies: ReadonlySet<string> | undefined
  for (const day of days) {
    const [dark, unknown] = [spansOf(day.spans, 'unplanned'), spansOf(day.spans, 'unknown')]
    const away = unknown.length === 0 ? 0 : awayMinutes(unknown, await readOutages(queryable, day))
    let causes: readonly number[] | null = null
    if (day.minutes.unplanned > 0) {
      wired ??= await readWiring(queryable, place)
      const whole = wholeCauses(causeSeconds(dark, await evidenceOf(queryable, wired, day)), day.minutes.unplanned)
      causes = DARK_CAUSES.map((cause) => whole[cause])
    }
    let plannedBy: readonly number[] | null = null
    if (day.minutes.planned > 0) {
      emergencies ??= await readEmergencies(queryable, place.deviceId)
      plannedBy = plannedParts(
        spansOf(day.spans, 'planned'),
        plansOf(day, place, emergencies, holidays),
        day.minutes.planned,
      )
    }
    found.set(day, { causes, away: Math.min(away, day.minutes.unknown) || null, plannedBy })
  }
  return found
}

const spansOf = (spans: readonly LightSpan[], wanted: LightKind) => spans.filter(({ kind }) => kind === wanted)

/** The off times of an emergency are known by being exactly those that it gave to the device. */
function plansOf(
  day: CountedDay,
  place: DarkPlace,
  emergencies: ReadonlySet<string>,
  holidays: ReadonlySet<LocalDate>,
) {
  const emergencyAlone = place.offTimes.map((one) =>
    emergencies.has(JSON.stringify(one.offTimes)) ? one : { ...one, offTimes: null },
  )
  const spans = (plans: Partial<DarkPlace>) =>
    plannedSpans(day, { ...place, offTimes: [], dayPlans: [], ...plans }, holidays)
  return {
    emergency: spans({ offTimes: emergencyAlone }),
    offTimes: spans({ offTimes: place.offTimes }),
    dayPlan: spans({ dayPlans: place.dayPlans }),
  }
}

async function readEmergencies(queryable: Queryable, deviceId: DeviceId): Promise<ReadonlySet<string>> {
  const { rows } = await queryable.query<{ offTimes: object }>(
    'select distinct off_times as "offTimes" from emergency_dark_device where device_id = $1',
    [deviceId],
  )
  return new Set(rows.map(({ offTimes }) => JSON.stringify(offTimes)))
}

async function readWiring(queryable: Queryable, { deviceId, displayNumbers }: DarkPlace): Promise<Wired> {
  const { rows } = await queryable.query<{ model_id: DeviceModelId }>('select model_id from device where id = $1', [
    deviceId,
  ])
  const components = (await readComponents(queryable, [deviceId])).get(deviceId) ?? []
  const feeds = (await readFeeds(queryable, [deviceId])).get(deviceId) ?? {}
  const chain = withFeeds(defaultFeedChain(rows[0]?.model_id as DeviceModelId, components), feeds)
  return { deviceId, displayNumbers, components, chain }
}

async function evidenceOf(queryable: Queryable, wired: Wired, time: Span) {
  const readings = await readCauses(queryable, wired, time)
  const keys = wired.displayNumbers.map((number) => `display/${number}`)
  const commands = await readCommands(queryable, wired.deviceId, time)
  const commanded = commandedDarkness(wired.chain, keys, commands, time.toMs)
  return inOrder(readings, commanded, await readOffline(queryable, wired.deviceId, time))
}

async function readCommands(queryable: Queryable, deviceId: DeviceId, { fromMs, toMs }: Span) {
  const { rows } = await queryable.query<{ name: string; args: Readonly<Record<string, unknown>>; at: Date }>(
    `select name, args, coalesce(ended_at, sent_at) as at from device_command
     where device_id = $1 and accepted_at >= $2 and accepted_at < $3 and settings_version is null
       and state in ('done', 'sent', 'unknown') and sent_at is not null
     order by accepted_at`,
    [deviceId, new Date(fromMs - COMMANDS_REACH_MS), new Date(toMs)],
  )
  return rows.map(({ name, args, at }) => ({ name, args, atMs: at.getTime() }))
}

/** A device that went with the server was not without a network. */
async function readOffline(queryable: Queryable, deviceId: DeviceId, { fromMs, toMs }: Span): Promise<readonly Span[]> {
  const { rows } = await queryable.query<{ is_online: boolean; reason: string; at: Date }>(
    `select is_online, reason, ${PRESENCE_SINCE} as at from device_presence_history
     where device_id = $1 and at < $3 and at >= coalesce(
       (select max(at) from device_presence_history where device_id = $1 and at <= $2), '-infinity')
     order by at`,
    [deviceId, new Date(fromMs), new Date(toMs)],
  )
  return rows.flatMap(({ is_online, reason, at }, index) => {
    if (is_online || reason === 'server_stopped' || reason === 'server_lost') return []
    return [{ fromMs: at.getTime(), toMs: rows[index + 1]?.at.getTime() ?? toMs }]
  })
}

async function readOutages(queryable: Queryable, { fromMs, toMs }: Span): Promise<readonly Span[]> {
  const { rows } = await queryable.query<Span>(
    `select (extract(epoch from from_at) * 1000)::float8 as "fromMs", (extract(epoch from to_at) * 1000)::float8 as "toMs"
     from server_outage where to_at > $1 and from_at < $2 order by from_at`,
    [new Date(fromMs), new Date(toMs)],
  )
  return rows
}
