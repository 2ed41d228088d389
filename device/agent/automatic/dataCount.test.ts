import { expect, test } from 'vitest'
import type { NetworkSwitches } from '#device/hardware/hardware.ts'
import type { DataBudget } from '#domain/dataBudget/dataUse.ts'
import { createDataCount } from './dataCount.ts'

const MEGABYTE = 1_000_000

/** Provides a router whose counter the test moves, and a disk that survives the client. */
function rig() {
  const disk = new Map<string, string>()
  const at = { ms: Date.parse('2026-11-20T10:00Z'), counterBytes: (5 * MEGABYTE) as number | undefined, writes: 0 }
  const budget: { now: DataBudget | null } = { now: { megabytes: 100, billingDay: 21 } }
  const begin = () =>
    createDataCount({
      hardware: {
        networkSwitches: () => ({ trafficBytes: async () => at.counterBytes }) as unknown as NetworkSwitches,
      },
      budget: () => budget.now,
      store: {
        remembered: (name) => disk.get(name),
        remember: (name, value) => {
          at.writes++
          disk.set(name, value)
        },
      },
      now: () => at.ms,
    })
  return { at, budget, begin }
}

test('use is counted from the counter of the router through its restarts and those of the client, up to the billing day', async () => {
  const { at, begin } = rig()
  const first = begin()
  const look = async (count: typeof first, ms: number, counterBytes: number | undefined) => {
    at.ms += ms
    at.counterBytes = counterBytes
    await count.follow('UTC')
    return count.withUse({ port1_status: 1 })
  }
  expect(await look(first, 0, 5 * MEGABYTE)).toEqual({ port1_status: 1, data_used: 0, data_used_percent: 0 })
  expect(await look(first, 5000, 45 * MEGABYTE)).toMatchObject({ data_used: 40, data_used_percent: 40 })
  // The router does not answer, and then it has restarted.
  expect(await look(first, 5000, undefined)).toMatchObject({ data_used: 40 })
  expect(await look(first, 5000, 50 * MEGABYTE)).toMatchObject({ data_used: 45 })
  expect(await look(first, 5000, 2 * MEGABYTE)).toMatchObject({ data_used: 47 })
  // The client ends before this is kept, while the router goes on.
  expect(await look(first, 5000, 10 * MEGABYTE)).toMatchObject({ data_used: 55 })
  expect(await look(begin(), 5000, 53 * MEGABYTE)).toMatchObject({ data_used: 98, data_used_percent: 98 })
  expect(await look(begin(), 86_400_000, 54 * MEGABYTE)).toMatchObject({ data_used: 1, data_used_percent: 1 })
})

test('without a budget nothing is counted and nothing told; the disk is written once a minute', async () => {
  const { at, budget, begin } = rig()
  const wanted = budget.now
  budget.now = null
  const count = begin()
  await count.follow('UTC')
  expect([count.withUse({ port1_status: 1 }), at.writes]).toEqual([{ port1_status: 1 }, 0])
  budget.now = wanted
  for (let look = 0; look < 13; look++) {
    await count.follow('UTC')
    at.ms += 5000
    at.counterBytes = (at.counterBytes ?? 0) + 1000
  }
  expect(at.writes).toBe(2)
})
