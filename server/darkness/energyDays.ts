import { DISPLAY_EVENT_TYPE_ID, METER_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { CATEGORY } from '#domain/components/componentFields.ts'
import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { dayPlanSpans, plannedSpans } from '#domain/darkness/minutes/lightDays.ts'
import { type DisplayDay, type DisplayReadings, displayDay, SLOW_HOLDS_MS } from '#domain/energy/displayDay.ts'
import { addMeters, COUNTER_REACHES_MS, meterWattHours, NOT_METERED, secondsOf } from '#domain/energy/meters.ts'
import type { ComponentModelId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { type CountedDay, type DarkPlace, runsOf } from './dayCounts.ts'
import { type Reported, readReported } from './reportedValues.ts'

const DISPLAYS = layoutByTypeId(DISPLAY_EVENT_TYPE_ID) as EventLayout
const METERS = layoutByTypeId(METER_EVENT_TYPE_ID) as EventLayout

/** What a display did on a day. */
export interface CountedDisplay extends DisplayDay {
  readonly number: number
  readonly modelId: ComponentModelId
}

/** What is kept of a day for energy and for the life of panels. */
export interface DayEnergy {
  readonly metered: { readonly wattHours: number; readonly seconds: number }
  readonly displays: readonly CountedDisplay[]
  /** Null where the day is over, so that its own version stays. */
  readonly clientVersion: string | null
}

interface Parts {
  readonly models: ReadonlyMap<number, ComponentModelId>
  readonly hasMeters: boolean
  readonly clientVersion: string | null
}

/** Counts what displays drew and how warm they were on counted days (decision 370). */
export async function energyOfDays(
  queryable: Queryable,
  place: DarkPlace,
  days: readonly CountedDay[],
  holidays: ReadonlySet<LocalDate>,
  now: Date,
): Promise<ReadonlyMap<CountedDay, DayEnergy>> {
  const found = new Map<CountedDay, DayEnergy>()
  if (days.length === 0) return found
  const parts = await readParts(queryable, place)
  for (const run of runsOf(days)) {
    const displays = await readDisplays(queryable, place, run)
    const meters = parts.hasMeters ? await readMeters(queryable, place, run) : []
    for (const day of days.filter(({ fromMs }) => fromMs >= run.fromMs && fromMs < run.toMs))
      found.set(day, energyOfDay(place, day, { displays, meters }, parts, holidays, now))
  }
  return found
}

function energyOfDay(
  place: DarkPlace,
  day: CountedDay,
  { displays, meters }: { readonly displays: readonly Reported[]; readonly meters: readonly Reported[] },
  parts: Parts,
  holidays: ReadonlySet<LocalDate>,
  now: Date,
): DayEnergy {
  const metered = meteredOn(day, meters)
  const planned = {
    offTimes: plannedSpans(day, { ...place, dayPlans: [] }, holidays),
    dayPlan: dayPlanSpans(day, place, holidays),
  }
  const its = within(displays, day.fromMs - SLOW_HOLDS_MS, day.toMs)
  return {
    metered: { wattHours: Math.round(metered.wattHours), seconds: secondsOf(metered.spans) },
    displays: place.displayNumbers.flatMap((number) => {
      const modelId = parts.models.get(number)
      if (modelId === undefined) return []
      return [{ number, modelId, ...displayDay(day, readingsOf(its, number), planned, metered.spans) }]
    }),
    clientVersion: now.getTime() - day.toMs < DAY_MS ? parts.clientVersion : null,
  }
}

async function readParts(queryable: Queryable, { deviceId }: DarkPlace): Promise<Parts> {
  const { rows } = await queryable.query<{ number: number; model: ComponentModelId; category: number }>(
    `select number, component_model_id as model, category_id as category from device_component
     where device_id = $1 and category_id in (${CATEGORY.display}, ${CATEGORY.ecu})`,
    [deviceId],
  )
  const clients = await queryable.query<{ version: string | null }>(
    'select client_version as version from device_now where device_id = $1',
    [deviceId],
  )
  return {
    models: new Map(
      rows.filter(({ category }) => category === CATEGORY.display).map(({ number, model }) => [number, model]),
    ),
    hasMeters: rows.some(({ category }) => category === CATEGORY.ecu),
    clientVersion: clients.rows[0]?.version ?? null,
  }
}

const readDisplays = (queryable: Queryable, { deviceId }: DarkPlace, { fromMs, toMs }: Span) =>
  readReported(queryable, {
    ...{ layout: DISPLAYS, deviceId, fromMs: fromMs - SLOW_HOLDS_MS, toMs },
    names: ['backlight_level', 'backlight_automatic_status', 'internal_temp'],
  })

const readMeters = (queryable: Queryable, { deviceId }: DarkPlace, { fromMs, toMs }: Span) =>
  readReported(queryable, {
    ...{ layout: METERS, deviceId, fromMs: fromMs - COUNTER_REACHES_MS, toMs },
    names: ['energy', 'active_power'],
  })

const within = (reported: readonly Reported[], fromMs: number, toMs: number) =>
  reported.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)

const valuesOf = (reported: readonly Reported[], index: number) =>
  reported.flatMap(({ atMs, values }) => {
    const value = values[index]
    return typeof value === 'number' ? [{ atMs, value }] : []
  })

function readingsOf(reported: readonly Reported[], number: number): DisplayReadings {
  const its = reported.filter((one) => one.number === number)
  return { levels: valuesOf(its, 0), automatic: valuesOf(its, 1), temperatures: valuesOf(its, 2) }
}

/** Each controller has a meter of its own. */
function meteredOn(day: Span, meters: readonly Reported[]) {
  const its = within(meters, day.fromMs - COUNTER_REACHES_MS, day.toMs)
  if (its.length === 0) return NOT_METERED
  const byNumber = [...Map.groupBy(its, ({ number }) => number).values()]
  return addMeters(byNumber.map((one) => meterWattHours({ counter: valuesOf(one, 0), power: valuesOf(one, 1) }, day)))
}
