import { z } from 'zod'
import { MOST_DAY_PLAN_ENTRIES, MOST_SUN_OFFSET_MINUTES } from '#domain/displays/dayPlan.ts'
import { partKeyValue } from './drivers.ts'

const number = z.int().min(1).max(3)
const percent = z.number().min(0).max(100)
const lux = z.number().min(0).max(100_000)
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
/** `HH:mm` in local time of the display; null for none. */
export const localTimeValue = timeOfDay.nullable()
const localTime = localTimeValue

export const dayPlanEntries = z
  .array(
    z.strictObject({
      /** Local time `HH:mm`, or this many minutes after sunrise or sunset; before it when negative. */
      from: z.union([
        timeOfDay,
        z.strictObject({
          sun: z.enum(['sunrise', 'sunset']),
          offsetMinutes: z.int().min(-MOST_SUN_OFFSET_MINUTES).max(MOST_SUN_OFFSET_MINUTES),
        }),
      ]),
      /** Null ends the plan's influence from then on. */
      backlightPercent: z.int().min(0).max(100).nullable(),
    }),
  )
  .max(MOST_DAY_PLAN_ENTRIES)

const testWindow = { from: timeOfDay, to: timeOfDay }
/** The time of the UPS battery test, in local time of the device (domain/ups/batteryTest.ts). */
export const batteryTestSchedule = z.union([
  z.strictObject({ every: z.literal('week'), weekday: z.int().min(0).max(6), ...testWindow }),
  z.strictObject({ every: z.literal('month'), day: z.int().min(1).max(31), ...testWindow }),
])

/** The volume that the contract of a SIM allows in a month of billing (domain/dataBudget/dataUse.ts). */
export const dataBudget = z.strictObject({
  megabytes: z.int().min(1).max(100_000_000),
  billingDay: z.int().min(1).max(31),
})

/** Every command a device understands, by name, with its arguments (rules/commands 7). */
export const COMMANDS = {
  /** What is left out stays unchanged, because nobody knows it or wants to change it. */
  'display.apply': z.strictObject({
    displayNumber: number,
    brightness: percent.optional(),
    touchScreenStatus: z.enum(['ON', 'OFF']).optional(),
    backlightLevel: percent.optional(),
    // It is wider than an operator's choice, because values that a display reports are sent back unchanged.
    gammaValue: z.number().min(1.8).max(2.6).optional(),
    redColorBalance: percent.optional(),
    greenColorBalance: percent.optional(),
    blueColorBalance: percent.optional(),
  }),
  'ambientSensor.apply': z.strictObject({
    number,
    backlightAutomaticStatus: z.boolean(),
    minBacklight: percent,
    maxBacklight: percent,
    minAmbientLight: lux,
    maxAmbientLight: lux,
  }),
  'turnOff.apply': z.strictObject({
    wdTimeOffFrom: localTime,
    wdTimeOffTo: localTime,
    wkndTimeOffFrom: localTime,
    wkndTimeOffTo: localTime,
    holTimeOffFrom: localTime,
    holTimeOffTo: localTime,
  }),
  /** Only clients with the feature `dayPlans` know it; older ones answer `NOT_UNDERSTOOD`. */
  'dayPlan.apply': z.strictObject({ workdays: dayPlanEntries, weekends: dayPlanEntries, holidays: dayPlanEntries }),
  /** Only clients with the feature `batteryTests` know it. Null switches scheduled tests off. */
  'batteryTest.apply': z.strictObject({ schedule: batteryTestSchedule.nullable() }),
  /** Only clients with the feature `dataBudgets` know it. Null stops the counting. */
  'dataBudget.apply': z.strictObject({ budget: dataBudget.nullable() }),
  /** Begins a short test of the battery, whose result is reported. */
  'ups.batteryTest': z.strictObject({}),
  'ups.reboot': z.strictObject({}),
  'ups.shutdown': z.strictObject({}),
  'ups.groupReset': z.strictObject({ group: z.int().min(1).max(2) }),
  'router.reset': z.strictObject({ number }),
  'powerSwitch.set': z.strictObject({ number, on: z.boolean() }),
  'powerSwitch.reset': z.strictObject({ number }),
  'routerRelay.set': z.strictObject({ number, on: z.boolean() }),
  'routerRelay.reset': z.strictObject({ number }),
  'routerRelay.portReset': z.strictObject({ number }),
  'relay.set': z.strictObject({ number, port: z.int().min(1).max(2), on: z.boolean() }),
  'relay.reset': z.strictObject({ number, port: z.int().min(1).max(2) }),
  /** Restarts the client's computer through its operating system. Older clients answer `NOT_UNDERSTOOD`. */
  'computer.reboot': z.strictObject({}),
  /** Asks what answers to the drivers of a part, without switching. Older clients answer `NOT_UNDERSTOOD`. */
  'driver.test': z.strictObject({ part: partKeyValue }),
} as const
export type CommandName = keyof typeof COMMANDS
export type CommandArguments<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]>

/** A client answers this to a command that is newer than itself. */
export const NOT_UNDERSTOOD = 'The device does not understand this command.'

/** Topic `commands/{id}`. `expiresAt` is in server time; an expired or repeated command is refused. */
export const command = z.strictObject({
  name: z.enum(Object.keys(COMMANDS) as [CommandName, ...CommandName[]]),
  args: z.record(z.string(), z.unknown()),
  issuedAt: z.iso.datetime({ offset: false }),
  expiresAt: z.iso.datetime({ offset: false }),
})
export type Command = z.output<typeof command>

/** Topic `replies/{id}`: the answer of the device; `errors` are shown to the operator unchanged. */
export const commandReply = z.strictObject({
  ok: z.boolean(),
  text: z.string().max(2000),
  errors: z.array(z.string().max(2000)).max(50),
})
export type CommandReply = z.output<typeof commandReply>
