import type { Hardware } from '#device/hardware/hardware.ts'
import type { Reading } from '#device/hardware/readings.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { CLIENT_FEATURES, writeClientFeatures } from '#domain/devices/clientFeatures.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import type { BatteryTests } from './automatic/BatteryTests.ts'
import type { DataCount } from './automatic/dataCount.ts'
import type { StartCount } from './automatic/startCount.ts'
import type { Link } from './link/Link.ts'
import { withButtonRules } from './reporting/buttons.ts'
import { type Moment, momentOf } from './reporting/moment.ts'
import { entryTopic, type Readings, readHardware } from './reporting/readHardware.ts'
import type { Reporter } from './reporting/reporter.ts'
import type { SettingsApplier } from './settings/SettingsApplier.ts'
import type { Steering } from './settings/Steering.ts'

const DEVICE = entryTopic({ topic: 'device', number: 1 })
const ROUTER = entryTopic({ topic: 'router', number: 1 })
const UPS = entryTopic({ topic: 'ups', number: 1 })
const FEATURES = writeClientFeatures(CLIENT_FEATURES)

function withAdded(readings: Readings, added: Readonly<Record<string, (reading: Reading) => Reading>>): Readings {
  const all = new Map(readings)
  for (const [topic, add] of Object.entries(added)) {
    const reading = all.get(topic)
    if (reading) all.set(topic, add(reading))
  }
  return all
}

/** A sample reports what changed by more than the noise of its sensor, or everything. */
type Extent = 'changes' | 'whole'

interface SamplerDeps {
  readonly hardware: Hardware
  readonly settings: SettingsApplier
  readonly steering: Steering
  readonly batteryTests: BatteryTests
  readonly dataCount: DataCount
  /** Absent when starts of the program are not starts of a device. */
  readonly startCount: StartCount | undefined
  readonly reporter: Reporter
  readonly link: Link
  readonly clientVersion: string
  readonly now: () => number
  readonly monotonicMs?: () => number
  readonly lookEveryMs: number
  readonly onLooked?: (() => void) | undefined
  readonly say: (msg: string) => void
  readonly log: (line: string) => void
}

/** Samples the hardware periodically, applies the automation that depends on it, and reports. */
export class Sampler {
  readonly #deps: SamplerDeps
  #outage: ReturnType<NonNullable<Hardware['outage']>> = 'none'
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #looking: Promise<void> = Promise.resolve()

  constructor(deps: SamplerDeps) {
    this.#deps = deps
  }

  /** Samples never overlap, so that two of them never set the same display. */
  once(extent: Extent = 'changes'): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#look(extent))
      .catch((error: Error) => this.#deps.log(`Looking failed: ${error.message}`))
    return this.#looking
  }

  /** @param onBegun runs after the same wait */
  begin(afterMs: number, onBegun: () => void): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#timer = setTimeout(() => {
      this.#sayStarted()
      onBegun()
      void this.#followOutage()
      this.#timer = setTimeout(() => this.#keepLooking(), this.#deps.lookEveryMs)
    }, afterMs)
  }

  end(): void {
    this.#isRunning = false
    clearTimeout(this.#timer)
  }

  async #keepLooking(): Promise<void> {
    const { onLooked, lookEveryMs } = this.#deps
    const startedAt = performance.now()
    await this.once()
    onLooked?.()
    if (!this.#isRunning) return
    const restMs = Math.max(0, lookEveryMs - (performance.now() - startedAt))
    this.#timer = setTimeout(() => this.#keepLooking(), restMs)
  }

  async #look(extent: Extent): Promise<void> {
    await this.#followOutage()
    if (this.#outage === 'power') return
    const { hardware, settings, steering, batteryTests, dataCount, reporter, log } = this.#deps
    const { modelId, components } = settings.current()
    const reported = reportedComponents(modelId as DeviceModelId, components)
    const readAll = () => readHardware(hardware, reported, (error) => log(`Reading failed: ${error.message}`))
    const readings = await readAll()
    const hasSteered = await steering.follow(settings.current(), readings, this.#present())
    const { timeZone } = settings.current()
    const hasTested = await batteryTests.follow(timeZone, readings.get(UPS))
    await dataCount.follow(timeZone)
    const withWords = this.#withOwnTexts(hasSteered || hasTested ? await readAll() : readings, timeZone)
    const told = steering.told(settings.current(), withWords)
    // This must not come before the sample: one that began earlier would clear it with its older readings.
    if (extent === 'whole') reporter.forget()
    const dated = hardware.dated?.bind(hardware)
    await reporter.report(reported, withButtonRules(told, components), this.#present(), dated)
  }

  /** Adds what the client itself knows of its device. */
  #withOwnTexts(readings: Readings, timeZone: string): Readings {
    const { batteryTests, dataCount, startCount } = this.#deps
    return withAdded(readings, {
      [DEVICE]: (reading) => {
        const known = { ...reading, client_features: FEATURES }
        return startCount?.withStarts(known) ?? known
      },
      [ROUTER]: dataCount.withUse,
      [UPS]: (reading) => batteryTests.withLast(timeZone, reading),
    })
  }

  async #followOutage(): Promise<void> {
    const { hardware, link, reporter } = this.#deps
    const next = hardware.outage?.() ?? 'none'
    if (next === this.#outage) return
    const before = this.#outage
    this.#outage = next
    if (next !== 'none') await link.stop()
    else link.start()
    if (before === 'power') {
      reporter.forget()
      this.#sayStarted()
    }
  }

  #present(): Moment {
    return momentOf(this.#deps.now, this.#deps.monotonicMs)
  }

  #sayStarted(): void {
    this.#deps.say(`Started, client ${this.#deps.clientVersion}.`)
  }
}
