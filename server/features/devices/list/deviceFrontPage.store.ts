import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { DeviceSortColumn } from '#contract/call/listOptions.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { short } from '#server/db/prepared.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import { type CountedDevices, fleetCount } from '#server/fleet/fleetCounts.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import type { PageRequest } from '#server/http/reading/pages.ts'

/** People and programs ask for these sizes; one more row tells whether there is another page. */
const SIZES: readonly number[] = [25, 50, 100].map((rows) => rows + 1)
/** An index has the order of each of these. */
const SORTS: readonly DeviceSortColumn[] = ['name', 'address']

/** The first page of all devices needs few statements, so they are planned once and run beside the session's check. */
export function createDeviceFrontPage(db: Db, pool: pg.Pool) {
  async function asked<Row extends object>(question: RawBuilder<Row>): Promise<Row | undefined> {
    const { sql: text, parameters } = question.compile(db)
    return (await pool.query<Row>(short(text, [...parameters]))).rows[0]
  }

  return {
    isOne: (sort: DeviceSortColumn, { after, skip, size }: PageRequest<unknown>): boolean =>
      after === undefined && skip === 0 && SIZES.includes(size) && SORTS.includes(sort),

    /** @param size stands in the text as a literal: for an unknown limit a generic plan expects a tenth of the fleet */
    ids: async (scope: Scope, orderBy: RawBuilder<unknown>, size: number): Promise<readonly DeviceId[]> => {
      const page = await asked(sql<{ ids: DeviceId[] }>`
        select array(select device.id from device where ${deviceExists(scope)} order by ${orderBy} limit ${sql.lit(size)}) as ids`)
      return page?.ids ?? []
    },

    /** Reads counts that are maintained with every change. */
    count: async (scope: Scope, counted: CountedDevices): Promise<number> =>
      (await asked(fleetCount(scope, counted)))?.devices ?? 0,
  }
}

export type DeviceFrontPage = ReturnType<typeof createDeviceFrontPage>
