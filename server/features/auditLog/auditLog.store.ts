import { type SqlBool, sql } from 'kysely'
import type { AuditEntry } from '#contract/http/audit.ts'
import { AUDIT_ACTIONS, AUDIT_ENTITIES } from '#contract/http/call.ts'
import { containing } from '#server/db/containing.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/caller.ts'

export interface AuditFilter {
  readonly from?: Date | undefined
  /** Before this. */
  readonly to?: Date | undefined
  readonly actionId?: number | undefined
  readonly entityTypeId?: number | undefined
  readonly entityName?: string | undefined
  readonly userId?: number | undefined
  readonly details?: string | undefined
  readonly entityId?: number | undefined
}

/** Where a page ended: its last row. With microseconds, so that no row falls between two pages. */
export interface AuditKey {
  readonly at: string
  readonly id: number
}

export interface AuditPageAsked {
  readonly after?: AuditKey | undefined
  readonly skip: number
  readonly size: number
}

export interface AuditLogStore {
  /** Newest first. */
  readonly page: (
    scope: Scope,
    filter: AuditFilter,
    page: AuditPageAsked,
  ) => Promise<readonly { readonly entry: AuditEntry; readonly key: AuditKey }[]>
}

const nameOf = (list: readonly { id: number; name: string }[], id: number) =>
  list.find((entry) => entry.id === id)?.name ?? ''

/** A row about no customer's thing is its author's: what they were refused, or did to what everybody shares. */
const SCOPE = sql`coalesce(customer_id, author_customer_id)`
const KEY_TIME = sql<string>`to_char(inserted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Reads the audit log; nothing of the application changes it. */
export function createAuditLogStore(db: Db): AuditLogStore {
  return {
    page: async (scope, filter, { after, skip, size }) => {
      const conditions = [...scopeConditions(scope, filter), ...filterConditions(filter)]
      if (after) conditions.push(sql`(inserted_at, id) < (${after.at}::timestamptz, ${after.id}::bigint)`)
      const rows = await db
        .selectFrom('audit_log')
        .leftJoin('limit_refusal', 'limit_refusal.audit_id', 'audit_log.id')
        .selectAll('audit_log')
        .select('limit_refusal.count as refusals')
        .select(KEY_TIME.as('key_time'))
        .where(({ and, lit }) => (conditions.length === 0 ? lit(true) : and(conditions.map((one) => one as never))))
        .orderBy('inserted_at', 'desc')
        .orderBy('id', 'desc')
        .offset(skip)
        .limit(size)
        .execute()
      return rows.map((row) => ({ entry: toEntry(row, scope), key: { at: row.key_time, id: row.id } }))
    },
  }
}

function scopeConditions(scope: Scope, { userId }: AuditFilter) {
  if (scope.kind === 'everything') return []
  const own = sql<SqlBool>`${SCOPE} = ${scope.customerId}`
  // Asking for somebody else's user must not tell which rows are theirs.
  return userId === undefined ? [own] : [own, sql<SqlBool>`author_customer_id = ${scope.customerId}`]
}

function filterConditions(filter: AuditFilter) {
  const { from, to, actionId, entityTypeId, entityName, userId, details, entityId } = filter
  return [
    from && sql<SqlBool>`inserted_at >= ${from}`,
    to && sql<SqlBool>`inserted_at < ${to}`,
    actionId !== undefined && sql<SqlBool>`action_id = ${actionId}`,
    entityTypeId !== undefined && sql<SqlBool>`entity_type_id = ${entityTypeId}`,
    entityId !== undefined && sql<SqlBool>`entity_id = ${entityId}`,
    userId !== undefined && sql<SqlBool>`user_id = ${userId}`,
    entityName && sql<SqlBool>`entity_name ilike ${containing(entityName)}`,
    details && sql<SqlBool>`details ilike ${containing(details)}`,
  ].filter((condition) => typeof condition === 'object')
}

const times = (count: number) => (count === 1 ? 'Once' : `${count} times`)

interface AuditRowRead {
  readonly id: number
  readonly inserted_at: Date
  readonly action_id: number
  readonly entity_type_id: number
  readonly entity_id: number | null
  readonly entity_name: string
  readonly user_id: AuditEntry['userId']
  readonly username: string
  readonly author_customer_id: number | null
  readonly address: string
  readonly call: string
  readonly outcome: string
  readonly details: string
  /** How often in its hour, of a row about what a limit refused. */
  readonly refusals: number | null
  readonly before: unknown
  readonly after: unknown
}

function toEntry(row: AuditRowRead, scope: Scope): AuditEntry {
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
    ...author,
    details: row.refusals === null ? row.details : `${times(row.refusals)} within this hour. ${row.details}`,
    outcome: row.outcome,
    call: row.call,
    before: row.before,
    after: row.after,
  }
}
