import { createHash } from 'node:crypto'
import type { FaultKind } from '#contract/fleet.ts'
import { type StandardComponent, standardComponents } from '#domain/components/standardComponents.ts'
import type { Feeds } from '#domain/darkness/configuredFeeds.ts'
import type { DataBudget } from '#domain/dataBudget/dataUse.ts'
import { DEVICE_STATUS, type DeviceStatusId } from '#domain/devices/status.ts'
import type { DayPlan, DayPlanEntry } from '#domain/displays/dayPlan.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import type { DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { LocalTime } from '#domain/units/wallClock.ts'
import { DEMO_CUSTOMERS } from './places.ts'

export interface DemoFault {
  readonly kind: FaultKind
  readonly everyMinutes: number
  readonly forMinutes: number
  readonly phaseMinutes: number
}

export interface LastingFault {
  /** The fault, or the name of the outlet that somebody has switched off on the device. */
  readonly kind: FaultKind | { readonly outletOff: string }
  readonly beganMinutesBefore: number
}

/** A device of the demo as it is first made; the same index always gives the same device. */
export interface DemoDevice {
  readonly guid: DeviceGuid
  readonly name: string
  readonly address: string
  readonly attrSerial: string
  readonly description: string
  readonly modelId: DeviceModelId
  readonly customerName: string
  readonly statusId: DeviceStatusId
  readonly latitude: number
  readonly longitude: number
  readonly components: readonly StandardComponent[]
  readonly seed: number
  readonly driver: 'pretend' | 'host'
  readonly faults: readonly DemoFault[]
  /** These faults began before the demo and last as long as anybody looks at it. */
  readonly lasting: readonly LastingFault[]
  /** The wiring where it differs from the model's. */
  readonly feeds: Feeds
  readonly offTimes: OffTimes | null
  readonly dayPlan: DayPlan | null
  readonly dataBudget: DataBudget | null
  readonly tags: readonly string[]
}

const MODELS = [1, 22, 15, 16, 1, 22, 1, 15, 22, 1, 16, 2, 1, 22, 8, 1]
const ROUND = 40
const { active, pending, maintenance, outOfOrder, deactivated } = DEVICE_STATUS

/** Everybody else is Paired: the first fifteen are three for each customer. */
const STATUSES: ReadonlyMap<number, DeviceStatusId> = new Map([
  [17, pending],
  [21, maintenance],
  [24, outOfOrder],
  [28, deactivated],
  [33, pending],
  [36, maintenance],
])

const DAY_MINUTES = 1440

const FAULTS: ReadonlyMap<number, DemoFault> = new Map([
  [3, { kind: 'overheating', everyMinutes: 360, forMinutes: 40, phaseMinutes: 0 }],
  [6, { kind: 'onBattery', everyMinutes: 480, forMinutes: 12, phaseMinutes: 30 }],
  [9, { kind: 'offline', everyMinutes: 300, forMinutes: 20, phaseMinutes: 90 }],
  [14, { kind: 'fanStuck', everyMinutes: DAY_MINUTES, forMinutes: 120, phaseMinutes: 600 }],
  [19, { kind: 'overheating', everyMinutes: DAY_MINUTES, forMinutes: 90, phaseMinutes: 780 }],
  // These five are always there, so that whoever tries the console finds them.
  [23, { kind: 'relayStuck', everyMinutes: DAY_MINUTES, forMinutes: DAY_MINUTES, phaseMinutes: 0 }],
  [24, { kind: 'sourceLost', everyMinutes: DAY_MINUTES, forMinutes: DAY_MINUTES, phaseMinutes: 0 }],
  [26, { kind: 'displayUnreachable', everyMinutes: 720, forMinutes: 15, phaseMinutes: 200 }],
  [29, { kind: 'displayRefuses', everyMinutes: DAY_MINUTES, forMinutes: DAY_MINUTES, phaseMinutes: 0 }],
  [31, { kind: 'backlightDead', everyMinutes: DAY_MINUTES, forMinutes: 60, phaseMinutes: 1020 }],
  [34, { kind: 'answersLate', everyMinutes: DAY_MINUTES, forMinutes: DAY_MINUTES, phaseMinutes: 0 }],
  [36, { kind: 'batteryWorn', everyMinutes: DAY_MINUTES, forMinutes: DAY_MINUTES, phaseMinutes: 0 }],
  [39, { kind: 'answersNever', everyMinutes: DAY_MINUTES, forMinutes: DAY_MINUTES, phaseMinutes: 0 }],
  // These days of the last weeks lacked light, apart from each other.
  [27, { kind: 'backlightDead', everyMinutes: 3 * DAY_MINUTES, forMinutes: 95, phaseMinutes: 2100 }],
  [30, { kind: 'backlightDead', everyMinutes: 7 * DAY_MINUTES, forMinutes: 610, phaseMinutes: 900 }],
  [35, { kind: 'displayUnreachable', everyMinutes: 2 * DAY_MINUTES, forMinutes: 180, phaseMinutes: 1500 }],
  [38, { kind: 'backlightDead', everyMinutes: 5 * DAY_MINUTES, forMinutes: 260, phaseMinutes: 4000 }],
])

