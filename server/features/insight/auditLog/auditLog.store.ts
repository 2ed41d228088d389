import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AUDIT_ACTIONS, AUDIT_ENTITIES, AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { containing } from '#server/db/queries/containing.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { keyTime } from '#server/http/reading/keyTime.store.ts'
import { exactTotal, type PageRequest, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { changedFields } from './changedFields.ts'
import { namesIn } from './namesInEntries.store.ts'

export interface AuditFilter {
  readonly from?: Date | undefined
  /** This moment is excluded. */
  readonly to?: Date | undefined
  readonly actionId?: number | undefined
  readonly entityTypeId?: number | undefined
  readonly entityName?: string | undefined
  readonly userId?: number | undefined
  readonly details?: string | undefined
  /** What a changed field or setting is called, or a text in the details. */
  readonly changed?: string | undefined
  readonly entityId?: number | undefined
  readonly bulkId?: string | undefined
  readonly changedByOthersThan?: UserId | undefined
}

/** The last row of a page. It has microseconds, so that no row falls between two pages. */
export interface AuditKey {
  readonly at: string
  readonly id: number
}

const nameOf = (list: readonly { id: number; name: string }[], id: number) =>
  list.find((entry) => entry.id === id)?.name ?? ''

/**
 * A row that concerns no customer's thing belongs to its author's customer: a refusal, or a change of something shared.
 */
const SCOPE = sql`coalesce(customer_id, author_customer_id)`

/**
 * SQL: the log as a customer reads it, in two parts with an index each. When a device moved, its former customer reads
 * that it left and nothing of after, and the next reads nothing of before (docs/decisions/0117).
 */
function halvesOf(customerId: CustomerId) {
  const plain = sql.raw(`id, inserted_at, action_id, entity_type_id, entity_id, user_id, username, author_customer_id,
    address, call, outcome, details, bulk_id`)
  const hasLeft = sql`(arrived_customer_id is not null and arrived_customer_id <> ${customerId})`
  const nobody = sql`'{"customerId": null}'::jsonb`
  return [
    sql`select ${plain}, entity_name,
        case when ${hasLeft} then jsonb_build_object('customerId', customer_id) else before end as before,
        case when ${hasLeft} then ${nobody} else after end as after
      from audit_log where ${SCOPE} = ${customerId}`,
    sql`select ${plain}, coalesce(after ->> 'name', entity_name) as entity_name, ${nobody} as before, after
      from audit_log where arrived_customer_id = ${customerId} and ${SCOPE} is distinct from ${customerId}`,
  ] as const
}

/** Reads the newest first. With `folds` the newest matching row of a bulk action stands for all of them. */
export async function auditPage(
  db: Db,
  scope: Scope,
  filter: AuditFilter,
  { after, skip, size, folds }: PageRequest<AuditKey> & { readonly folds: boolean },
): Promise<readonly { readonly entry: AuditEntry; readonly key: AuditKey }[]> {
  const { halves, asked, conditions } = searched(scope, filter, folds)
  const before = after && sql<SqlBool>`(inserted_at, id) < (${after.at}::timestamptz, ${after.id}::bigint)`
  const found = newestOf(halves, before ? [...conditions, before] : conditions, { skip, size })
  const { rows } = await sql<AuditRowRead & { key_time: string }>`
    select page.*, r.count as refusals, ${keyTime('inserted_at')} as key_time, o.outcome as setting_outcome,
      o.errors as setting_errors, d.guid as device_guid
    from ${found} page
    left join device d on page.entity_type_id = ${AUDIT_ENTITY_IDS.Device} and d.id = page.entity_id
      and d.deleted_at is null and ${scope.kind === 'everything' ? sql`true` : sql`d.customer_id = ${scope.customerId}`}
    left join limit_refusal r on r.audit_id = page.id
    left join setting_outcome o on ${isOutcomeOf('page')}
    order by inserted_at desc, page.id desc`.execute(db)
  const foldsOf = folds ? await readFolds(db, rows, halves, asked) : new Map<string, AuditFold>()
  const known = await knownOwners(db, scope, rows)
  const namesOf = await namesIn(db, scope, rows)
  return rows.map((row) => ({
    entry: toEntry(row, scope, { known, names: namesOf(row), fold: foldsOf.get(row.bulk_id ?? '') ?? null }),
    key: { at: row.key_time, id: row.id },
  }))
}

/** The count is null beyond 10,000. */
export async function countAuditRows(
  db: Db,
  scope: Scope,
  filter: AuditFilter,
  folds: boolean,
): Promise<number | null> {
  const { halves, conditions } = searched(scope, filter, folds)
  const counted = sql<{ count: number }>`
    select count(*)::int as count
    from ${newestOf(halves, conditions, { skip: 0, size: ROWS_TO_COUNT })} counted`
  return exactTotal(onlyRow(await counted.execute(db)).count)
}

type Conditions = readonly RawBuilder<SqlBool>[]

/** Reads the newest rows of all parts, each part by its own index. */
function newestOf(
  halves: readonly RawBuilder<unknown>[],
  conditions: Conditions,
  { skip, size }: { readonly skip: number; readonly size: number },
) {
  const matching = conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)
  const newest = (log: RawBuilder<unknown>, from: number, most: number) =>
    sql`(select * from (${log}) log where ${matching} order by inserted_at desc, id desc offset ${from} limit ${most})`
  const newestOfEach = halves.map((half) => newest(half, 0, skip + size))
  return newest(sql.join(newestOfEach, sql` union all `), skip, size)
}

