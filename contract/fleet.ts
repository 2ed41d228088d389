import { z } from 'zod'
import { deviceConfiguration } from './http/devices/devices.ts'
import { COMMANDS } from './mqtt/command.ts'
import { deviceSettings } from './mqtt/settings.ts'

/** What can go wrong with a pretend device on request. */
export const FAULT_KINDS = [
  'overheating',
  'onBattery',
  'offline',
  'sourceLost',
  'fanStuck',
  'backlightDead',
  'displayUnreachable',
  /** Relays, power switches and routers with relay do not switch, and say so. */
  'relayStuck',
  /** Displays and ambient sensors refuse what is applied. */
  'displayRefuses',
  /** Commands are carried out, but their answer comes after 15 s, or never. */
  'answersLate',
  'answersNever',
  /** The battery of the UPS fails its test, and gives nothing away before. */
  'batteryWorn',
  /** A new client does not start, so that the old one comes back and says why. */
  'clientUpdateFails',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * A fault that comes back by the clock: true during the first `forMinutes` of every `everyMinutes`, counted from
 * 1970-01-01T00:00Z plus `phaseMinutes`. The past has it too, because it depends on nothing but the moment.
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
export type DriverName = (typeof DRIVER_NAMES)[number]

export const fleetDevice = z.strictObject({
  ...deviceConfiguration.pick({ guid: true, key: true, name: true, modelId: true }).shape,
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  /** IANA zone. */
  timeZone: z.string().min(1),
  components: deviceSettings.shape.components,
  /** Two devices with different seeds behave differently; the same seed always tells the same story. */
  seed: z.int().min(0).max(0xffffffff),
  driver: z.enum(DRIVER_NAMES).default('pretend'),
  faults: z.array(faultSchedule).max(20).default([]),
  /** Where its wiring differs from its model: a part, and the part that feeds it (domain/darkness/configuredFeeds.ts). */
  feeds: z.record(z.string(), z.string()).default({}),
  /** Outlets that were off before anybody looked, by name (device/hardware/pretend/wiring.ts), and since when. */
  offSinceMs: z.record(z.string(), z.int()).default({}),
  /** By which its past was dark or dimmed; of the present the server tells it. */
  offTimes: COMMANDS['turnOff.apply'].nullable().default(null),
  dayPlan: COMMANDS['dayPlan.apply'].nullable().default(null),
})
export type FleetDevice = z.output<typeof fleetDevice>

/** The file between the server's demo seed and the simulator. It holds keys: mode 0600. */
export const fleet = z.strictObject({
  mqttUrl: z.string().min(1),
  httpUrl: z.string().min(1),
  /** Public keys of releases, as in the configuration of a device; without any no pretend device takes an update. */
  releaseKeys: deviceConfiguration.shape.releaseKeys,
  /** A file with one more key, read for each update: of a demo whose key is made while it runs. */
  releaseKeyFile: z.string().min(1).optional(),
  devices: z.array(fleetDevice).max(10_000),
  /** How much past the simulator fills; 0: none. */
  historyDays: z.int().min(0).max(90),
  /** The past is told no faster than this, over the whole fleet; 2000 leave a machine of two cores responsive. */
  historyReportsPerSecond: z.int().min(1).max(100_000).default(2000),
})
export type Fleet = z.output<typeof fleet>
/** As it may be written: what has a default can be left out. */
export type FleetFile = z.input<typeof fleet>

/**
 * One field of one device over a stretch of the past, as the simulator tells it to the demo: a line of JSON each.
 * Values are `everyMs` apart, null where the device or the component said nothing.
 */
export const pastReadings = z.strictObject({
  guid: fleetDevice.shape.guid,
  fieldId: z.int().positive(),
  fromMs: z.int(),
  everyMs: z.int().positive(),
  values: z.array(z.union([z.number(), z.string(), z.null()])),
})
export type PastReadings = z.output<typeof pastReadings>
