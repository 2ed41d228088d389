import type pg from 'pg'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { settleDevices, sumCustomer } from './darkSums.ts'

const LOOK_EVERY_MS = 10_000
/** Checking this many takes some 30 ms. */
const DEVICES_AT_ONCE = 10_000

/**
 * Keeps the sums of dark minutes by customer and day up to date with the devices that count now, some devices at a
 * time. A new leader sums every customer once, because a process of an earlier version may have counted days without
 * the sums (docs/decisions/0209).
 */
export function darkSumsJob(): Job {
  let lead: AbortSignal | undefined
  let toSum: CustomerId[] = []
  let after = 0

  async function look(owner: pg.Client): Promise<void> {
    const { rows } = await owner.query<{ id: DeviceId }>('select id from device where id > $1 order by id limit $2', [
      after,
      DEVICES_AT_ONCE,
    ])
    const ids = rows.map(({ id }) => id)
    await settleDevices(owner, ids)
    after = ids.length === DEVICES_AT_ONCE ? (ids.at(-1) ?? 0) : 0
  }

  return {
    name: 'sums of dark minutes',
    everyMs: LOOK_EVERY_MS,
    async run(owner, _now, over) {
      if (lead !== over) toSum = await customers(owner, 'true')
      else if (toSum.length === 0) toSum = await customers(owner, 'id not in (select customer_id from dark_summed)')
      lead = over
      const [customerId] = toSum
      if (customerId === undefined) {
        await look(owner)
        return undefined
      }
      const beganAt = performance.now()
      await sumCustomer(owner, customerId)
      toSum.shift()
      return { againInMs: performance.now() - beganAt }
    },
  }
}

async function customers(owner: pg.Client, which: string): Promise<CustomerId[]> {
  const { rows } = await owner.query<{ id: CustomerId }>(`select id from customer where ${which} order by id`)
  return rows.map(({ id }) => id)
}