const FAILS_UPDATE = 2
/** These get a new client first: one of each customer. */
export const FIRST_UPDATED = [0, 1, FAILS_UPDATE, 4, 8]

/** Its router connects the displays around it, and is off: all of them are gone, and are one incident. */
const HAS_ROUTER = 40
const BEHIND_ROUTER = [41, 42, 43, 44, 45, 46]
const MODEL_BEHIND_ROUTER = 2 as DeviceModelId

/** A new user finds each kind of fault once, and displays dark for three reasons. */
const LASTING: ReadonlyMap<number, readonly LastingFault[]> = new Map<number, readonly LastingFault[]>([
  [FAILS_UPDATE, [{ kind: 'clientUpdateFails', beganMinutesBefore: 30 }]],
  [10, [{ kind: 'offline', beganMinutesBefore: 125 }]],
  [12, [{ kind: 'onBattery', beganMinutesBefore: 4 }]],
  [13, [{ kind: 'sourceLost', beganMinutesBefore: 190 }]],
  [16, [{ kind: { outletOff: 'power-switch/1' }, beganMinutesBefore: 63 }]],
  [18, [{ kind: 'overheating', beganMinutesBefore: 310 }]],
  [22, [{ kind: 'backlightDead', beganMinutesBefore: 47 }]],
  // The last report over the connection was that its router is off.
  [
    HAS_ROUTER,
    [
      { kind: { outletOff: 'router-relay/1' }, beganMinutesBefore: 97 },
      { kind: 'offline', beganMinutesBefore: 95 },
    ],
  ],
  ...BEHIND_ROUTER.map((index) => [index, [{ kind: 'offline', beganMinutesBefore: 94 }]] as const),
])

/** The wiring must explain what is wrong: a PC that goes on without its display, a router on a relay. */
const FEEDS: ReadonlyMap<number, Feeds> = new Map<number, Feeds>([
  [5, { 'router/1': 'ups' }],
  [7, { 'display/3': 'upsGroup/1', 'camera/2': 'ups' }],
  [10, { 'router/1': 'relayPort/1/2' }],
  [13, { computer: 'relayPort/1/2' }],
  [16, { player: 'ups' }],
])

const YEAR_MINUTES = 365 * DAY_MINUTES

/** The simulator reads this schedule: it lasts half a year from its start, so that the past is without it. */
export const lastingSchedule = (kind: FaultKind, beganMinutesBefore: number, nowMs: number): DemoFault => ({
  kind,
  everyMinutes: YEAR_MINUTES,
  forMinutes: YEAR_MINUTES / 2,
  phaseMinutes: (Math.floor(nowMs / MINUTE_MS) - beganMinutesBefore) % YEAR_MINUTES,
})

export function lastingBeganMs({ phaseMinutes }: Pick<DemoFault, 'phaseMinutes'>, nowMs: number): number {
  const minutes = Math.floor(nowMs / MINUTE_MS)
  return (minutes - ((minutes - phaseMinutes) % YEAR_MINUTES)) * MINUTE_MS
}

export const isLasting = ({ everyMinutes }: Pick<DemoFault, 'everyMinutes'>): boolean => everyMinutes === YEAR_MINUTES

/** Every day is the same, because the simulated past knows no holidays. */
const nightly = (from: LocalTime, to: LocalTime): OffTimes => ({
  ...{ wdTimeOffFrom: from, wdTimeOffTo: to },
  ...{ wkndTimeOffFrom: from, wkndTimeOffTo: to },
  ...{ holTimeOffFrom: from, holTimeOffTo: to },
})

const OFF_TIMES: ReadonlyMap<number, OffTimes> = new Map([
  [25, nightly('23:30', '05:00')],
  [27, nightly('22:00', '06:00')],
  [30, nightly('00:30', '04:30')],
  [32, nightly('23:00', '05:30')],
  [35, nightly('23:30', '05:00')],
  [37, nightly('22:30', '05:00')],
  [38, nightly('01:00', '05:00')],
])

const HAS_DATA_BUDGET = 25

const everyDay = (...entries: readonly DayPlanEntry[]): DayPlan => ({
  workdays: entries,
  weekends: entries,
  holidays: entries,
})

