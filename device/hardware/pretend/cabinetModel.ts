import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { ButtonsReading, CameraReading, ComputerReading, ControllerReading } from '../readings.ts'
import { isFaulty } from './faults.ts'
import { chance, clamp, jitter, rounded, trait, wander } from './noise.ts'
import { uptimeSeconds } from './registers.ts'
import { outsideTemperatureCelsius, solarElevationDegrees, solarHour, sunshine } from './weather.ts'
import { hasPower, powerBackMs } from './wiring.ts'
import type { World } from './world.ts'

/** This is before every moment that has simulated readings. */
const METER_SINCE_MS = Date.UTC(2024, 0, 1)
/** Counting of button presses starts here, so that the numbers stay plausible. */
const BUTTONS_SINCE_MS = Date.UTC(2024, 0, 1)

export function computerAt(world: World, atMs: number): ComputerReading {
  const { seed } = world
  const isOutOfOrder = isFaulty(world.faults, 'sourceLost', atMs) || isFaulty(world.faults, 'backlightDead', atMs)
  // Content is fetched in bursts of a few minutes; the processor works and the disk fills a little meanwhile.
  const fetching = chance(seed, 'fetch', Math.floor(atMs / (3 * MINUTE_MS))) < 0.08 ? 1 : 0
  const load = clamp(
    trait(seed, 'load', 12, 32) +
      30 * fetching +
      6 * wander(seed, 'cpu', atMs, 2 * MINUTE_MS) +
      4 * jitter(seed, 'cpu', atMs, 5000),
    1,
    100,
  )
  const outside = outsideTemperatureCelsius(world, atMs)
  const memoryWeek = (atMs / (7 * DAY_MS) + chance(seed, 'memory week')) % 1
  return {
    client_version: world.clientVersion,
    status_id: isOutOfOrder ? 2 : 1,
    uptime: uptimeSeconds('computer', seed, atMs, powerBackMs(world, 'computer', atMs)),
    cpu_load: rounded(load, 1),
    cpu_temp: rounded(26 + 0.45 * outside + 0.38 * load + 4 * sunshine(world, atMs), 1),
    memory_used: rounded(clamp(trait(seed, 'memory', 34, 52) + 9 * memoryWeek + 2 * fetching, 0, 100), 1),
    disk_used: rounded(clamp(trait(seed, 'disk', 28, 66) + 3 * wander(seed, 'disk', atMs, 5 * DAY_MS), 0, 100), 1),
    signal_strength: Math.round(signalDbm(world, 'modem', atMs)),
    network_received: rounded(clamp((fetching ? 900 : 6) * (1 + 0.6 * jitter(seed, 'rx', atMs, 5000)), 0, 5000), 1),
    network_sent: rounded(clamp((fetching ? 30 : 3) * (1 + 0.5 * jitter(seed, 'tx', atMs, 5000)), 0, 5000), 1),
  }
}

export function signalDbm({ seed }: World, word: string, atMs: number): number {
  return clamp(
    trait(seed, word, -92, -62) + 4 * wander(seed, word, atMs, 20 * MINUTE_MS) + jitter(seed, word, atMs, 15_000),
    -113,
    -51,
  )
}

export function controllerAt(world: World, number: number, atMs: number): ControllerReading {
  const { seed } = world
  const outside = outsideTemperatureCelsius(world, atMs)
  const overheating = isFaulty(world.faults, 'overheating', atMs) ? 1 : 0
  const flutter = 0.2 * wander(seed, `ecu${number}`, atMs, 2 * MINUTE_MS)
  const internal = outside + 7 + 8 * sunshine(world, atMs - 15 * MINUTE_MS) + 6 * overheating + flutter
  const fanPercent = clamp((internal - 18) * 4, 0, 100)
  const rpm = (fan: number) =>
    Math.round(24 * fanPercent * (1 + 0.008 * jitter(seed, `ecu${number}.${fan}`, atMs, 5000)))
  return {
    internal_temp: rounded(internal, 1),
    external_temp: rounded(outside + 0.5 * flutter, 1),
    fan1_speed: rpm(1),
    fan2_speed: rpm(2),
    door_status: isDoorOpen(world, atMs) ? 1 : 0,
    uptime: uptimeSeconds(`ecu/${number}`, seed, atMs),
    ...meterAt(world, atMs),
  }
}

/** The power is higher in the sun, when displays are bright and fans run; the energy grows by its lifetime mean. */
function meterAt(world: World, atMs: number): Pick<ControllerReading, 'active_power' | 'energy'> {
  const meanKilowatts = trait(world.seed, 'mean power', 0.2, 0.35)
  const watts = 140 + 300 * sunshine(world, atMs) + 12 * jitter(world.seed, 'power', atMs, 5000)
  return {
    active_power: rounded(watts, 1),
    energy: rounded((meanKilowatts * (atMs - METER_SINCE_MS)) / HOUR_MS, 1),
  }
}

/** A technician opens the door about once a week, in working hours. */
function isDoorOpen({ seed, longitude }: World, atMs: number): boolean {
  const hour = solarHour(longitude, atMs)
  return hour > 8 && hour < 17 && chance(seed, 'door', Math.floor(atMs / (15 * MINUTE_MS))) < 0.004
}

export function cameraAt(world: World, number: number, atMs: number): CameraReading {
  if (!hasPower(world, `camera/${number}`, atMs)) return { online_status: 0, frame_rate: 0 }
  const isNight = solarElevationDegrees(world.latitude, world.longitude, atMs) < -4
  const temperature = outsideTemperatureCelsius(world, atMs) + 9 + 7 * sunshine(world, atMs - 10 * MINUTE_MS)
  return {
    online_status: 1,
    frame_rate: rounded((isNight ? 12 : 25) + 0.4 * jitter(world.seed, `frames${number}`, atMs, 5000), 1),
    temp: rounded(temperature + 0.3 * wander(world.seed, `camera${number}`, atMs, 3 * MINUTE_MS), 1),
  }
}

/** Returns the share of a day's presses until this hour: few at night, most in the afternoon. */
function shareOfDay(hour: number): number {
  return (1 - Math.cos((Math.PI * clamp(hour - 6, 0, 16)) / 16)) / 2
}

export function buttonsAt({ seed, longitude }: World, atMs: number): ButtonsReading {
  const localDays = (atMs - BUTTONS_SINCE_MS) / DAY_MS + longitude / 360
  const day = Math.floor(localDays)
  const presses = (button: number) => {
    const aDay = trait(seed, `button${button}`, 20, 160)
    return Math.max(0, Math.floor(aDay * (day + shareOfDay((localDays - day) * 24))))
  }
  return { '1': presses(1), '2': presses(2), '3': presses(3), '4': presses(4), '5': presses(5) }
}
