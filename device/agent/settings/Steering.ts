import type { CommandArguments } from '#contract/mqtt/command.ts'
import { type Display, type Hardware, HardwareError } from '#device/hardware/hardware.ts'
import type { Reading } from '#device/hardware/readings.ts'
import { sensorOfDisplays } from '#domain/components/sensorOfDisplays.ts'
import { type AmbientCurve, backlightForLight } from '#domain/displays/ambientCurve.ts'
import { isPlannedDark, type PlannedLight, plannedLightAt } from '#domain/displays/plannedLight.ts'
import { type Kept, openLevelsBefore } from '../automatic/levelsBefore.ts'
import type { Moment } from '../reporting/moment.ts'
import { entryTopic, type Readings } from '../reporting/readHardware.ts'
import type { AppliedSections } from './appliedSections.ts'
import type { Settings } from './SettingsApplier.ts'

/** Light flickers by more than one percent of backlight, and nobody notices a display that lags by less than this. */
const SMALLEST_STEP_PERCENT = 2
/** A display whose report differs from its command gets the command again, but not at every sample. */
const TELL_AGAIN_MS = 60_000

interface Told {
  readonly what: 'dark' | 'lit' | number
  readonly steadyMs: number
}

interface SteeringDeps {
  readonly hardware: Hardware
  readonly applied: AppliedSections
  readonly store: Kept
  readonly onUnexpected: (error: unknown) => void
}

/** What one sample knows, and what is planned for its moment. */
interface Sample {
  readonly readings: Readings
  readonly moment: Moment
  readonly planned: PlannedLight
  /** A display that never had off times or a day plan is never switched. */
  readonly isDark: boolean | undefined
}

/**
 * Keeps displays dark in off times, else on the level of the day plan, else on the ambient curve, even without a
 * network (domain/displays/plannedLight.ts).
 */
export class Steering {
  readonly #deps: SteeringDeps
  readonly #before: ReturnType<typeof openLevelsBefore>
  readonly #darkness = new Map<number, Told>()
  readonly #backlights = new Map<number, Told>()

  constructor(deps: SteeringDeps) {
    this.#deps = deps
    this.#before = openLevelsBefore(deps.store)
  }

