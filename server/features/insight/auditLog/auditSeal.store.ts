import type pg from 'pg'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { type Queryable, transactionOn } from '#server/db/transaction.ts'
import { digestsSql, headSql, personsSql } from './auditDigests.store.ts'

export type Owner = pg.Client

export interface SealHead {
  readonly number: number
  /** Everything up to this row is sealed. */
  readonly throughId: number
  /** 64 hexadecimal digits over this block and all before it. */
  readonly head: string
}

const HEAD = `number, through_id as "throughId", encode(head, 'hex') as head`

export async function newestSeal(db: Queryable): Promise<SealHead | undefined> {
  return (await db.query<SealHead>(`select ${HEAD} from audit_seal order by number desc limit 1`)).rows[0]
}

export async function sealOf(db: Queryable, number: number): Promise<SealHead | undefined> {
  return (await db.query<SealHead>(`select ${HEAD} from audit_seal where number = $1`, [number])).rows[0]
}

/** Finds the highest id that was ever given, also to a row that was not committed; 0 before the first. */
export async function lastGivenId(owner: pg.ClientBase): Promise<number> {
  const given = await owner.query<{ id: number }>(
    'select case when is_called then last_value else 0 end as id from audit_log_id_seq',
  )
  return onlyRow(given).id
}

/**
 * Lists the transactions that have written to the audit log or are about to, by names that are never reused. A writer
 * holds this lock from before it takes an id until its row is visible or gone: ids that were given before this call are
 * decided once all of the listed transactions are over. Prepared ones are listed too.
 */
export async function auditWriters(owner: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await owner.query<{ name: string }>(
    `select virtualtransaction as name from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
       and granted and relation = 'audit_log'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  )
  return new Set(rows.map(({ name }) => name))
}

/**
 * Seals rows that no transaction can add to any more as the next block.
 * @param decidedId every row up to this one is committed or gone
 * @returns undefined when no row up to there is unsealed
 */
export const sealNext = (owner: pg.Client, decidedId: number, mostRows: number): Promise<SealHead | undefined> =>
  transactionOn(owner, async () => {
    await owner.query(`select ${lockUntilCommit('auditSeals')}`)
    const sealedId = (await newestSeal(owner))?.throughId ?? 0
    const { rows: last } = await owner.query<{ id: number | null; count: number }>(
      `select max(id) as id, count(*)::int as count
       from (select id from audit_log where id > $1 and id <= $2 order by id limit $3) block`,
      [sealedId, decidedId, mostRows],
    )
    const [{ id, count } = { id: null, count: 0 }] = last
    if (id === null) return undefined
    const throughId = count < mostRows ? decidedId : id
    await owner.query(
      `insert into audit_salt (person, salt)
       select person, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
       from (select distinct person from (${personsSql('a.id > $1 and a.id <= $2')}) persons) each
       on conflict do nothing`,
      [sealedId, throughId],
    )
    const { rows } = await owner.query<SealHead>(SEAL, [sealedId, throughId])
    return rows[0]
  })

const SEAL = `
  with before as (select number, head from audit_seal order by number desc limit 1),
  sealed as (
    select coalesce((select number from before), 0) + 1 as number, $1::bigint + 1 as from_id, $2::bigint as through_id,
      now() as sealed_at, array_agg(id order by id) as row_ids, array_agg(digest order by id) as row_digests,
      string_agg(digest, ''::bytea order by id) as digests
    from (${digestsSql('a.id > $1 and a.id <= $2')}) row_of_block)
  insert into audit_seal (number, from_id, through_id, sealed_at, row_ids, row_digests, head)
  select number, from_id, through_id, sealed_at, row_ids, row_digests,
    ${headSql('sealed', 'digests', '(select head from before)')} from sealed
  returning ${HEAD}`

export interface SealGauges {
  readonly newest: SealHead | undefined
  /** The age of the oldest unsealed row; 0 when there is none. */
  readonly unsealedSeconds: number
}

export async function readSealGauges(db: Queryable): Promise<SealGauges> {
  const newest = await newestSeal(db)
  const oldest = await db.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - min(inserted_at)), 0)::float8 as seconds
     from (select inserted_at from audit_log where id > $1 order by id limit 1) oldest`,
    [newest?.throughId ?? 0],
  )
  return { newest, unsealedSeconds: Math.max(0, onlyRow(oldest).seconds) }
}