/** One plan stands beside off times, and one has a dark night of its own. */
const DAY_PLANS: ReadonlyMap<number, DayPlan> = new Map([
  [
    25,
    everyDay(
      { from: { sun: 'sunset', offsetMinutes: 0 }, backlightPercent: 80 },
      { from: '21:30', backlightPercent: 50 },
      { from: { sun: 'sunrise', offsetMinutes: 30 }, backlightPercent: null },
    ),
  ],
  [
    36,
    everyDay(
      { from: '22:00', backlightPercent: 60 },
      { from: '01:00', backlightPercent: 0 },
      { from: '05:00', backlightPercent: 60 },
      { from: { sun: 'sunrise', offsetMinutes: 0 }, backlightPercent: null },
    ),
  ],
])

/** Each stands a few steps from another device of its customer. */
const STANDS_WITH: ReadonlyMap<number, number> = new Map([
  [13, 3],
  [18, 3],
  ...BEHIND_ROUTER.map((index) => [index, HAS_ROUTER] as const),
])

const isOfRouter = (index: number) => index === HAS_ROUTER || BEHIND_ROUTER.includes(index)

const tagsOf = (index: number): readonly string[] => [
  ...(index % 4 === 1 ? ['Station'] : []),
  ...(index % 7 === 2 ? ['Pilot 2027'] : []),
  ...(index % 9 === 4 ? ['Full sun'] : []),
]

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** A guid identifies the device at every start, because nobody can change it. */
function guidOf(name: string): DeviceGuid {
  const hex = digestOf(`wayside demo ${name}`).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}` as DeviceGuid
}

const guidOfIndex = (index: number) => guidOf(`device ${index}`)

function descriptionOf(index: number, host: DemoDevice | undefined): string {
  if (index === HAS_ROUTER) return 'Its router connects the six displays around it.'
  return isOfRouter(index) ? `Connected by the router of ${host?.name}.` : ''
}

export function demoDevice(index: number): DemoDevice {
  const digest = digestOf(`device ${index}`)
  const drawn = (byte: number, below: number) => digest.readUInt16BE(byte) % below
  const site = STANDS_WITH.get(index)
  const customer = pick(DEMO_CUSTOMERS, site ?? index)
  const round = Math.floor((site ?? index) / DEMO_CUSTOMERS.length)
  const town = pick(customer.towns, round)
  const host = site === undefined ? undefined : demoDevice(site)
  const modelId = BEHIND_ROUTER.includes(index) ? MODEL_BEHIND_ROUTER : (pick(MODELS, index) as DeviceModelId)
  const number = String(100 + ((index * 37) % 9000)).padStart(4, '0')
  const spread = (byte: number) => (drawn(byte, 1000) - 500) / (host ? 1_000_000 : 20_000)
  const fault = isOfRouter(index) ? undefined : FAULTS.get(index % ROUND)
  return {
    guid: guidOfIndex(index),
    name: `${town.name} ${number}`,
    address: host?.address ?? customer.addressOf(pick(customer.streets, drawn(0, 1000)), 1 + drawn(2, 120), town),
    attrSerial: `WS${String(modelId).padStart(2, '0')}-${22 + drawn(4, 4)}${String(1 + drawn(6, 52)).padStart(2, '0')}-${String(10_000 + index)}`,
    description: descriptionOf(index, host),
    modelId,
    customerName: customer.name,
    statusId: STATUSES.get(index % ROUND) ?? active,
    latitude: Number(((host ?? town).latitude + spread(8)).toFixed(5)),
    longitude: Number(((host ?? town).longitude + spread(10)).toFixed(5)),
    components: standardComponents(modelId),
    seed: digest.readUInt32BE(12),
    driver: 'pretend',
    faults: fault ? [fault] : [],
    lasting: LASTING.get(index) ?? [],
    feeds: FEEDS.get(index) ?? {},
    offTimes: OFF_TIMES.get(index % ROUND) ?? null,
    dayPlan: DAY_PLANS.get(index) ?? null,
    dataBudget: index === HAS_DATA_BUDGET ? { megabytes: 500, billingDay: 15 } : null,
    tags: isOfRouter(index) ? ['Station'] : tagsOf(index),
  }
}

/** Describes the machine that runs the demo, with its real readings; it has a computer and nothing else. */
export function thisMachine(hostName: string): DemoDevice {
  const customer = pick(DEMO_CUSTOMERS, 0)
  const town = pick(customer.towns, 0)
  return {
    guid: guidOf('this machine'),
    name: 'This machine',
    address: `Server room, ${town.name}`,
    attrSerial: 'HOST',
    description: `The computer that the demo runs on, ${hostName}. Its readings are real.`,
    modelId: 8 as DeviceModelId,
    customerName: customer.name,
    statusId: active,
    latitude: town.latitude,
    longitude: town.longitude,
    components: [],
    seed: 0,
    driver: 'host',
    faults: [],
    lasting: [],
    feeds: {},
    offTimes: null,
    dayPlan: null,
    dataBudget: null,
    tags: [],
  }
}

function pick<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('The demo has an empty list.')
  return item
}
