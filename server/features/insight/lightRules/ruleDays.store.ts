import type pg from 'pg'
import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { lightDay, untilNow } from '#domain/darkness/minutes/lightDays.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isProvable, type RuleMinutes, ruleMinutes } from '#domain/lightRules/ruleMinutes.ts'
import { type LightRuleSet, type RuleSpan, ruleSpansOfDay } from '#domain/lightRules/ruleSet.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate } from '#domain/units/wallClock.ts'
import { type DarkPlace, holidayReader, readDarkPlaces, readLevels } from '#server/darkness/dayCounts.ts'
import { readMaintenanceSpans } from '#server/fleet/maintenanceSpans.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { metBy, type RuleSetRow, readPlacedDevices, readRuleSets } from './ruleSets.store.ts'

const EVERY_MS = 60_000
const AGAIN_MS = 1_000
const LONGEST_RUN_MS = 1_000
const DAYS_AT_ONCE = 20
/** A month is proven after its end, and readings that come late are waited for. */
const DAYS_BACK = 62

interface DueDay {
  readonly device_id: DeviceId
  readonly day: LocalDate
  readonly light: string
}

/** Minutes of light as they were counted, which change with readings that come late. */
const LIGHT = `concat_ws(' ', k.unplanned_min, k.planned_min, k.lit_min, k.lit_in_off_min, k.maintenance_min)`

const DUE_SQL = `
  select k.device_id, to_char(k.day, 'YYYY-MM-DD') as day, ${LIGHT} as light
  from device_dark_day k left join light_rule_day l
    on l.rule_set_id = $1 and l.device_id = k.device_id and l.day = k.day
  where k.device_id = any($2::integer[]) and k.day between $3 and $4 and l.light is distinct from ${LIGHT}
  order by k.day desc, k.device_id limit ${DAYS_AT_ONCE}`

/** Counts days by the rule sets once their light is counted, slowly and the newest first. */
export const ruleDaysJob: Job = {
  name: 'light rules',
  everyMs: EVERY_MS,
  async run(owner, now, stopped) {
    const endsAt = performance.now() + LONGEST_RUN_MS
    const isOver = () => stopped.aborted || performance.now() > endsAt
    return (await countRuleDays(owner, now, isOver)) ? undefined : { againInMs: AGAIN_MS }
  },
}

/** @returns whether nothing is left */
export async function countRuleDays(owner: pg.ClientBase, now: Date, isOver: () => boolean): Promise<boolean> {
  const sets = await readRuleSets(owner as pg.Client, { kind: 'everything' })
  if (sets.length === 0) return true
  const devices = await readPlacedDevices(owner as pg.Client, { kind: 'everything' })
  // A day may still run west of Greenwich: its rest is cut off, and its light changes until it is over.
  const last = addDays(now.toISOString().slice(0, 10), -1)
  for (const row of sets) {
    const ids = metBy(row, devices).met.map(({ id }) => id)
    for (;;) {
      if (isOver()) return false
      const { rows } = await owner.query<DueDay>(DUE_SQL, [row.id, ids, addDays(last, -DAYS_BACK), last])
      await countDays(owner, row, rows, now)
      if (rows.length < DAYS_AT_ONCE) break
    }
  }
  return true
}

async function countDays(owner: pg.ClientBase, row: RuleSetRow, due: readonly DueDay[], now: Date): Promise<void> {
  if (due.length === 0) return
  const client = owner as pg.PoolClient
  const dates = due.map(({ day }) => day).sort()
  const holidaysOf = holidayReader(client, addDays(dates[0] ?? '', -1), addDays(dates.at(-1) ?? '', 1))
  const places = await readDarkPlaces(client, [...new Set(due.map(({ device_id }) => device_id))])
  for (const { device_id, day, light } of due) {
    const place = places.get(device_id)
    if (place === undefined) continue
    const spans = spansOf(row.set, place, day, await holidaysOf(place.country))
    const counted = await countOne(client, place, untilNow(lightDay(day, place.timeZone), now.getTime()), spans)
    await keep(client, { ruleSetId: row.id, deviceId: device_id, day, light }, counted)
  }
}

const spansOf = (set: LightRuleSet, { timeZone }: DarkPlace, day: LocalDate, holidays: ReadonlySet<LocalDate>) =>
  ruleSpansOfDay(set, day, { timeZone, holidays }).filter(isProvable)

interface Counted extends RuleMinutes {
  readonly emergency: number
}

async function countOne(
  client: pg.PoolClient,
  { deviceId, displayNumbers }: DarkPlace,
  day: Span,
  spans: readonly RuleSpan[],
): Promise<Counted> {
  const nothing = { due: 0, kept: 0, broken: 0, unknown: 0, maintenance: 0, brokenAtMs: undefined, emergency: 0 }
  if (spans.length === 0) return nothing
  const [levels, maintenance, emergencies] = [
    await readLevels(client, deviceId, day),
    (await readMaintenanceSpans(client, [deviceId], day)).get(deviceId) ?? [],
    await readEmergencySpans(client, deviceId, day),
  ]
  const displays = displayNumbers.map((number) => levels.get(number) ?? [])
  const minutes = ruleMinutes(day, spans, displays, maintenance)
  const inEmergency = emergencies.flatMap((span) =>
    spans.map(({ from, to }) => Math.min(span.toMs, to.getTime()) - Math.max(span.fromMs, from.getTime())),
  )
  const emergencyMs = inEmergency.reduce((sum, ms) => sum + Math.max(0, ms), 0)
  return { ...minutes, emergency: Math.min(minutes.kept, Math.round(emergencyMs / MINUTE_MS)) }
}

/** Reads when a device was dark because of an emergency. */
async function readEmergencySpans(client: pg.PoolClient, deviceId: DeviceId, { fromMs, toMs }: Span) {
  const { rows } = await client.query<Span>(
    `select (extract(epoch from told_at) * 1000)::float8 as "fromMs",
       (extract(epoch from coalesce(ended_at, now())) * 1000)::float8 as "toMs"
     from emergency_dark_device where device_id = $1 and told_at < $3 and coalesce(ended_at, now()) > $2`,
    [deviceId, new Date(fromMs), new Date(toMs)],
  )
  return rows
}

interface Key {
  readonly ruleSetId: number
  readonly deviceId: DeviceId
  readonly day: LocalDate
  readonly light: string
}

async function keep(client: pg.PoolClient, { ruleSetId, deviceId, day, light }: Key, counted: Counted) {
  const { due, kept, broken, unknown, maintenance, emergency, brokenAtMs } = counted
  await client.query(
    `insert into light_rule_day (rule_set_id, device_id, day, due_min, kept_min, broken_min, unknown_min,
       maintenance_min, emergency_min, broken_at, light)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 where exists (select from light_rule_set where id = $1)
     on conflict (rule_set_id, device_id, day) do update set due_min = excluded.due_min, kept_min = excluded.kept_min,
       broken_min = excluded.broken_min, unknown_min = excluded.unknown_min, maintenance_min = excluded.maintenance_min,
       emergency_min = excluded.emergency_min, broken_at = excluded.broken_at, light = excluded.light`,
    [
      ...[ruleSetId, deviceId, day, due, kept, broken, unknown, maintenance, emergency],
      ...[brokenAtMs === undefined ? null : new Date(brokenAtMs), light],
    ],
  )
}