  /** Resolves with whether anything was set. A display that does not answer is tried again at the next sample. */
  async follow(settings: Settings, readings: Readings, moment: Moment): Promise<boolean> {
    const { applied, onUnexpected } = this.#deps
    const plan = { offTimes: applied.get('turnOff', 1), dayPlan: applied.get('dayPlan', 1) }
    const place = { timeZone: settings.timeZone, position: settings.position ?? undefined }
    const planned = plannedLightAt(plan, place, new Set(settings.holidays), new Date(moment.wallMs))
    const isDark = plan.offTimes || plan.dayPlan ? isPlannedDark(planned) : undefined
    const sample = { readings, moment, planned, isDark }
    const results = await Promise.allSettled(
      [...sensorOfDisplays(settings.components)].map(([number, sensor]) => this.#followOne(number, sensor, sample)),
    )
    for (const result of results) {
      if (result.status === 'rejected' && !(result.reason instanceof HardwareError)) onUnexpected(result.reason)
    }
    return results.some((result) => result.status === 'fulfilled' && result.value)
  }

  /** Adds what the agent does about the light, because no commercial display reports it. */
  told({ components }: Settings, readings: Readings): Readings {
    const all = new Map(readings)
    for (const sensor of sensorOfDisplays(components).values()) {
      const topic = entryTopic({ topic: 'display', number: sensor ?? 0 })
      const reading = readings.get(topic)
      if (sensor === undefined || !reading || reading.backlight_automatic_status !== undefined) continue
      all.set(topic, { ...reading, ...automationReading(this.#deps.applied.get('ambientSensor', sensor)) })
    }
    return all
  }

  async #followOne(number: number, sensor: number | undefined, sample: Sample): Promise<boolean> {
    const { readings, moment, planned, isDark } = sample
    const display = this.#deps.hardware.display(number)
    const reading = readingOf(readings, number)
    if (!display || !reading) return false
    const hasSwitched = isDark !== undefined && (await this.#followDarkness(display, number, isDark, reading, moment))
    if (isDark) return hasSwitched
    const wanted = this.#wantedBacklight(number, sensor, readings, planned)
    const hasSet = await this.#followLight(display, number, wanted, reading, moment)
    if (planned.rule === 'none' && wanted !== undefined && reading.backlight_level !== undefined) {
      this.#before.givenBack(number)
    }
    return hasSet || hasSwitched
  }

  async #followDarkness(display: Display, number: number, isDark: boolean, at: Reading, moment: Moment) {
    const what = isDark ? 'dark' : 'lit'
    const isSo = !isDark || !(Number(at.backlight_level) > 0)
    if (isSettled(this.#darkness.get(number), what, isSo, moment)) return false
    await (isDark ? display.switchOff() : display.switchOn())
    this.#darkness.set(number, { what, steadyMs: moment.steadyMs })
    return true
  }

  async #followLight(
    display: Display,
    number: number,
    wantedPercent: number | undefined,
    { backlight_level: level }: Reading,
    moment: Moment,
  ): Promise<boolean> {
    if (wantedPercent === undefined || typeof level !== 'number') return false
    const told = this.#backlights.get(number)
    // Only darkness must be exact.
    const isSo =
      level === wantedPercent || (wantedPercent > 0 && Math.abs(level - wantedPercent) < SMALLEST_STEP_PERCENT)
    if (isSo || isSettled(told, wantedPercent, isSo, moment)) return false
    await display.setBacklight(wantedPercent)
    this.#backlights.set(number, { what: wantedPercent, steadyMs: moment.steadyMs })
    return true
  }

  /** Returns the desired backlight, or undefined when nothing controls it. */
  #wantedBacklight(
    number: number,
    sensor: number | undefined,
    readings: Readings,
    planned: PlannedLight,
  ): number | undefined {
    if (planned.rule === 'dayPlan') {
      this.#before.keep(number)
      return planned.backlightPercent
    }
    const { applied } = this.#deps
    const automation = sensor === undefined ? undefined : automationOf(applied, sensor, readingOf(readings, sensor))
    if (automation === undefined || !automation.isOn) return this.#ownBacklight(number, readingOf(readings, number))
    this.#before.givenBack(number)
    const light = readingOf(readings, sensor ?? number)?.ambient_light
    return typeof light === 'number' ? Math.round(backlightForLight(automation.curve, light)) : undefined
  }

  /** The display returns to the operator's level after a plan or a curve, else to the one before the plan. */
  #ownBacklight(number: number, reading: Reading | undefined): number | undefined {
    const set = this.#deps.applied.get('display', number)?.backlightLevel
    const kept = this.#before.kept(number)
    if (kept === undefined && (set === undefined || !this.#backlights.has(number))) {
      const level = reading?.backlight_level
      if (typeof level === 'number' && level > 0) this.#before.own(number, level)
      return undefined
    }
    return set ?? kept
  }
}

const readingOf = (readings: Readings, number: number) => readings.get(entryTopic({ topic: 'display', number }))

const isSettled = (told: Told | undefined, what: Told['what'], isSo: boolean, { steadyMs }: Moment) =>
  told?.what === what && (isSo || steadyMs - told.steadyMs < TELL_AGAIN_MS)

/** A sensor that was never set controls nothing. */
function automationReading(set: CommandArguments<'ambientSensor.apply'> | undefined): Reading {
  if (!set) return { backlight_automatic_status: 0 }
  return {
    backlight_automatic_status: set.backlightAutomaticStatus ? 1 : 0,
    min_backlight: set.minBacklight,
    max_backlight: set.maxBacklight,
    min_ambient_light: set.minAmbientLight,
    max_ambient_light: set.maxAmbientLight,
  }
}

/** Returns what an operator set, else the sensor's factory settings; undefined while neither is known. */
function automationOf(
  applied: AppliedSections,
  sensor: number,
  reading: Reading | undefined,
): { readonly isOn: boolean; readonly curve: AmbientCurve } | undefined {
  const set = applied.get('ambientSensor', sensor)
  if (set) return { isOn: set.backlightAutomaticStatus, curve: set }
  if (reading?.backlight_automatic_status === undefined) return undefined
  const curve = {
    minBacklight: Number(reading.min_backlight),
    maxBacklight: Number(reading.max_backlight),
    minAmbientLight: Number(reading.min_ambient_light),
    maxAmbientLight: Number(reading.max_ambient_light),
  }
  return Object.values(curve).some(Number.isNaN) ? undefined : { isOn: reading.backlight_automatic_status === 1, curve }
}
