import type pg from 'pg'
import { type DayTable, detach } from '#server/db/partitions/oldPartitions.ts'
import { LOCK_TIMEOUT } from '#server/db/partitions/partitions.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import { rowsOfType } from '#server/telemetry/ingress/rowLayout.ts'
import { moveToLateSql } from './lateReadings.ts'

/**
 * Drops the partition of a closed day. Somebody who read on when the day was closed may have written to it until it was
 * detached, so it is looked through once more, when nobody can write to it any longer.
 *
 * @param isNewer SQL condition about the row `r`
 */
export async function dropDay(
  owner: pg.ClientBase,
  layouts: readonly EventLayout[],
  table: DayTable,
  isNewer: string,
): Promise<void> {
  if (table.state !== 'detached') await detach(owner, table)
  await transactionOn(owner, async () => {
    await owner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await owner.query(`lock table ${table.name} in access exclusive mode`)
    for (const layout of layouts) {
      await owner.query(moveToLateSql(layout, rowsOfType(layout, [table.name]), isNewer))
    }
    await owner.query(`drop table ${table.name}`)
  })
}