function searched(scope: Scope, filter: AuditFilter, folds: boolean) {
  const halves = scope.kind === 'everything' ? [sql`select * from audit_log`] : halvesOf(scope.customerId)
  const asked: Conditions = [...authorConditions(scope, filter), ...filterConditions(filter)]
  return { halves, asked, conditions: folds ? [...asked, isNewestOfBulk(halves, asked)] : asked }
}

/** SQL: the matching rows of the bulk action of `row`, as `b`. */
const ofBulk = (row: string, halves: readonly RawBuilder<unknown>[], asked: Conditions) =>
  sql`(${sql.join([...halves], sql` union all `)}) b
    where ${sql.join([sql`b.bulk_id = ${sql.ref(`${row}.bulk_id`)}`, ...asked], sql` and `)}`

/** A `case` makes the database look up only the rows of bulk actions that it meets, each by the index. */
const isNewestOfBulk = (halves: readonly RawBuilder<unknown>[], asked: Conditions) =>
  sql<SqlBool>`case when log.bulk_id is null then true else not exists (
    select from ${ofBulk('log', halves, asked)} and (b.inserted_at, b.id) > (log.inserted_at, log.id)) end`

type AuditFold = NonNullable<AuditEntry['fold']>

/**
 * SQL: what became of the change of settings that a row records, as `o` (`server/gateway/commands/settingOutcomes.ts`).
 */
function isOutcomeOf(row: string) {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql<SqlBool>`${of('entity_type_id')} = ${AUDIT_ENTITY_IDS.Device} and o.device_id = ${of('entity_id')}
    and o.kept_at = ${of('inserted_at')} and ${of('outcome')} = 'done'
    and o.section = ${of('after')} ->> 'section' and o.number::text = ${of('after')} ->> 'number'`
}

/** The order is from good to bad: the worst of several changes of one device counts, as in the author's summary. */
const RANKED = ['applied', 'replaced', 'queued', 'unanswered', 'refused'] as const

async function readFolds(
  db: Db,
  rows: readonly AuditRowRead[],
  halves: readonly RawBuilder<unknown>[],
  asked: Conditions,
): Promise<ReadonlyMap<string, AuditFold>> {
  const bulkIds = rows.flatMap(({ bulk_id }) => bulk_id ?? [])
  if (bulkIds.length === 0) return new Map()
  const ofThese = sql.join([sql`b.bulk_id = any(${bulkIds}::uuid[])`, ...asked], sql` and `)
  const counts = RANKED.map(
    (outcome, index) =>
      sql`(count(*) filter (where worst = ${index + 1}))::int as ${sql.ref(outcome === 'applied' ? 'done' : outcome)}`,
  )
  const { rows: folds } = await sql<AuditFold & { bulk_id: string; first: Date; last: Date }>`
    select bulk_id, sum(entries)::int as entries, count(thing)::int as things, min(first) as first, max(last) as last,
      ${sql.join(counts)}
    from (
      select b.bulk_id, b.entity_id as thing, count(*) as entries, min(b.inserted_at) as first, max(b.inserted_at) as last,
        max(array_position(${[...RANKED]}::text[],
          case when b.outcome = 'done' then coalesce(o.outcome, 'applied') else 'refused' end)) as worst
      from (select * from (${sql.join([...halves], sql` union all `)}) b where ${ofThese}) b
      left join setting_outcome o on ${isOutcomeOf('b')}
      group by b.bulk_id, b.entity_id, case when b.entity_id is null then b.id end) things
    group by bulk_id having sum(entries) > 1`.execute(db)
  return new Map(
    folds.map(({ bulk_id, first, last, ...fold }) => [
      bulk_id,
      { ...fold, first: first.toISOString(), last: last.toISOString() },
    ]),
  )
}

/** A filter by somebody else's user must not reveal which rows are theirs. */
function authorConditions(scope: Scope, { userId }: AuditFilter) {
  if (scope.kind === 'everything' || userId === undefined) return []
  return [sql<SqlBool>`author_customer_id = ${scope.customerId}`]
}

type Detail = Record<string, unknown> | null

const ownerIdOf = (detail: unknown) => {
  const { ownerId } = (detail as Detail) ?? {}
  return typeof ownerId === 'number' ? [ownerId as UserId] : []
}

