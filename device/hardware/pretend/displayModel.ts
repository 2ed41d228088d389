import { AED_KIOSK_MODEL_ID } from '#domain/devices/models.ts'
import { backlightForLight } from '#domain/displays/ambientCurve.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { DisplayReading } from '../readings.ts'
import { faultStrength, isFaulty } from './faults.ts'
import { chance, clamp, jitter, rounded, trait, wander } from './noise.ts'
import { type DisplayRegisters, factoryDisplay, hasAmbientSensor, hasTouchScreen, uptimeSeconds } from './registers.ts'
import { ambientLightLux, outsideTemperatureCelsius, solarHour, sunshine } from './weather.ts'
import { powerBackMs } from './wiring.ts'
import type { World } from './world.ts'

/** Glass and steel hold the heat of the sun and the backlight over the last half hour. */
const HEAT_LAGS_MS = [3 * MINUTE_MS, 14 * MINUTE_MS, 30 * MINUTE_MS]
const HEAT_INERTIA_MS = 10 * MINUTE_MS
const FASTEST_FAN_RPM = 3200

function levelAt(world: World, registers: DisplayRegisters, atMs: number): number {
  if (registers.isSwitchedOff || isFaulty(world.faults, 'backlightDead', atMs)) return 0
  if (registers.outputLevel !== undefined) return registers.outputLevel
  if (registers.backlightAutomaticStatus) return backlightForLight(registers, ambientLightLux(world, atMs))
  return registers.backlightLevel
}

function warmingLevel(world: World, registers: DisplayRegisters, atMs: number): number {
  const mean =
    HEAT_LAGS_MS.reduce((total, lagMs) => total + levelAt(world, registers, atMs - lagMs), 0) / HEAT_LAGS_MS.length
  const rest = Math.exp(-Math.max(0, atMs - registers.changedAtMs) / HEAT_INERTIA_MS)
  return mean + (registers.levelBefore - mean) * rest
}

interface Climate {
  readonly internal: number
  readonly intake: number
  readonly exhaust: number
  readonly fanPercent: number
}

/** Sun and backlight heat the cabinet, and the fans remove part of that, more the warmer it would get. */
function climateAt(world: World, registers: DisplayRegisters, number: number, atMs: number): Climate {
  const outside = outsideTemperatureCelsius(world, atMs - 5 * MINUTE_MS)
  const sun = HEAT_LAGS_MS.reduce((total, lagMs) => total + sunshine(world, atMs - lagMs), 0) / HEAT_LAGS_MS.length
  const overheating = faultStrength(world.faults, 'overheating', atMs, 6 * MINUTE_MS)
  const stuck = faultStrength(world.faults, 'fanStuck', atMs, 8 * MINUTE_MS)
  const build = trait(world.seed, `build${number}`, 0.85, 1.2)
  const rise = build * (6 + 0.13 * warmingLevel(world, registers, atMs) + 15 * sun)
  const fanPercent = clamp((outside + rise - 22) * 3 + 70 * overheating + 15 * stuck, 20, 100)
  const cooling = 0.55 * (fanPercent / 100) * (1 - 0.25 * stuck)
  const flutter =
    0.25 * wander(world.seed, `air${number}`, atMs, 90_000) + 0.08 * jitter(world.seed, `adc${number}`, atMs, 5000)
  const internal = outside + rise * (1 - cooling) + 30 * overheating + flutter
  return {
    internal,
    intake: outside + 0.18 * rise + 3 * overheating + 0.5 * flutter,
    exhaust: internal + 1.5 + 2 * (fanPercent / 100) + 0.5 * flutter,
    fanPercent,
  }
}

/** About 1000 when dry; on the AED kiosk it is the number of the compartment's sensor, low while it is open. */
function liquidNumber(world: World, atMs: number): number {
  const dry = 985 + 20 * wander(world.seed, 'dry', atMs, 20 * MINUTE_MS)
  if (world.fitting.modelId !== AED_KIOSK_MODEL_ID) return dry
  const isOpen = chance(world.seed, 'aed', Math.floor(atMs / (4 * MINUTE_MS))) < 0.002
  return isOpen && solarHour(world.longitude, atMs) > 7 ? 240 : dry
}

