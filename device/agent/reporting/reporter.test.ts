import { expect, test } from 'vitest'
import { createPretendHardware } from '#device/hardware/pretend/pretendHardware.ts'
import {
  type ReportedComponent,
  reportedComponents,
  standardComponents,
} from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { Outbox } from '../store/Outbox.ts'
import { entryTopic, readHardware } from './readHardware.ts'
import { createReporter } from './reporter.ts'

test('a clock that is set back or forwards moves the times of reports, not their rhythm', async () => {
  const recorded: number[] = []
  const record: Outbox['record'] = async (_topic, wallMs) => void recorded.push(wallMs)
  const reporter = createReporter({ record })
  const component = { topic: 'ups', number: 1 } as ReportedComponent
  const readings = new Map([[entryTopic(component), { load: 5 }]])
  const look = (wallMs: number, steadyMs: number) => reporter.report([component], readings, { wallMs, steadyMs })
  await look(10 * HOUR_MS, 0)
  await look(12 * HOUR_MS, 30_000)
  expect(recorded).toEqual([10 * HOUR_MS])
  await look(8 * HOUR_MS, 60_000)
  expect(recorded).toEqual([10 * HOUR_MS, 8 * HOUR_MS])
})

test('a reading that a driver still holds is told once, at its own time, and beside it what others see now', async () => {
  const recorded: [number, object][] = []
  const record: Outbox['record'] = async (_topic, wallMs, payload) => {
    recorded.push([wallMs, (payload(new Date(0)) as { values: object }).values])
  }
  const reporter = createReporter({ record })
  const component = { topic: 'ups', number: 1 } as ReportedComponent
  const slow = { load: 5 }
  const look = (wallMs: number, temp: number, held: { load?: number }, takenAgoMs: number) =>
    reporter.report([component], new Map([['events/ups', { ...held, temp }]]), { wallMs, steadyMs: wallMs }, () => [
      { source: 'slow', values: held, takenAgoMs },
      { source: 'quick', values: { temp, load: 99 }, takenAgoMs: 0 },
    ])
  await look(100_000, 20, slow, 30_000)
  await look(105_000, 25, slow, 35_000)
  await look(160_000, 25, slow, 90_000)
  await look(165_000, 25, { load: 5 }, 40_000)
  expect(recorded).toEqual([
    [70_000, { load: 5 }],
    [100_000, { temp: 20 }],
    [105_000, { temp: 25 }],
    [160_000, { temp: 25 }],
    [125_000, { load: 5 }],
  ])
})

test('of the looks between two full reports most have nothing to say: sensors breathe, which is no news', async () => {
  const modelId = 2 as DeviceModelId
  const components = standardComponents(modelId)
  let wallMs = Date.UTC(2026, 4, 6, 9)
  const hardware = createPretendHardware({
    place: { seed: 7, latitude: 47, longitude: 8 },
    fitting: { modelId, components },
    faults: [],
    clientVersion: '1.0.0',
    now: () => wallMs,
    switchingMs: 0,
  })
  const told = new Set<number>()
  const record: Outbox['record'] = async (_topic, atMs) => void told.add(atMs)
  const reporter = createReporter({ record })
  const reported = reportedComponents(modelId, components)
  const [minutes, looksAMinute] = [10, 12]
  for (let look = 0; look < minutes * looksAMinute; look++) {
    const readings = await readHardware(hardware, reported, (error) => expect.unreachable(error.message))
    await reporter.report(reported, readings, { wallMs, steadyMs: wallMs })
    wallMs += MINUTE_MS / looksAMinute
  }
  expect(told.size).toBeGreaterThanOrEqual(minutes)
  expect(told.size).toBeLessThan((minutes * looksAMinute) / 4)
})
