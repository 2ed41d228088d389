import { isWithoutSource } from '../catalogue/displayRules.ts'
import { EVENT_TYPES, type EventType, type EventTypeTopic } from '../catalogue/eventTypes.ts'
import { isFault } from '../catalogue/faults.ts'
import { keepsRestarting } from '../devices/restarts.ts'

type Value = number | string | undefined
/** What a value says that can decide a verdict; undefined if it needs other values, or is mere evidence. */
type Sign = ((value: Value) => boolean) | undefined

export const isOnGrid = (status: Value) => status === 'on line interactive normal'
export const isPositive = (value: Value) => Number(value) > 0
export const isOne = (value: Value) => value === 1
export const isZero = (value: Value) => value === 0
export const isBatteryLow = (percent: Value) => Number(percent) < LOW_BATTERY_PERCENT
/** Below this a battery may fail at any moment. */
const LOW_BATTERY_PERCENT = 10

export const FANS = [1, 2, 3, 4] as const

/** Every field that a walk reads, by the topic of its report; a walk sees nothing else. */
const LOOKED_AT: Partial<Record<EventTypeTopic, Readonly<Record<string, Sign>>>> = {
  ups: {
    status: isOnGrid,
    input_voltage: isPositive,
    output_voltage: isPositive,
    battery_charge: isBatteryLow,
    battery_runtime: undefined,
    replace_battery: isOne,
    alarm: isFault,
  },
  device: { uptime: undefined, status_id: isOne, client_starts: keepsRestarting },
  display: {
    internal_temp: undefined,
    intake_temp: undefined,
    ...Object.fromEntries(
      FANS.flatMap((fan) => [`fan${fan}_speed_target`, `fan${fan}_speed`]).map((name) => [name, undefined]),
    ),
    backlight_level: isPositive,
    panel_light: isPositive,
    lamp_fault: isOne,
    diagnosis: isFault,
    backlight_automatic_status: isOne,
    ambient_light: undefined,
    min_backlight: undefined,
    max_backlight: undefined,
    min_ambient_light: undefined,
    max_ambient_light: undefined,
    out_of_order_status: isWithoutSource,
    source_search_status: undefined,
  },
  'power-switch': { port1_status: isOne, port2_status: isOne },
  relay: { port1_status: isOne, port2_status: isOne },
  'router-relay': { relay_status: isZero },
  router: { port1_status: isOne, port2_status: isOne, port3_status: isOne, port4_status: isOne },
}

/** A field that decides the present verdict. */
export interface LookedAtField {
  readonly type: EventType
  readonly ordinal: number
  readonly name: string
  readonly sign: Sign
}

export const LOOKED_AT_FIELDS: readonly LookedAtField[] = EVENT_TYPES.flatMap((type) =>
  Object.entries(LOOKED_AT[type.topic] ?? {}).map(([name, sign]) => {
    const field = type.fields.find((one) => one.name === name)
    if (field === undefined) throw new Error(`The catalogue has no ${name} of ${type.topic}.`)
    return { type, ordinal: field.ordinal, name, sign }
  }),
)
