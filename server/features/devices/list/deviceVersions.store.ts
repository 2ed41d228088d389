import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnswerOf } from '#contract/call/call.ts'
import type { listClientVersions } from '#contract/http/devices/details.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** What is asked of the clients of devices; of no versions: nothing is found. */
export type ClientRequest =
  | { readonly kind: 'runs'; readonly versions: readonly string[] }
  | { readonly kind: 'unknown' }

/** SQL: rows of `device_now`, of which each device has one, whose clients run one of these, or nobody knows what. */
const saying = (asked: ClientRequest): RawBuilder<SqlBool> =>
  asked.kind === 'runs' ? sql`n.client_version = any (${[...asked.versions]}::text[])` : sql`n.client_version is null`

/** In a statement that knows `device`: its client runs one of these, or nobody knows what. */
export const runs = (asked: ClientRequest): RawBuilder<SqlBool> =>
  sql`device.id in (select n.device_id from device_now n where ${saying(asked)})`

/** SQL: so is it of more than so many clients. */
export const moreRun = (asked: ClientRequest, most: number): RawBuilder<boolean> =>
  sql`(select count(*) > ${most} from (select from device_now n where ${saying(asked)} limit ${most + 1}) counted)`

/** SQL: the devices of which that is so, of all customers. Those that were deleted are few, and have an index. */
export const clientsThat = (asked: ClientRequest): RawBuilder<unknown> =>
  sql`select n.device_id from device_now n where ${saying(asked)}
    and not exists (select from device gone where gone.id = n.device_id and gone.deleted_at is not null)`

/** What any client of the fleet says that it is. */
export async function knownVersions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`select version from client_versions() version`.execute(db)
  return rows.map(({ version }) => version)
}

/** How many devices of a scope run each. */
export async function versionsIn(db: Db, scope: Scope): Promise<AnswerOf<typeof listClientVersions>> {
  const { rows } = await sql<AnswerOf<typeof listClientVersions>[number]>`
    select n.client_version as version, count(*)::int as devices
    from device left join device_now n on n.device_id = device.id
    where ${deviceExists(scope)} group by 1`.execute(db)
  return rows
}
