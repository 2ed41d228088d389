import { expect, test } from 'vitest'
import { driverReport } from '#contract/mqtt/drivers.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { createPretendHardware } from './pretendHardware.ts'

const NOW = Date.parse('2026-11-20T12:00Z')

function pretend(modelId: number, faults: Parameters<typeof createPretendHardware>[0]['faults'] = []) {
  const fitting = { modelId, components: [...standardComponents(modelId as DeviceModelId)] }
  const place = { seed: 1, latitude: 48.1, longitude: 11.6 }
  return createPretendHardware({
    ...{ place, fitting, faults, clientVersion: '1.0.0' },
    now: () => NOW,
    switchingMs: 0,
  })
}

test.each([1, 15, 22])('a made-up device of model %i says of each of its parts that it is pretend', (modelId) => {
  const told = pretend(modelId).drivers?.told()
  const known = driverReport.parse({ clientVersion: '1.0.0', ...told })
  expect(known.parts.map(({ part }) => part)).toEqual(expect.arrayContaining(['device', 'display', 'ups']))
  expect(new Set(known.parts.flatMap(({ drivers }) => drivers))).toEqual(new Set(['pretend']))
})

test('a test says what it pretends, and of what does not answer that this is pretended too', async () => {
  const test = (part: Parameters<NonNullable<ReturnType<typeof pretend>['drivers']>['test']>[0], faults = pretend(1)) =>
    faults.drivers?.test(part)
  expect(await test({ topic: 'ups', number: 1 })).toMatch(
    /^This part is pretend\. It says: UPS status On power grid, UPS battery \d+(\.\d+)? %, /,
  )
  const silent = 'This part is pretend, and pretends not to answer.'
  await expect(test({ topic: 'camera', number: 1 })).rejects.toThrow(silent)
  const unreachable = pretend(1, [{ kind: 'displayUnreachable', everyMinutes: 1, forMinutes: 1, phaseMinutes: 0 }])
  await expect(test({ topic: 'display', number: 1 }, unreachable)).rejects.toThrow(silent)
})
