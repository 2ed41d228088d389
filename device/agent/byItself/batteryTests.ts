import { type Hardware, HardwareError, type Ups } from '#device/hardware/hardware.ts'
import type { UpsReading } from '#device/hardware/readings.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { type BatteryTestSchedule, batteryTestObstacle, testWindowAt } from '#domain/ups/batteryTest.ts'
import type { Kept } from './levelsBefore.ts'

const REMEMBERED_AS = 'batteryTestAt'
/** Until then a UPS may not say yet that it is testing. */
const TEST_TAKES_MS = 60_000

/** Tests of the battery of the UPS, by command and by schedule, without a network too: at most one in each window. */
export interface BatteryTests {
  /** Throws `HardwareError` with the reason why no test begins. */
  begin(): Promise<void>
  /** Begins one when the schedule asks for it and nothing speaks against it. @returns whether it did */
  follow(timeZone: string, reading: UpsReading | undefined): Promise<boolean>
  /** When the last test began, where the UPS does not say it itself. */
  withLast(timeZone: string, reading: UpsReading): UpsReading
}

export function createBatteryTests(needs: {
  readonly hardware: Pick<Hardware, 'ups'>
  readonly schedule: () => BatteryTestSchedule | null
  readonly store: Kept
  readonly now: () => number
  readonly say: (msg: string) => void
}): BatteryTests {
  const { hardware, store, now } = needs
  let begunAtMs = Number(store.remembered(REMEMBERED_AS) ?? Number.NaN)

  const ask = async (ups: Ups) => {
    if (!ups.testBattery) throw new HardwareError('This UPS cannot be asked to test its battery.')
    const obstacle = batteryTestObstacle((await ups.read()) ?? {})
    if (obstacle !== undefined) throw new HardwareError(obstacle)
    const sinceMs = now() - begunAtMs
    if (sinceMs >= 0 && sinceMs < TEST_TAKES_MS) throw new HardwareError('A battery test began less than a minute ago.')
    // On disk before the hardware is asked: after a kill it is not tested again.
    begunAtMs = now()
    store.remember(REMEMBERED_AS, String(begunAtMs))
    await ups.testBattery()
  }

  return {
    begin: async () => {
      const ups = hardware.ups()
      if (!ups) throw new HardwareError('This device has no UPS.')
      await ask(ups)
    },
    follow: async (timeZone, reading) => {
      const schedule = needs.schedule()
      const window = schedule && testWindowAt(schedule, timeZone, new Date(now()))
      if (!window || begunAtMs >= window.from.getTime()) return false
      const ups = hardware.ups()
      if (!ups?.testBattery || batteryTestObstacle(reading ?? {}) !== undefined) return false
      try {
        await ask(ups)
        needs.say('The battery test of the schedule began.')
        return true
      } catch (error) {
        if (!(error instanceof HardwareError)) throw error
        if (begunAtMs >= window.from.getTime()) needs.say(`The battery test of the schedule failed: ${error.message}`)
        return false
      }
    },
    withLast: (timeZone, reading) => {
      if (reading.battery_test_at !== undefined || Number.isNaN(begunAtMs)) return reading
      const { date, time } = wallClock(new Date(begunAtMs), timeZone)
      return { ...reading, battery_test_at: `${date} ${time}` }
    },
  }
}