/** The scope may know only some of the owners of alerts in these rows; undefined means everybody. */
async function knownOwners(
  db: Db,
  scope: Scope,
  rows: readonly Pick<AuditRowRead, 'before' | 'after'>[],
): Promise<ReadonlySet<UserId> | undefined> {
  if (scope.kind === 'everything') return undefined
  const ids = rows.flatMap(({ before, after }) => [...ownerIdOf(before), ...ownerIdOf(after)])
  if (ids.length === 0) return new Set()
  const known = await db
    .selectFrom('app_user')
    .select('id')
    .where('id', 'in', ids)
    .where('customer_id', '=', scope.customerId)
    .execute()
  return new Set(known.map(({ id }) => id))
}

/** Hides the id of an owner whom the scope may not know. */
function shownDetail(detail: unknown, known: ReadonlySet<UserId> | undefined): unknown {
  const isOutside = known !== undefined && ownerIdOf(detail).some((id) => !known.has(id))
  return isOutside ? { ...(detail as object), ownerId: null } : detail
}

function filterConditions(filter: AuditFilter) {
  const { from, to, actionId, entityTypeId, entityName, userId, details, entityId, bulkId } = filter
  const { changed, changedByOthersThan } = filter
  return [
    from && sql<SqlBool>`inserted_at >= ${from}`,
    to && sql<SqlBool>`inserted_at < ${to}`,
    actionId !== undefined && sql<SqlBool>`action_id = ${actionId}`,
    entityTypeId !== undefined && sql<SqlBool>`entity_type_id = ${entityTypeId}`,
    entityId !== undefined && sql<SqlBool>`entity_id = ${entityId}`,
    bulkId !== undefined && sql<SqlBool>`bulk_id = ${bulkId}::uuid`,
    userId !== undefined && sql<SqlBool>`user_id = ${userId}`,
    changedByOthersThan !== undefined &&
      sql<SqlBool>`user_id <> ${changedByOthersThan} and outcome = 'done' and action_id = any(${CHANGES}::int[])`,
    entityName && sql<SqlBool>`entity_name ilike ${containing(entityName)}`,
    details && sql<SqlBool>`details ilike ${containing(details)}`,
    changed && hasChanged(changed),
  ].filter((condition) => typeof condition === 'object')
}

/** SQL: a field that is called so has another value than before. Rows without one are passed over by a look at their keys. */
function hasChanged(text: string) {
  const { fields, sections } = changedFields(text)
  return sql<SqlBool>`(details ilike ${containing(text)} or after ->> 'section' = any(${sections}::text[])
    or (before ?| ${fields}::text[] or after ?| ${fields}::text[]) and exists (
      select from unnest(${fields}::text[]) field where before -> field is distinct from after -> field))`
}

/** People change things by these. */
const CHANGES = AUDIT_ACTIONS.filter(({ name }) => ['Create', 'Update', 'Delete', 'Command'].includes(name)).map(
  ({ id }) => id,
)

const times = (count: number) => (count === 1 ? 'Once' : `${count} times`)

interface AuditRowRead {
  readonly id: number
  readonly inserted_at: Date
  readonly action_id: number
  readonly entity_type_id: number
  readonly entity_id: number | null
  readonly entity_name: string
  readonly device_guid: AuditEntry['deviceGuid']
  readonly user_id: AuditEntry['userId']
  readonly username: string
  readonly author_customer_id: number | null
  readonly address: string
  readonly call: string
  readonly outcome: string
  readonly details: string
  /** The number of refusals in the hour, for a row about a limit. */
  readonly refusals: number | null
  readonly before: unknown
  readonly after: unknown
  readonly bulk_id: string | null
  readonly setting_outcome: AuditEntry['settingOutcome']
  readonly setting_errors: readonly string[] | null
}

interface Told {
  readonly known: ReadonlySet<UserId> | undefined
  readonly names: AuditEntry['names']
  readonly fold: AuditEntry['fold']
}

function toEntry(row: AuditRowRead, scope: Scope, { known, names, fold }: Told): AuditEntry {
  const isOutside = scope.kind === 'customer' && row.author_customer_id !== scope.customerId
  const author = isOutside
    ? { userId: null, username: 'Staff', address: '' }
    : { userId: row.user_id, username: row.username, address: row.address }
  return {
    id: row.id,
    inserted: row.inserted_at.toISOString(),
    actionId: row.action_id,
    actionName: nameOf(AUDIT_ACTIONS, row.action_id),
    entityTypeId: row.entity_type_id,
    entityTypeName: nameOf(AUDIT_ENTITIES, row.entity_type_id),
    entityId: row.entity_id,
    entityName: row.entity_name,
    deviceGuid: row.device_guid,
    ...author,
    details: detailsOf(row),
    outcome: row.outcome,
    settingOutcome: row.setting_outcome,
    call: row.call,
    before: shownDetail(row.before, known),
    after: shownDetail(row.after, known),
    names,
    bulkId: row.bulk_id,
    fold,
  }
}

function detailsOf({ refusals, details, setting_outcome, setting_errors }: AuditRowRead): string {
  if (refusals !== null) return `${times(refusals)} within this hour. ${details}`
  if (setting_outcome !== 'refused') return details
  return [details, `The device refused it: ${setting_errors?.join(' ')}`].filter(Boolean).join(' ')
}
