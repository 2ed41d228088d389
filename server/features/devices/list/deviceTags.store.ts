import { sql } from 'kysely'
import type { AnswerOf } from '#contract/call/call.ts'
import type { listDeviceTags } from '#contract/http/devices/details.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** Nobody chooses from more tags by looking at a list; further ones can be typed. */
const MOST_READ = 5_000

type UsedTag = AnswerOf<typeof listDeviceTags>[number]

/** Reads the tags of a scope's devices with their counts, the most used first. */
export async function usedTags(db: Db, scope: Scope): Promise<UsedTag[]> {
  const { rows } = await sql<UsedTag>`
    select min(tag) as tag, count(*)::int as devices
    from (select unnest(device.tags) as tag, unnest(device.tag_keys) as key
      from device where ${deviceExists(scope)} and device.tags <> '{}') used
    group by key order by devices desc, key limit ${MOST_READ}`.execute(db)
  return rows
}
