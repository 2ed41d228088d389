import type { AnswerOf } from '#contract/call/call.ts'
import type { LightConflict, listLightConflicts } from '#contract/http/insight/lightRules.ts'
import { CLIENT_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { hasClientFeature } from '#domain/devices/clientFeatures.ts'
import type { AmbientCurve } from '#domain/displays/ambientCurve.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import type { DeviceId } from '#domain/ids.ts'
import { complyingChange } from '#domain/lightRules/complyingPlan.ts'
import {
  CONFLICT_DAYS,
  conflictMinutes,
  type DeviceLight,
  firstConflictText,
  planConflicts,
} from '#domain/lightRules/planConflicts.ts'
import { offTimesText } from '#domain/lightRules/ruleText.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, wallClock } from '#domain/units/wallClock.ts'
import { holidayReader } from '#server/darkness/dayCounts.ts'
import type { Given } from '#server/features/feature.ts'
import { readPowerInDark } from '#server/fleet/darkPanels.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { readComponentStates } from '#server/telemetry/state/currentState.ts'
import {
  metBy,
  type PlacedDevice,
  type RuleSetRow,
  readLightSettings,
  readPlacedDevices,
  type SettingsRow,
} from './ruleSets.store.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock'>

/** Holds the settings of every met device against a rule set, from today or the beginning of its validity on. */
export async function findConflicts(
  { pool, db, clock }: Deps,
  row: RuleSetRow,
  scope: Scope,
): Promise<AnswerOf<typeof listLightConflicts>> {
  const now = clock.now()
  const { met, unknown } = metBy(row, await readPlacedDevices(pool, scope))
  const settings = Map.groupBy(
    await readLightSettings(
      db,
      met.map(({ id }) => id),
    ),
    ({ device_id }) => device_id,
  )
  const today = now.toISOString().slice(0, 10)
  const begins = row.set.validFrom !== null && row.set.validFrom > today ? row.set.validFrom : today
  const holidaysOf = holidayReader(pool, addDays(begins, -2), addDays(begins, CONFLICT_DAYS + 2))
  const found: Found[] = []
  for (const device of met) {
    const own = settings.get(device.id) ?? []
    const light = lightOf(device, own, await holidaysOf(device.holidaysOf))
    const here = wallClock(now, light.timeZone).date
    const firstDate = begins > here ? begins : here
    const spans = planConflicts(row.set, light, firstDate).filter(({ toMs }) => toMs > now.getTime())
    if (spans.length > 0) found.push({ device, own, light, firstDate, spans })
  }
  return {
    metDevices: met.length,
    unknown: unknown.map(({ id, guid, name }) => ({ deviceId: id, guid, name })),
    rows: [...(await answersOf(pool, row, found))].sort((a, b) => b.minutes - a.minutes),
  }
}

interface Found {
  readonly device: PlacedDevice
  readonly own: readonly SettingsRow[]
  readonly light: DeviceLight
  readonly firstDate: string
  readonly spans: ReturnType<typeof planConflicts>
}

async function answersOf(pool: Given['pool'], { set }: RuleSetRow, found: readonly Found[]): Promise<LightConflict[]> {
  const ids = found.map(({ device }) => device.id)
  const [planners, power] = await Promise.all([readPlanners(pool, ids), readPowerInDark(pool, ids)])
  return found.map(({ device, own, light, firstDate, spans }) => {
    const change = complyingChange(set, light, firstDate, planners.has(device.id)) ?? null
    const section = change?.kind === 'dayPlan' ? 'dayPlan' : 'turnOff'
    const [first] = spans
    return {
      ...{ deviceId: device.id, guid: device.guid, name: device.name, address: device.address },
      timeZone: light.timeZone,
      minutes: conflictMinutes(spans),
      fromDate: first?.date ?? firstDate,
      first: first ? firstConflictText(first, light.timeZone) : '',
      allowedPercent: Math.min(...spans.map(({ allowedPercent }) => allowedPercent)),
      plannedPercent: first?.plannedPercent ?? null,
      offTimes: light.offTimes ? offTimesText(light.offTimes) : '',
      change: change as LightConflict['change'],
      basedOn: own.find((one) => one.section === section)?.desired_at?.toISOString() ?? null,
      powerInDark: power.get(device.id) ?? 'unknown',
    }
  })
}

function lightOf(device: PlacedDevice, own: readonly SettingsRow[], holidays: ReadonlySet<string>): DeviceLight {
  const valuesOf = (section: string) => own.filter((one) => one.section === section).map(({ values }) => values)
  const levels = valuesOf('display').flatMap(({ backlightLevel }) =>
    typeof backlightLevel === 'number' ? [backlightLevel] : [],
  )
  const curves = valuesOf('ambientSensor').filter(({ backlightAutomaticStatus }) => backlightAutomaticStatus === true)
  const brightest = (curves as unknown as AmbientCurve[]).toSorted((a, b) => b.maxBacklight - a.maxBacklight)[0]
  return {
    timeZone: isTimeZone(device.timeZone) ? device.timeZone : 'UTC',
    position: device.position,
    holidays,
    offTimes: valuesOf('turnOff')[0] as OffTimes | undefined,
    dayPlan: valuesOf('dayPlan')[0] as DayPlan | undefined,
    curve: brightest,
    levelPercent: levels.length === 0 ? undefined : Math.max(...levels),
  }
}

/** Finds the devices whose client is known to have day plans. */
async function readPlanners(pool: Given['pool'], ids: readonly DeviceId[]): Promise<ReadonlySet<DeviceId>> {
  const wanted = { eventTypeIds: [CLIENT_EVENT_TYPE_ID] }
  const states = await readComponentStates(pool, { kind: 'everything' }, ids, wanted)
  return new Set(
    ids.filter((id) => {
      const fields = states.get(id)?.find(({ eventTypeId }) => eventTypeId === CLIENT_EVENT_TYPE_ID)?.fields ?? {}
      const said = (name: string) => {
        const [value, atMs] = fields[name] ?? []
        return value === undefined || atMs === undefined ? undefined : { text: String(value), at: new Date(atMs) }
      }
      return hasClientFeature('dayPlans', { version: said('client_version'), features: said('client_features') })
    }),
  )
}
