import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

/**
 * Decides once, at the first start that knows default conditions. An installation with a device or a condition existed
 * before and is offered them.
 * @returns what this start has to do; undefined when another start has done it
 */
export async function beginDefaults(transaction: Tx): Promise<'added' | 'offered' | undefined> {
  const { rows } = await sql<{ state: 'added' | 'offered' }>`
    insert into default_conditions (state)
    select case when exists (select from alert_condition) or exists (select from device) then 'offered' else 'added' end
    on conflict do nothing returning state`.execute(transaction)
  return rows[0]?.state
}

export async function isOffered(db: Db): Promise<boolean> {
  const { rows } = await sql`select from default_conditions where state = 'offered'`.execute(db)
  return rows.length > 0
}

/** @returns true when there was an offer to answer */
export async function answerOffer(transaction: Tx): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update default_conditions set state = 'answered' where state = 'offered'`.execute(transaction)
  return numAffectedRows === 1n
}
