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

/**
 * Tests the battery of the UPS by command and by schedule, even without a network: once in each window, and once more
 * when a restart has cut the test short.
 */
export interface BatteryTests {
  /** Throws `HardwareError` with the reason why no test begins. */
  begin(): Promise<void>
  /** Begins a test when the schedule asks for it and nothing prevents it. @returns whether it did */
  follow(timeZone: string, reading: UpsReading | undefined): Promise<boolean>
  /** Adds the beginning of the last test and its interruption, where the UPS does not report them. */
  withLast(timeZone: string, reading: UpsReading): UpsReading
}

export function createBatteryTests(deps: {
  readonly hardware: Pick<Hardware, 'ups'>
  readonly schedule: () => BatteryTestSchedule | null
  readonly store: Kept
  readonly now: () => number
  readonly say: (msg: string) => void
}): BatteryTests {
  const { hardware, store, now } = deps
  let begunAtMs = Number(store.remembered(REMEMBERED_AS) ?? Number.NaN)
  let run: Run = { state: 'over', tries: 0, ...JSON.parse(store.remembered(RUN_REMEMBERED_AS) ?? '{}') }
  /** This program was started while a test ran, which may have ended with it. */
  const mayBeCut = run.state === 'running'

  const keepRun = (next: Run) => {
    if (next.state === run.state && next.tries === run.tries) return
    run = next
    store.remember(RUN_REMEMBERED_AS, JSON.stringify(run))
  }

  const settle = ({ battery_test_result: result }: UpsReading) => {
    if (run.state !== 'running' || result === 'running') return
    const hasResult = result !== undefined && result !== 'aborted'
    // A UPS may still report the result of the test before while it does not report that it is testing.
    if (hasResult && now() - begunAtMs >= TEST_TAKES_MS) keepRun({ ...run, state: 'over' })
    else if (!hasResult && mayBeCut) {
      keepRun({ ...run, state: 'interrupted' })
      deps.say('The battery test was interrupted, because the device was restarted.')
    }
  }

  const ask = async (ups: Ups, tries: number) => {
    if (!ups.testBattery) throw new HardwareError('This UPS cannot be asked to test its battery.')
    const obstacle = batteryTestObstacle((await ups.read()) ?? {})
    if (obstacle !== undefined) throw new HardwareError(obstacle)
    const sinceMs = now() - begunAtMs
    if (sinceMs >= 0 && sinceMs < TEST_TAKES_MS) throw new HardwareError('A battery test began less than a minute ago.')
    // The test is on disk before the hardware is asked, so that it is not repeated after a kill.
    begunAtMs = now()
    store.remember(REMEMBERED_AS, String(begunAtMs))
    keepRun({ state: 'running', tries })
    await ups.testBattery()
  }

  return {
    begin: async () => {
      const ups = hardware.ups()
      if (!ups) throw new HardwareError('This device has no UPS.')
      await ask(ups, 1)
    },
    follow: async (timeZone, reading) => {
      if (reading) settle(reading)
      const schedule = deps.schedule()
      const window = schedule && testWindowAt(schedule, timeZone, new Date(now()))
      if (!window) return false
      const isTested = begunAtMs >= window.from.getTime()
      const isOld = now() - begunAtMs >= TEST_TAKES_MS
      const isRepeated = isTested && isOld && run.state === 'interrupted' && run.tries < MOST_TRIES
      if (isTested && !isRepeated) return false
      const ups = hardware.ups()
      if (!ups?.testBattery || batteryTestObstacle(reading ?? {}) !== undefined) return false
      try {
        await ask(ups, isRepeated ? run.tries + 1 : 1)
        deps.say(
          isRepeated ? 'The battery test of the schedule is repeated.' : 'The battery test of the schedule began.',
        )
        return true
      } catch (error) {
        if (!(error instanceof HardwareError)) throw error
        if (begunAtMs >= window.from.getTime()) deps.say(`The battery test of the schedule failed: ${error.message}`)
        return false
      }
    },
    withLast: (timeZone, reading) => {
      if (Number.isNaN(begunAtMs)) return reading
      const { date, time } = wallClock(new Date(begunAtMs), timeZone)
      return {
        battery_test_at: `${date} ${time}`,
        ...(run.state === 'interrupted' && { battery_test_result: 'interrupted' }),
        // The report of the UPS counts, unless it aborted the test together with the device.
        ...(run.state === 'interrupted' && reading.battery_test_result === 'aborted'
          ? { ...reading, battery_test_result: 'interrupted' }
          : reading),
      }
    },
  }
}
