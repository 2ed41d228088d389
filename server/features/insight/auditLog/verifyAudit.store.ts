import type { Queryable } from '#server/db/transaction.ts'
import { digestsSql, headSql } from './auditDigests.store.ts'
import { sealOf } from './auditSeal.store.ts'

const BLOCKS_AT_ONCE = 100
/** So many rows of a kind are named for each block; further ones are only counted. */
const MOST_NAMED = 20

/** A head that somebody kept from the log or the metrics. */
export interface KeptHead {
  readonly number: number
  /** At least the first 12 digits are needed. */
  readonly head: string
}

export interface AuditVerdict {
  readonly blocks: number
  readonly rows: number
  readonly erased: number
  /** Rows that are not sealed yet, which cannot be verified. */
  readonly unsealed: number
  /** The newest head as `NUMBER:HEAD`, undefined before the first block. */
  readonly newest: string | undefined
  /** A sentence for everything that is not as it was sealed. */
  readonly findings: readonly string[]
}

interface Block {
  readonly number: number
  readonly fromId: number
  readonly throughId: number
  readonly head: string
  readonly computedHead: string | null
  readonly rows: number
  readonly erased: number
  readonly missing: readonly number[]
  readonly changed: readonly number[]
  readonly added: readonly number[]
}

const idsWhere = (condition: string) =>
  `coalesce(array_agg(coalesce(present.id, was.id) order by coalesce(present.id, was.id)) filter (where ${condition}), '{}')::float8[]`

/** Reads the blocks after one, each with its sealed digests and those of its present rows. */
const BLOCKS = `
  select s.number, s.from_id as "fromId", s.through_id as "throughId", encode(s.head, 'hex') as head,
    encode(${headSql(
      's',
      `coalesce((select string_agg(digest, ''::bytea order by place) from unnest(s.row_digests) with ordinality each (digest, place)), '')`,
      'previous.head',
    )}, 'hex') as "computedHead", cardinality(s.row_ids) as rows, found.*
  from audit_seal s left join audit_seal previous on previous.number = s.number - 1
  cross join lateral (
    select count(erased.audit_id)::int as erased, ${idsWhere('present.id is null')} as missing,
      ${idsWhere('present.id = was.id and present.digest is distinct from was.digest')} as changed,
      ${idsWhere('was.id is null')} as added
    from unnest(s.row_ids, s.row_digests) was (id, digest)
    full join (${digestsSql('a.id between s.from_id and s.through_id')}) present on present.id = was.id
    left join audit_erased erased on erased.audit_id = present.id) found
  where s.number > $1 order by s.number limit ${BLOCKS_AT_ONCE}`

/** Compares every sealed row and every block with what was sealed. */
export async function verifyAudit(db: Queryable, kept?: KeptHead): Promise<AuditVerdict> {
  const findings: string[] = []
  let last: Block | undefined
  let [blocks, rows, erased] = [0, 0, 0]
  for (;;) {
    const { rows: batch } = await db.query<Block>(BLOCKS, [last?.number ?? 0])
    for (const block of batch) {
      findings.push(...findingsOf(block, last))
      blocks += 1
      rows += block.rows
      erased += block.erased
      last = block
    }
    if (batch.length < BLOCKS_AT_ONCE) break
  }
  if (kept) findings.push(...(await findingsOfKept(db, kept)))
  const { rows: left } = await db.query<{ count: number }>(
    'select count(*)::int as count from audit_log where id > $1',
    [last?.throughId ?? 0],
  )
  const newest = last && `${last.number}:${last.head}`
  return { blocks, rows, erased, unsealed: left[0]?.count ?? 0, newest, findings }
}

function findingsOf(block: Block, before: Block | undefined): readonly string[] {
  const name = `Block ${block.number} (rows ${block.fromId} to ${block.throughId})`
  const isNext = block.number === (before?.number ?? 0) + 1
  const follows = block.fromId === (before?.throughId ?? 0) + 1
  return [
    ...(isNext ? [] : [`${blocksBetween(before, block)} missing.`]),
    ...(isNext && !follows ? [`${name} does not begin where the one before ends.`] : []),
    // Its head can be computed only from the previous block's.
    ...(isNext && block.head !== block.computedHead ? [`${name}: the seal was changed.`] : []),
    ...named(block.missing, 'missing'),
    ...named(block.changed, 'changed'),
    ...named(block.added, 'added after its block was sealed'),
  ]
}

function blocksBetween(before: Block | undefined, { number }: Block): string {
  const [first, last] = [(before?.number ?? 0) + 1, number - 1]
  return first === last ? `Block ${first} is` : `Blocks ${first} to ${last} are`
}

function named(ids: readonly number[], what: string): readonly string[] {
  const some = ids.slice(0, MOST_NAMED).map((id) => `Row ${id} is ${what}.`)
  return ids.length > MOST_NAMED ? [...some, `${ids.length - MOST_NAMED} more rows are ${what}.`] : some
}

async function findingsOfKept(db: Queryable, { number, head }: KeptHead): Promise<readonly string[]> {
  const found = await sealOf(db, number)
  if (!found) return [`Block ${number}, whose head was kept, is missing: the end of the log was cut off.`]
  return found.head.startsWith(head) ? [] : [`Block ${number} does not have the head that was kept.`]
}
