import { z } from 'zod'
import { deviceConfiguration } from './http/devices/devices.ts'
import { COMMANDS } from './mqtt/command.ts'
import { deviceSettings } from './mqtt/settings.ts'

/** A simulated device can show these faults on request. */
export const FAULT_KINDS = [
  'overheating',
  'onBattery',
  'offline',
  'sourceLost',
  'fanStuck',
  'backlightDead',
  'displayUnreachable',
  /** Relays, power switches and routers with a relay do not switch, and report that. */
  'relayStuck',
  /** Displays and ambient sensors refuse what is applied. */
  'displayRefuses',
  /** Commands are carried out, but the reply comes after 15 s, or never. */
  'answersLate',
  'answersNever',
  /** The battery of the UPS fails its test, and shows no sign of it before. */
  'batteryWorn',
  /** A new client does not start, so that the launcher goes back to the old one, which reports why. */
  'clientUpdateFails',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * A fault that recurs by the clock: it holds during the first `forMinutes` of every `everyMinutes`, counted from
 * 1970-01-01T00:00Z plus `phaseMinutes`. It depends on the moment alone, so the generated past has it too.
 */
export const faultSchedule = z
  .strictObject({
    kind: z.enum(FAULT_KINDS),
    everyMinutes: z.number().positive().max(525_600),
    forMinutes: z.number().positive(),
    phaseMinutes: z.number().min(0).default(0),
  })
  .refine((fault) => fault.forMinutes <= fault.everyMinutes, 'a fault lasts no longer than its period')
export type FaultSchedule = z.output<typeof faultSchedule>

export const DRIVER_NAMES = ['pretend', 'host'] as const

const fleetDevice = z.strictObject({
  ...deviceConfiguration.pick({ guid: true, key: true, name: true, modelId: true }).shape,
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  timeZone: z.string().min(1),
  components: deviceSettings.shape.components,
  /** Devices with different seeds behave differently; the same seed always produces the same readings. */
  seed: z.int().min(0).max(0xffffffff),
  driver: z.enum(DRIVER_NAMES).default('pretend'),
  faults: z.array(faultSchedule).max(20).default([]),
  /** The wiring that differs from the model: each part with its feeder (domain/darkness/configuredFeeds.ts). */
  feeds: z.record(z.string(), z.string()).default({}),
  /** Outlets that were off before the simulation began, by name (device/hardware/pretend/wiring.ts), and since when. */
  offSinceMs: z.record(z.string(), z.int()).default({}),
  /** Its past was dark or dimmed by these; the server sends those of the present. */
  offTimes: COMMANDS['turnOff.apply'].nullable().default(null),
  dayPlan: COMMANDS['dayPlan.apply'].nullable().default(null),
})
export type FleetDevice = z.output<typeof fleetDevice>

/** The server's demo seed writes this file and the simulator reads it. It holds keys, so its mode is 0600. */
export const fleet = z.strictObject({
  mqttUrl: z.string().min(1),
  httpUrl: z.string().min(1),
  /** The public keys of releases, as a device's configuration has them; without any, no update is taken. */
  releaseKeys: deviceConfiguration.shape.releaseKeys,
  /** A file with one more public key, which is read at each update because a demo makes its key while it runs. */
  releaseKeyFile: z.string().min(1).optional(),
  devices: z.array(fleetDevice).max(10_000),
  /** The simulator fills this much past; 0 means none. */
  historyDays: z.int().min(0).max(90),
  /** The past is sent no faster than this, over the whole fleet; 2000 leaves a machine of two cores responsive. */
  historyReportsPerSecond: z.int().min(1).max(100_000).default(2000),
})
export type Fleet = z.output<typeof fleet>
export type FleetFile = z.input<typeof fleet>

/**
 * One field of one device over a stretch of the past, which the simulator writes for the demo as one line of JSON.
 * Values are `everyMs` apart, null where the device or the component reported nothing.
 */
export const pastReadings = z.strictObject({
  guid: fleetDevice.shape.guid,
  fieldId: z.int().positive(),
  fromMs: z.int(),
  everyMs: z.int().positive(),
  values: z.array(z.union([z.number(), z.string(), z.null()])),
})
export type PastReadings = z.output<typeof pastReadings>
