import { type Hardware, HardwareError, type Ups } from '#device/hardware/hardware.ts'
import type { UpsReading } from '#device/hardware/readings.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { type BatteryTestSchedule, batteryTestObstacle, testWindowAt } from '#domain/ups/batteryTest.ts'
import type { Kept } from './levelsBefore.ts'

const REMEMBERED_AS = 'batteryTestAt'
const RUN_REMEMBERED_AS = 'batteryTestRun'
/** Limits the tests in one window: a device that restarts again and again must not empty its battery. */
const MOST_TRIES = 2
/** A UPS may not report before then that it is testing. */
const TEST_TAKES_MS = 60_000

interface Run {
  readonly state: 'running' | 'interrupted' | 'over'
  /** Counts the tests in its window, this one included. */
  readonly tries: number
}

interface BatteryTestsDeps {
  readonly hardware: Pick<Hardware, 'ups'>
  readonly schedule: () => BatteryTestSchedule | null
  readonly store: Kept
  readonly now: () => number
  readonly say: (msg: string) => void
}

/**
 * Tests the battery of the UPS by command and by schedule, even without a network: once in each window, and once more
 * when a restart has cut the test short.
 */
export class BatteryTests {
  readonly #deps: BatteryTestsDeps
  /** This program was started while a test ran, which may have ended with it. */
  readonly #mayBeCut: boolean
  #begunAtMs: number
  #run: Run

  constructor(deps: BatteryTestsDeps) {
    const { store } = deps
    this.#deps = deps
    this.#begunAtMs = Number(store.remembered(REMEMBERED_AS) ?? Number.NaN)
    this.#run = { state: 'over', tries: 0, ...JSON.parse(store.remembered(RUN_REMEMBERED_AS) ?? '{}') }
    this.#mayBeCut = this.#run.state === 'running'
  }

  /** Throws `HardwareError` with the reason why no test begins. */
  async begin(): Promise<void> {
    const ups = this.#deps.hardware.ups()
    if (!ups) throw new HardwareError('This device has no UPS.')
    await this.#ask(ups, 1)
  }

  /** Begins a test when the schedule asks for it and nothing prevents it. @returns whether it did */
  async follow(timeZone: string, reading: UpsReading | undefined): Promise<boolean> {
    if (reading) this.#settle(reading)
    const schedule = this.#deps.schedule()
    const window = schedule && testWindowAt(schedule, timeZone, new Date(this.#deps.now()))
    if (!window) return false
    const isTested = this.#begunAtMs >= window.from.getTime()
    const isOld = this.#sinceBeginMs() >= TEST_TAKES_MS
    const isRepeated = isTested && isOld && this.#run.state === 'interrupted' && this.#run.tries < MOST_TRIES
    if (isTested && !isRepeated) return false
    const ups = this.#deps.hardware.ups()
    if (!ups?.testBattery || batteryTestObstacle(reading ?? {}) !== undefined) return false
    return this.#testNow(ups, isRepeated, window.from)
  }

  /** Adds the beginning of the last test and its interruption, where the UPS does not report them. */
  withLast(timeZone: string, reading: UpsReading): UpsReading {
    if (Number.isNaN(this.#begunAtMs)) return reading
    const { date, time } = wallClock(new Date(this.#begunAtMs), timeZone)
    const isInterrupted = this.#run.state === 'interrupted'
    return {
      battery_test_at: `${date} ${time}`,
      ...(isInterrupted && { battery_test_result: 'interrupted' }),
      // The report of the UPS counts, unless it aborted the test together with the device.
      ...(isInterrupted && reading.battery_test_result === 'aborted'
        ? { ...reading, battery_test_result: 'interrupted' }
        : reading),
    }
  }

  async #testNow(ups: Ups, isRepeated: boolean, windowFrom: Date): Promise<boolean> {
    const { say } = this.#deps
    try {
      await this.#ask(ups, isRepeated ? this.#run.tries + 1 : 1)
      say(isRepeated ? 'The battery test of the schedule is repeated.' : 'The battery test of the schedule began.')
      return true
    } catch (error) {
      if (!(error instanceof HardwareError)) throw error
      if (this.#begunAtMs >= windowFrom.getTime()) say(`The battery test of the schedule failed: ${error.message}`)
      return false
    }
  }

  async #ask(ups: Ups, tries: number): Promise<void> {
    const { store, now } = this.#deps
    if (!ups.testBattery) throw new HardwareError('This UPS cannot be asked to test its battery.')
    const obstacle = batteryTestObstacle((await ups.read()) ?? {})
    if (obstacle !== undefined) throw new HardwareError(obstacle)
    const sinceMs = this.#sinceBeginMs()
    if (sinceMs >= 0 && sinceMs < TEST_TAKES_MS) throw new HardwareError('A battery test began less than a minute ago.')
    // The test is on disk before the hardware is asked, so that it is not repeated after a kill.
    this.#begunAtMs = now()
    store.remember(REMEMBERED_AS, String(this.#begunAtMs))
    this.#keepRun({ state: 'running', tries })
    await ups.testBattery()
  }

  #settle({ battery_test_result: result }: UpsReading): void {
    if (this.#run.state !== 'running' || result === 'running') return
    const hasResult = result !== undefined && result !== 'aborted'
    // A UPS may still report the result of the test before while it does not report that it is testing.
    if (hasResult && this.#sinceBeginMs() >= TEST_TAKES_MS) this.#keepRun({ ...this.#run, state: 'over' })
    else if (!hasResult && this.#mayBeCut) {
      this.#keepRun({ ...this.#run, state: 'interrupted' })
      this.#deps.say('The battery test was interrupted, because the device was restarted.')
    }
  }

  #keepRun(next: Run): void {
    if (next.state === this.#run.state && next.tries === this.#run.tries) return
    this.#run = next
    this.#deps.store.remember(RUN_REMEMBERED_AS, JSON.stringify(next))
  }

  /** NaN before the first test. */
  #sinceBeginMs(): number {
    return this.#deps.now() - this.#begunAtMs
  }
}
