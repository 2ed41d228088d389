import { expect, test } from 'vitest'
import type { ReportedComponent } from '#domain/components/standardComponents.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { entryTopic } from './lookAround.ts'
import type { Outbox } from './outbox.ts'
import { createReporter } from './reporter.ts'

test('a clock that is set back or forwards moves the times of reports, not their rhythm', async () => {
  const recorded: number[] = []
  const record: Outbox['record'] = async (_topic, wallMs) => void recorded.push(wallMs)
  const reporter = createReporter({ record } as Outbox)
  const component = { topic: 'ups', number: 1 } as ReportedComponent
  const readings = new Map([[entryTopic(component), { load: 5 }]])
  const look = (wallMs: number, steadyMs: number) => reporter.report([component], readings, { wallMs, steadyMs })
  await look(10 * HOUR_MS, 0)
  await look(12 * HOUR_MS, 30_000)
  expect(recorded).toEqual([10 * HOUR_MS])
  await look(8 * HOUR_MS, 60_000)
  expect(recorded).toEqual([10 * HOUR_MS, 8 * HOUR_MS])
})
