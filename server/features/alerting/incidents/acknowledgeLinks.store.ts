import { type SqlBool, sql } from 'kysely'
import type { CustomerId, IncidentId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { MAY_ACKNOWLEDGE_INCIDENTS } from '#server/mail/alerts/isNotified.ts'
import { personName } from '#server/people/personName.ts'

export interface FoundLink {
  readonly incidentId: IncidentId
  readonly userId: UserId
  readonly username: string
  readonly name: string
  readonly customerId: CustomerId | null
}

/**
 * Finds a link. A used or expired link is undefined, as is that of somebody who may not acknowledge incidents any more.
 */
export async function findLink(db: Db, hash: Buffer, now: Date): Promise<FoundLink | undefined> {
  const { rows } = await sql<FoundLink>`
    select l.incident_id::float8 as "incidentId", u.id as "userId", u.username, u.customer_id as "customerId",
      ${sql.raw(personName('u'))} as name
    from acknowledge_link l join app_user u on u.id = l.user_id and ${sql.raw<SqlBool>(MAY_ACKNOWLEDGE_INCIDENTS)}
    where l.token_hash = ${hash} and l.used_at is null and l.expires_at > ${now}`.execute(db)
  return rows[0]
}

/** @returns true when nobody has used the link before */
export async function takeLink(transaction: Tx, hash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`update acknowledge_link set used_at = ${now}
    where token_hash = ${hash} and used_at is null and expires_at > ${now} returning 1`.execute(transaction)
  return rows.length === 1
}
