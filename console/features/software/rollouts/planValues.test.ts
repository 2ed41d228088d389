import { expect, test } from 'vitest'
import { readAddress } from '#console/router/useAddress.ts'
import { releaseListOf } from '#console/testing/releaseOf.ts'
import { createClientUpdate } from '#contract/http/software/rollouts.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { MOST_WAVES } from '#domain/rollouts/wavePlan.ts'
import { createBody, firstPlan, newerThan, percentBounds, withOneMoreWave } from './planValues.ts'

test('a fresh plan is careful: one device first, then waves, halting at 5 %', () => {
  const body = createClientUpdate.body.parse(createBody(firstPlan(3, undefined)))
  expect(body).toMatchObject({
    releaseId: 3,
    choice: {},
    firstGroup: 1,
    wavePercents: [10, 50, 100],
    haltFailurePercent: 5,
    downgradeMeant: false,
  })
})

test('every choice that was made is sent, and no other', () => {
  const plan = {
    ...firstPlan(3, [8, 9] as DeviceId[]),
    customerId: 4 as CustomerId,
    modelId: 16 as DeviceModelId,
    firstGroup: 'devices' as const,
    firstDeviceIds: [9] as DeviceId[],
    wavePercents: [],
    isDowngradeMeant: true,
  }
  expect(createBody(plan)).toMatchObject({
    choice: { customerId: 4, modelId: 16, deviceIds: [8, 9] },
    firstGroup: [9],
    wavePercents: [100],
    downgradeMeant: true,
  })
})

test('shares keep rising whatever is added or changed, and the server takes as many as can be added', () => {
  let percents: readonly number[] = []
  for (let more = withOneMoreWave(percents); more !== percents; more = withOneMoreWave(percents)) percents = more
  expect(percents.length).toBeLessThanOrEqual(MOST_WAVES)
  expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  expect(new Set(percents).size).toBe(percents.length)
  expect(percents.at(-1)).toBeLessThan(100)
  expect(percentBounds([10, 50], 0)).toEqual({ min: 1, max: 49 })
  expect(percentBounds([10, 50], 1)).toEqual({ min: 11, max: 99 })
})

test('the newest is no downgrade, any older one is', () => {
  const { rows } = releaseListOf('1.10.0', '1.9.0')
  expect(newerThan(rows, 2)).toBeUndefined()
  expect(newerThan(rows, 1)?.version).toBe('1.10.0')
})

test('devices of an address are read leniently', () => {
  const devicesInAddress = (devices: unknown) => readAddress('/device-software/rollouts/new', { devices }).devices
  expect(devicesInAddress('3,1,3,x,-4,0,9999999999')).toEqual([3, 1])
  expect(devicesInAddress(7)).toEqual([7])
  for (const nothing of [undefined, '', 'x', ['1'], {}]) expect(devicesInAddress(nothing)).toBeUndefined()
})
