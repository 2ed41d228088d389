import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnswerOf } from '#contract/call/call.ts'
import type { listClientVersions } from '#contract/http/devices/details.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** Asks for devices by their client's version. An empty list of versions matches nothing. */
export type ClientRequest =
  | { readonly kind: 'runs'; readonly versions: readonly string[] }
  | { readonly kind: 'unknown' }

/** SQL: rows of `device_now`, one for each device, whose client runs one of these versions or an unknown one. */
const saying = (asked: ClientRequest): RawBuilder<SqlBool> =>
  asked.kind === 'runs' ? sql`n.client_version = any (${[...asked.versions]}::text[])` : sql`n.client_version is null`

/** SQL for a statement that knows `device`: its client runs one of these versions, or an unknown one. */
export const runs = (asked: ClientRequest): RawBuilder<SqlBool> =>
  sql`device.id in (select n.device_id from device_now n where ${saying(asked)})`

/** SQL: whether more than so many clients match. */
export const moreRun = (asked: ClientRequest, most: number): RawBuilder<boolean> =>
  sql`(select count(*) > ${most} from (select from device_now n where ${saying(asked)} limit ${most + 1}) counted)`

/** SQL: the matching devices of all customers. The few deleted devices are excluded by an index. */
export const clientsThat = (asked: ClientRequest): RawBuilder<unknown> =>
  sql`select n.device_id from device_now n where ${saying(asked)}
    and not exists (select from device gone where gone.id = n.device_id and gone.deleted_at is not null)`

/** Reads every version that a client of the fleet reports. */
export async function knownVersions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`select version from client_versions() version`.execute(db)
  return rows.map(({ version }) => version)
}

export async function versionsIn(db: Db, scope: Scope): Promise<AnswerOf<typeof listClientVersions>> {
  const { rows } = await sql<AnswerOf<typeof listClientVersions>[number]>`
    select n.client_version as version, count(*)::int as devices
    from device left join device_now n on n.device_id = device.id
    where ${deviceExists(scope)} group by 1`.execute(db)
  return rows
}
