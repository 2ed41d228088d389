import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { notFound } from '#server/http/call/callError.ts'
import type { Scope } from '#server/http/call/caller.ts'

const EXISTING = 'select id from device where id = any ($1::integer[]) and deleted_at is null'

/**
 * Calls about stored reports check devices first: those tables know devices, but not whose they are.
 *
 * @throws CallError `not_found` unless every one of these exists within the scope
 */
export async function requireVisible(
  queryable: Queryable,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<void> {
  const asked = [...new Set(deviceIds)]
  if ((await existing(queryable, scope, asked)).length !== asked.length) throw notFound()
}

/**
 * Returns those that exist within the scope: one that was deleted or moved away does not affect the others.
 *
 * @throws CallError `not_found` when none does
 */
export async function visibleAmong(
  queryable: Queryable,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlySet<DeviceId>> {
  const found = new Set((await existing(queryable, scope, [...new Set(deviceIds)])).map(({ id }) => id))
  if (found.size === 0) throw notFound()
  return found
}

async function existing(queryable: Queryable, scope: Scope, asked: readonly DeviceId[]) {
  const { rows } = await queryable.query<{ id: DeviceId }>(
    scope.kind === 'everything'
      ? { text: EXISTING, values: [asked] }
      : { text: `${EXISTING} and customer_id = $2`, values: [asked, scope.customerId] },
  )
  return rows
}