function fanSpeeds(world: World, climate: Climate, number: number, atMs: number) {
  const isStuck = isFaulty(world.faults, 'fanStuck', atMs)
  const target = rounded(climate.fanPercent, 0)
  const speed = (fan: number) => {
    if (fan === 2 && isStuck) return 0
    const make = trait(world.seed, `fan${number}.${fan}`, 0.95, 1.03)
    const flutter = 1 + 0.008 * jitter(world.seed, `rpm${number}.${fan}`, atMs, 5000)
    return Math.round((FASTEST_FAN_RPM * make * flutter * target) / 100)
  }
  return {
    fan1_speed: speed(1),
    fan2_speed: speed(2),
    fan3_speed: speed(3),
    fan4_speed: speed(4),
    fan1_speed_target: target,
    fan2_speed_target: target,
    fan3_speed_target: target,
    fan4_speed_target: target,
  }
}

function ambientSensor(world: World, registers: DisplayRegisters, number: number, atMs: number): DisplayReading {
  if (!hasAmbientSensor(world.fitting, number)) return {}
  const glint = 1 + 0.02 * jitter(world.seed, 'glint', atMs, 5000)
  return {
    ambient_light: rounded(clamp(ambientLightLux(world, atMs) * glint, 0, 100_000), 0),
    backlight_automatic_status: registers.backlightAutomaticStatus ? 1 : 0,
    min_backlight: registers.minBacklight,
    max_backlight: registers.maxBacklight,
    min_ambient_light: registers.minAmbientLight,
    max_ambient_light: registers.maxAmbientLight,
  }
}

/** Kiosks with a compartment have a sensor on the glass of each display. */
function panelSensor(world: World, registers: DisplayRegisters, number: number, atMs: number): DisplayReading {
  if (world.fitting.modelId !== AED_KIOSK_MODEL_ID) return {}
  const level = rounded(levelAt(world, registers, atMs), 0)
  const make = trait(world.seed, `glass${number}`, 0.92, 1)
  return { panel_light: level === 0 ? 0 : rounded(Math.max(2, level * make), 1) }
}

export function displayAt(world: World, number: number, atMs: number): DisplayReading {
  const registers = world.registers.displays[number] ?? factoryDisplay(world.seed, world.fitting, number)
  const climate = climateAt(world, registers, number, atMs)
  const source = isFaulty(world.faults, 'sourceLost', atMs) ? 'ARGB' : 'HDMI-1'
  return {
    internal_temp: rounded(climate.internal, 1),
    intake_temp: rounded(climate.intake, 1),
    exhaust_temp: rounded(climate.exhaust, 1),
    humidity: rounded(clamp(liquidNumber(world, atMs), 0, 1023), 0),
    ...fanSpeeds(world, climate, number, atMs),
    backlight_level: rounded(levelAt(world, registers, atMs), 0),
    ...panelSensor(world, registers, number, atMs),
    brightness: registers.brightness,
    contrast: 50,
    gamma_value: registers.gammaValue,
    red_color_balance: registers.redColorBalance,
    green_color_balance: registers.greenColorBalance,
    blue_color_balance: registers.blueColorBalance,
    ...ambientSensor(world, registers, number, atMs),
    ...(hasTouchScreen(world.fitting, number)
      ? { touch_matrix_status: registers.touchScreenStatus === 'ON' ? 'Driver is running' : 'Disabled' }
      : {}),
    source,
    source_search_status: source === 'ARGB' ? 'Searching' : 'Found',
    out_of_order_status: source,
    uptime: uptimeSeconds(`display/${number}`, world.seed, atMs, powerBackMs(world, `display/${number}`, atMs)),
  }
}
