import type { DeviceId } from '#domain/ids.ts'
import { short } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { notFound } from '#server/http/call/callError.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface VisibleDevices {
  /** @throws CallError `not_found` unless every one of these exists within the scope */
  readonly require: (scope: Scope, deviceIds: readonly DeviceId[]) => Promise<void>
}

const EXISTING = 'select from device where id = any ($1::integer[]) and deleted_at is null'

/** What calls about stored reports ask before they read any: those tables know devices, but not whose they are. */
export function createVisibleDevices(queryable: Queryable): VisibleDevices {
  return {
    require: async (scope, deviceIds) => {
      const asked = [...new Set(deviceIds)]
      const { rowCount } = await queryable.query(
        scope.kind === 'everything'
          ? short(EXISTING, [asked])
          : short(`${EXISTING} and customer_id = $2`, [asked, scope.customerId]),
      )
      if (rowCount !== asked.length) throw notFound()
    },
  }
}
