import { sql } from 'kysely'
import type { DeviceId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { CallError } from '../call/callError.ts'
import type { Caller } from '../call/caller.ts'

/** Two displays at one place are changed without being asked; whoever goes on to a third reaches far. */
const MOST_DEVICES = 2
const WITHIN_MINUTES = 15

/**
 * Counts a device that somebody is about to change without a fresh proof of who they are.
 *
 * @returns false where they have changed two others within the last 15 minutes: then nothing is counted
 */
export type CountUnproved = (userId: UserId, deviceId: DeviceId) => Promise<boolean>

interface Given {
  readonly query: unknown
  readonly body: unknown
}

/** The one device that a call with `stepUp: 'ofSeveral'` changes. Of a list all rows are of the same. */
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

/** In the database, in one statement: neither many calls at once nor several processes let more pass. */
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
 * One display is changed without being asked; a thief of a session would leave out what says that there are many.
 *
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
