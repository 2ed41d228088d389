import { componentModelById } from '#domain/components/componentModels.ts'
import type { AmbientSensorSettings, DisplaySettings, Fitting } from '../hardware.ts'
import { chance } from './noise.ts'

const AMBIENT_SENSOR_CATEGORY_ID = 7
const TOUCH_SCREEN_CATEGORY_ID = 9

/** What operators have set on one simulated device; plain data, so that it survives a restart. */
export interface Registers {
  readonly displays: Record<string, DisplayRegisters>
  /** Switched outlets that are off, by name (`relay/1/2`), and since when; all others are on. */
  readonly off: Record<string, number>
  /** The last time that something was reset or off, by name (`upsGroup/1`, `router-relay/1/ports`). */
  readonly away: Record<string, { readonly fromMs: number; readonly untilMs: number }>
  /** The last test of the battery; absent when there was none. */
  readonly batteryTestAtMs?: number
}

export interface DisplayRegisters extends Required<DisplaySettings>, AmbientSensorSettings {
  readonly isSwitchedOff: boolean
  /** The percentage that the agent set last; undefined when it set none, so that the past follows the agent's rules. */
  readonly outputLevel?: number
  /** Heat lags behind, so the level before and the time of its change are kept. */
  readonly levelBefore: number
  readonly changedAtMs: number
}

export const NOTHING_SET: Registers = { displays: {}, off: {}, away: {} }

function isFitted({ components }: Fitting, categoryId: number, number: number): boolean {
  return components.some(
    (component) =>
      component.number === number && componentModelById(component.componentModelId)?.categoryId === categoryId,
  )
}

export const hasAmbientSensor = (fitting: Fitting, number: number) =>
  isFitted(fitting, AMBIENT_SENSOR_CATEGORY_ID, number)
export const hasTouchScreen = (fitting: Fitting, number: number) => isFitted(fitting, TOUCH_SCREEN_CATEGORY_ID, number)

/** The defaults (rules/setup 3), with the small differences that technicians leave behind. */
export function factoryDisplay(seed: number, fitting: Fitting, number: number): DisplayRegisters {
  const nudge = (word: string) => Math.round((chance(seed, `${word}${number}`) - 0.5) * 12)
  return {
    brightness: 50 + nudge('brightness'),
    touchScreenStatus: 'ON',
    backlightLevel: 70 + nudge('level'),
    gammaValue: 2.2,
    redColorBalance: 50 + nudge('red'),
    greenColorBalance: 50,
    blueColorBalance: 50 + nudge('blue'),
    backlightAutomaticStatus: hasAmbientSensor(fitting, number),
    minBacklight: 50,
    maxBacklight: 100,
    minAmbientLight: 0,
    maxAmbientLight: 10_000,
    isSwitchedOff: false,
    levelBefore: 70,
    changedAtMs: 0,
  }
}

/** Returns the seconds since its power came back, or since a start weeks ago. */
export function uptimeSeconds(name: string, seed: number, atMs: number, powerBackMs?: number): number {
  if (powerBackMs !== undefined) return Math.floor((atMs - powerBackMs) / 1000)
  const everySeconds = Math.floor((15 + 40 * chance(seed, `${name} period`)) * 86_400)
  return Math.floor(atMs / 1000 + everySeconds * chance(seed, `${name} start`)) % everySeconds
}
