import { sql } from 'kysely'
import type { DeviceId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { CallError } from '../call/callError.ts'
import type { Caller } from '../call/caller.ts'

/** Two displays at one place are changed without a fresh proof; a third shows that somebody reaches further. */
const MOST_DEVICES = 2
const WITHIN_MINUTES = 15

/**
 * Counts a device that somebody is about to change without a fresh proof of identity.
 * @returns false when they have changed two others within the last 15 minutes; then nothing is counted
 */
export type CountUnproved = (userId: UserId, deviceId: DeviceId) => Promise<boolean>

interface Given {
  readonly query: unknown
  readonly body: unknown
}

/**
 * Finds the one device that a call with `stepUp: 'ofSeveral'` changes. All rows of a list belong to the same device.
 */
function changedDevice({ query, body }: Given): DeviceId {
  const [first] = [body].flat()
  const named = { ...(query as object), ...(first as object) } as {
    readonly deviceId?: DeviceId
    readonly id?: DeviceId
  }
  const found = named.deviceId ?? named.id
  if (found === undefined) throw new Error('A call that counts devices names none.')
  return found
}

/** One statement in the database counts, so that neither parallel calls nor several processes let more pass. */
export function createUnprovedChanges(db: Db): CountUnproved {
  const others = (deviceId: DeviceId) => sql`from unnest(u.device_ids, u.changed_at) as other(id, at)
    where other.id <> ${deviceId}::int and other.at > now() - make_interval(mins => ${WITHIN_MINUTES}::int)`
  return async (userId, deviceId) => {
    const counted = await sql`
      insert into unproved_change as u (user_id, device_ids, changed_at)
      values (${userId}::int, array[${deviceId}::int], array[now()])
      on conflict (user_id) do update set (device_ids, changed_at) = (
        select array_agg(other.id) || excluded.device_ids, array_agg(other.at) || excluded.changed_at ${others(deviceId)})
      where (select count(*) ${others(deviceId)}) < ${MOST_DEVICES}::int
      returning 1`.execute(db)
    return counted.rows.length > 0
  }
}

/**
 * Lets a caller change a few displays without a fresh proof. The server counts them itself, because the thief of a
 * session would hide that there are many.
 * @throws CallError `step_up_required`
 */
export async function refuseSeveral(
  countUnproved: CountUnproved,
  { freshFactor, userId }: Pick<Caller, 'freshFactor' | 'userId'>,
  given: Given,
): Promise<void> {
  if (freshFactor || (await countUnproved(userId, changedDevice(given)))) return
  throw new CallError('step_up_required')
}
