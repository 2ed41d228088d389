import { expect, test } from 'vitest'
import type { Hardware } from '#device/hardware/hardware.ts'
import { createPretendHardware } from '#device/hardware/pretend/pretendHardware.ts'
import { GUID, openTestStore, temporaryFolder } from '#device/testing/testAgent.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { BatteryTests } from './BatteryTests.ts'

const MODEL = 1 as DeviceModelId
const ZONE = 'Europe/Berlin'
const NIGHTLY_MONDAY = { every: 'week', weekday: 0, from: '03:00', to: '05:00' } as const

/** Starts a device whose samples the test requests one by one; its folder survives it. */
function begin({ folder = temporaryFolder(), faults = [] as Parameters<typeof createPretendHardware>[0]['faults'] }) {
  let nowMs = 0
  const begun: string[] = []
  const pretend = createPretendHardware({
    place: { seed: 5, latitude: 48, longitude: 11 },
    fitting: { modelId: MODEL, components: [...standardComponents(MODEL)] },
    faults,
    clientVersion: '1.2.3',
    now: () => nowMs,
    switchingMs: 0,
  })
  const hardware: Hardware = {
    ...pretend,
    ups: () => {
      const ups = pretend.ups()
      return (
        ups && {
          ...ups,
          testBattery: async () => {
            begun.push(new Date(nowMs).toISOString())
            await ups.testBattery?.()
          },
        }
      )
    },
  }
  const store = openTestStore(folder)
  const said: string[] = []
  const tests = new BatteryTests({
    ...{
      hardware,
      schedule: () => NIGHTLY_MONDAY,
      store: store.device(GUID),
      now: () => nowMs,
      say: (msg) => said.push(msg),
    },
  })
  const look = async (utc: string) => {
    nowMs = Date.parse(`${utc}Z`)
    await tests.follow(ZONE, await hardware.ups()?.read())
    return tests.withLast(ZONE, (await hardware.ups()?.read()) ?? {})
  }
  return { folder, look, begun, said, tests, close: () => store.close() }
}

test('the battery is tested once in each window by the clock of the device, also when it was started again in it', async () => {
  const device = begin({})
  await device.look('2026-07-13T00:59')
  expect(device.begun).toEqual([])
  // It is Monday, 03:00 in Berlin.
  expect(await device.look('2026-07-13T01:00')).toMatchObject({ battery_test_result: 'running' })
  expect(await device.look('2026-07-13T01:01')).toMatchObject({
    ...{ battery_test_result: 'passed', battery_test_at: '2026-07-13 03:00' },
  })
  device.close()
  const again = begin({ folder: device.folder })
  expect(await again.look('2026-07-13T02:30')).toMatchObject({ battery_test_at: '2026-07-13 03:00' })
  await again.look('2026-07-14T01:30')
  expect(again.begun).toEqual([])
  await again.look('2026-07-20T01:10')
  expect(again.begun).toEqual(['2026-07-20T01:10:00.000Z'])
  again.close()
})

test('with the mains away and with a battery that is not full nothing begins, and it does in the same window when it may', async () => {
  // There is no mains power until 03:20 in Berlin, and the battery recharges afterwards.
  const minutes = Date.parse('2026-07-13T01:00Z') / 60_000
  const everyMinutes = 30_000
  const phaseMinutes = minutes % everyMinutes
  const device = begin({ faults: [{ kind: 'onBattery', everyMinutes, forMinutes: 20, phaseMinutes }] })
  for (const utc of ['2026-07-13T01:00', '2026-07-13T01:19', '2026-07-13T01:21']) await device.look(utc)
  expect(device.begun).toEqual([])
  await expect(device.tests.begin()).rejects.toThrow(/^The battery is at \d+ %\. It is tested from 90 % on\.$/)
  await device.look('2026-07-13T02:50')
  expect(device.begun).toEqual(['2026-07-13T02:50:00.000Z'])
  device.close()
})

test('a battery that is worn out is found by its test, and no second one begins while the first runs', async () => {
  const everyMinutes = 60
  const device = begin({ faults: [{ kind: 'batteryWorn', everyMinutes, forMinutes: everyMinutes, phaseMinutes: 0 }] })
  expect(await device.look('2026-07-14T12:00')).not.toHaveProperty('battery_test_result')
  await device.tests.begin()
  await expect(device.tests.begin()).rejects.toThrow('A battery test is running.')
  expect(await device.look('2026-07-14T12:01')).toMatchObject({ battery_test_result: 'failed' })
  expect(device.begun).toHaveLength(1)
  device.close()
})

test('a test that a restart cut short is said to be interrupted, and repeated in its window, once', async () => {
  const device = begin({})
  expect(await device.look('2026-07-13T01:00:00')).toMatchObject({ battery_test_result: 'running' })
  device.close()
  // The device was restarted, so the test that the UPS had begun is lost.
  const again = begin({ folder: device.folder })
  expect(await again.look('2026-07-13T01:00:20')).toMatchObject({
    ...{ battery_test_result: 'interrupted', battery_test_at: '2026-07-13 03:00' },
  })
  expect(again.begun).toEqual([])
  expect(again.said).toEqual(['The battery test was interrupted, because the device was restarted.'])
  expect(await again.look('2026-07-13T01:05:00')).toMatchObject({
    ...{ battery_test_result: 'running', battery_test_at: '2026-07-13 03:05' },
  })
  expect(again.said.at(-1)).toBe('The battery test of the schedule is repeated.')
  again.close()
  const third = begin({ folder: device.folder })
  expect(await third.look('2026-07-13T01:05:30')).toMatchObject({ battery_test_result: 'interrupted' })
  await third.look('2026-07-13T01:30:00')
  // A device that restarts again and again must not empty its battery.
  expect(third.begun).toEqual([])
  // The next window allows a new test.
  expect(await third.look('2026-07-20T01:10:00')).toMatchObject({ battery_test_result: 'running' })
  expect(await third.look('2026-07-20T01:12:00')).toMatchObject({ battery_test_result: 'passed' })
  third.close()
  const fourth = begin({ folder: device.folder })
  expect(await fourth.look('2026-07-20T01:20:00')).toMatchObject({ battery_test_at: '2026-07-20 03:10' })
  expect(fourth.begun).toEqual([])
  fourth.close()
})
