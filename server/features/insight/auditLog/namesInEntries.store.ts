import { sql } from 'kysely'
import { type AuditEntry, NAMED_FIELDS, type NamedField } from '#contract/http/insight/auditLog.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'

interface Recorded {
  readonly before: unknown
  readonly after: unknown
}

type Names = AuditEntry['names']

function numbersIn({ before, after }: Recorded): readonly { readonly field: NamedField; readonly id: number }[] {
  return NAMED_FIELDS.flatMap((field) => {
    const held = [before, after].map((detail) => (detail as Record<string, unknown> | null)?.[field])
    const ids = new Set(held.filter((id): id is number => typeof id === 'number' && Number.isSafeInteger(id)))
    return [...ids].map((id) => ({ field, id }))
  })
}

/**
 * Finds the present names for the ids in the rows, within the reader's scope. Everybody may read roles, and a customer
 * must not learn of other customers.
 */
export async function namesIn(db: Db, scope: Scope, rows: readonly Recorded[]): Promise<(row: Recorded) => Names> {
  const numbers = rows.flatMap(numbersIn)
  if (numbers.length === 0) return () => []
  const idsOf = (asked: NamedField) => [...new Set(numbers.flatMap(({ field, id }) => (field === asked ? [id] : [])))]
  const ofScope = (column: string) =>
    scope.kind === 'everything' ? sql`true` : sql`${sql.ref(column)} = ${scope.customerId}`
  const { rows: found } = await sql<{ field: NamedField; id: number; name: string | null }>`
    select 'customerId' as field, id, name from customer
      where id = any(${idsOf('customerId')}::bigint[]) and ${ofScope('id')}
    union all select 'roleId', id, case when deleted_at is null then name end from app_role
      where id = any(${idsOf('roleId')}::bigint[])
    union all select 'ownerId', id, case when deleted_at is null then username end from app_user
      where id = any(${idsOf('ownerId')}::bigint[]) and ${ofScope('customer_id')}`.execute(db)
  const known = new Map(found.map(({ field, id, name }) => [`${field} ${id}`, name]))
  return (row) =>
    numbersIn(row).flatMap((number) => {
      const name = known.get(`${number.field} ${number.id}`)
      return name === undefined ? [] : [{ ...number, name }]
    })
}
