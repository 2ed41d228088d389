import type { Hardware } from '#device/hardware/hardware.ts'
import type { Reading } from '#device/hardware/readings.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { CLIENT_FEATURES, writeClientFeatures } from '#domain/devices/clientFeatures.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import type { BatteryTests } from './automatic/batteryTests.ts'
import type { DataCount } from './automatic/dataCount.ts'
import type { StartCount } from './automatic/startCount.ts'
import type { Link } from './link/Link.ts'
import { withButtonRules } from './reporting/buttons.ts'
import { momentOf } from './reporting/moment.ts'
import { entryTopic, type Readings, readHardware } from './reporting/readHardware.ts'
import type { Reporter } from './reporting/reporter.ts'
import type { Steering } from './settings/Steering.ts'
import type { SettingsApplier } from './settings/settingsApplier.ts'

const DEVICE = entryTopic({ topic: 'device', number: 1 })
const ROUTER = entryTopic({ topic: 'router', number: 1 })
const UPS = entryTopic({ topic: 'ups', number: 1 })
const FEATURES = writeClientFeatures(CLIENT_FEATURES)

function withOwnTexts(readings: Readings, added: Readonly<Record<string, (reading: Reading) => Reading>>): Readings {
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
export function createSampler(deps: SamplerDeps) {
  const { hardware, settings, steering, batteryTests, dataCount, startCount, reporter, link, now, say, log } = deps
  let outage: ReturnType<NonNullable<Hardware['outage']>> = 'none'
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let looking: Promise<void> = Promise.resolve()

  const sayStarted = () => say(`Started, client ${deps.clientVersion}.`)

  const followOutage = async () => {
    const next = hardware.outage?.() ?? 'none'
    if (next === outage) return
    const before = outage
    outage = next
    if (next !== 'none') await link.stop()
    else link.start()
    if (before === 'power') {
      reporter.forget()
      sayStarted()
    }
  }

  const look = async (extent: Extent) => {
    await followOutage()
    if (outage === 'power') return
    const { modelId, components } = settings.current()
    const reported = reportedComponents(modelId as DeviceModelId, components)
    const readAll = () => readHardware(hardware, reported, (error) => log(`Reading failed: ${error.message}`))
    const readings = await readAll()
    const present = () => momentOf(now, deps.monotonicMs)
    const hasSteered = await steering.follow(settings.current(), readings, present())
    const { timeZone } = settings.current()
    const hasTested = await batteryTests.follow(timeZone, readings.get(UPS))
    await dataCount.follow(timeZone)
    const withWords = withOwnTexts(hasSteered || hasTested ? await readAll() : readings, {
      [DEVICE]: (reading) => {
        const known = { ...reading, client_features: FEATURES }
        return startCount?.withStarts(known) ?? known
      },
      [ROUTER]: dataCount.withUse,
      [UPS]: (reading) => batteryTests.withLast(timeZone, reading),
    })
    const told = steering.told(settings.current(), withWords)
    // This must not come before the sample: one that began earlier would clear it with its older readings.
    if (extent === 'whole') reporter.forget()
    await reporter.report(reported, withButtonRules(told, components), present(), hardware.dated?.bind(hardware))
  }

  /** Samples never overlap, so that two of them never set the same display. */
  const once = (extent: Extent = 'changes') => {
    looking = looking.then(() => look(extent)).catch((error: Error) => log(`Looking failed: ${error.message}`))
    return looking
  }

  const keepLooking = async () => {
    const startedAt = performance.now()
    await once()
    deps.onLooked?.()
    if (isRunning) timer = setTimeout(keepLooking, Math.max(0, deps.lookEveryMs - (performance.now() - startedAt)))
  }

  return {
    once,
    /** @param onBegun runs after the same wait */
    begin(afterMs: number, onBegun: () => void): void {
      if (isRunning) return
      isRunning = true
      timer = setTimeout(() => {
        sayStarted()
        onBegun()
        void followOutage()
        timer = setTimeout(keepLooking, deps.lookEveryMs)
      }, afterMs)
    },
    end(): void {
      isRunning = false
      clearTimeout(timer)
    },
  }
}
