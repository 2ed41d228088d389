import { type SqlBool, sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { ReleaseHeader } from '#domain/releases/header.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export interface StoredRelease {
  readonly id: number
  readonly version: string
  readonly bytes: number
  readonly sha256: string
  readonly uploadedAt: Date
  /** Null when the release was found in the folder. */
  readonly uploadedBy: string | null
  readonly deviceCount: number
  readonly openUpdateCount: number
}

export interface KnownRelease {
  readonly id: number
  readonly sha256: string
  readonly isBackTarget: boolean
}

export interface RefusedFile {
  readonly fileName: string
  readonly reason: string
  readonly refusedAt: Date
}

const IS_PRESENT = sql<SqlBool>`client_release.deleted_at is null`
const VERSION_COUNTS = sql`(select v.version, count(*)::int as devices
  from device d join device_version v on v.device_id = d.id where d.deleted_at is null group by 1)`

const COLUMNS = sql`client_release.id, client_release.version, client_release.bytes, client_release.sha256,
  client_release.uploaded_at as "uploadedAt", uploader.username as "uploadedBy",
  coalesce(running.devices, 0) as "deviceCount",
  (select count(*)::int from client_update u join client_rollout o on o.id = u.rollout_id
   where o.release_id = client_release.id
     and u.is_open) as "openUpdateCount"`

const RELEASES = sql`client_release left join app_user uploader on uploader.id = client_release.uploaded_by
  left join ${VERSION_COUNTS} running on running.version = client_release.version`

export async function listStoredReleases(db: Db | Tx): Promise<readonly StoredRelease[]> {
  const { rows } = await sql<StoredRelease>`select ${COLUMNS} from ${RELEASES} where ${IS_PRESENT}
    order by client_release.version_order desc`.execute(db)
  return rows
}

export async function findStoredRelease(transaction: Tx, id: number): Promise<StoredRelease | undefined> {
  const { rows } = await sql<StoredRelease>`select ${COLUMNS} from ${RELEASES}
    where ${IS_PRESENT} and client_release.id = ${id}`.execute(transaction)
  return rows[0]
}

/** Counts existing devices by the version that they last reported, the most frequent first. */
export async function countVersions(db: Db) {
  const { rows } = await sql<{ version: string | null; deviceCount: number }>`
    select version, devices as "deviceCount" from ${VERSION_COUNTS} running order by devices desc, version`.execute(db)
  return rows
}

/** Makes additions and removals of releases run one after the other, and keeps this release from being used meanwhile. */
export async function lockReleases(transaction: Tx, id = 0): Promise<void> {
  await sql`select ${sql.raw(lockUntilCommit('releases'))}`.execute(transaction)
  await sql`select from client_release where id = ${id} for update`.execute(transaction)
}

/** Removed releases count too: a removal must not open the way to an older version. */
export async function newestEver(transaction: Tx) {
  const { rows } = await sql<{ readonly version: string; readonly sha256: string }>`
    select version, sha256 from client_release order by version_order desc, id desc limit 1`.execute(transaction)
  return rows[0]
}

/** Tells whether a release with this program is `present` or was `removed`. */
export async function statusOfProgram(db: Db, sha256: string): Promise<'present' | 'removed' | undefined> {
  const { rows } = await sql<{ isPresent: boolean }>`select ${IS_PRESENT} as "isPresent" from client_release
    where sha256 = ${sha256} order by 1 desc limit 1`.execute(db)
  return rows[0] && (rows[0].isPresent ? 'present' : 'removed')
}

export async function findVersion(transaction: Tx, version: string): Promise<KnownRelease | undefined> {
  const { rows } = await sql<KnownRelease>`select id, sha256, back_signature is not null as "isBackTarget"
    from client_release where version = ${version} and ${IS_PRESENT}`.execute(transaction)
  return rows[0]
}

export async function makeBackTarget(transaction: Tx, id: number, signature: string): Promise<void> {
  await sql`update client_release set back_signature = ${signature} where id = ${id}`.execute(transaction)
}

export async function addRelease(
  transaction: Tx,
  { version, bytes, sha256, signature, back, content }: ReleaseHeader & { readonly content: Uint8Array },
  by: UserId | undefined,
): Promise<number> {
  const added = sql<{ id: number }>`
    insert into client_release (version, version_order, bytes, sha256, signature, back_signature, content, uploaded_by)
    values (${version}, ${version.split('.').map(Number)}::integer[], ${bytes}, ${sha256}, ${signature},
      ${back ?? null}, ${Buffer.from(content)}, ${by ?? null})
    returning id`
  return onlyRow(await added.execute(transaction)).id
}

export async function removeRelease(transaction: Tx, id: number, by: UserId): Promise<void> {
  await sql`update client_release set content = null, deleted_at = now(), deleted_by = ${by} where id = ${id}`.execute(
    transaction,
  )
}

export async function readProgram(db: Db, sha256: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`select content from client_release
    where sha256 = ${sha256} and ${IS_PRESENT} limit 1`.execute(db)
  return rows[0]?.content
}

export async function hasRelease(db: Db, sha256: string): Promise<boolean> {
  const { rows } = await sql`select from client_release where sha256 = ${sha256} and ${IS_PRESENT} limit 1`.execute(db)
  return rows.length > 0
}

export async function listRefusedFiles(db: Db): Promise<readonly RefusedFile[]> {
  const { rows } = await sql<RefusedFile>`select file_name as "fileName", reason, refused_at as "refusedAt"
    from client_release_refusal order by file_name`.execute(db)
  return rows
}

/** Stores why a file of the folder is refused, or that it is not any more. */
export async function noteFile(db: Db, fileName: string, reason: string | undefined): Promise<void> {
  if (reason === undefined) {
    await sql`delete from client_release_refusal where file_name = ${fileName}`.execute(db)
    return
  }
  await sql`insert into client_release_refusal (file_name, reason) values (${fileName}, ${reason})
    on conflict (file_name) do update set reason = excluded.reason, refused_at = now()
    where client_release_refusal.reason <> excluded.reason`.execute(db)
}

/** Forgets refused files that are gone from the folder. */
export async function keepFiles(db: Db, fileNames: readonly string[]): Promise<void> {
  await sql`delete from client_release_refusal where file_name <> all(${[...fileNames]}::text[])`.execute(db)
}
