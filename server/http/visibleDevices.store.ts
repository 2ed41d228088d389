import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from './callError.ts'
import type { Scope } from './caller.ts'

export interface VisibleDevices {
  /** @throws CallError `not_found` unless every one of these exists within the scope */
  readonly require: (scope: Scope, deviceIds: readonly DeviceId[]) => Promise<void>
}

/** What calls about stored reports ask before they read any: those tables know devices, but not whose they are. */
export function createVisibleDevices(db: Db): VisibleDevices {
  return {
    require: async (scope, deviceIds) => {
      const asked = [...new Set(deviceIds)]
      const found = await db
        .selectFrom('device')
        .select('id')
        .where('id', 'in', asked)
        .where('deleted_at', 'is', null)
        .$if(scope.kind === 'customer', (devices) =>
          devices.where('customer_id', '=', scope.kind === 'customer' ? scope.customerId : (0 as never)),
        )
        .execute()
      if (found.length < asked.length) throw notFound()
    },
  }
}
