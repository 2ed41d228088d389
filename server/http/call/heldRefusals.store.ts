import type { Insertable, Transaction } from 'kysely'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import type { Job } from '#server/jobs/JobRunner.ts'

const COLUMNS = `action_id, entity_type_id, entity_id, entity_name, user_id, username, author_customer_id, address, call,
  outcome, details, bulk_id`

/** The audit row waits until its session gives the requested proof, or ten minutes have passed. */
export async function holdRefusal(db: Db, sessionHash: string, row: Insertable<Database['audit_log']>): Promise<void> {
  await db
    .insertInto('held_refusal')
    .values({ session_hash: Buffer.from(sessionHash, 'hex'), audit_row: JSON.stringify(row) })
    .execute()
}

/** Drops the rows once the session has given its proof: being asked for it was no refusal then. */
export async function forgetHeldRefusals(sessionHash: string, transaction: Transaction<Database>): Promise<void> {
  await transaction.deleteFrom('held_refusal').where('session_hash', '=', Buffer.from(sessionHash, 'hex')).execute()
}

/** Writes the refusals of those who were asked for a proof and have not given it within ten minutes. */
export const unansweredStepUpsJob: Job = {
  name: 'unanswered step-ups',
  everyMs: MINUTE_MS,
  async run(owner) {
    await owner.query(`
      with unanswered as (
        delete from held_refusal where refused_at < now() - interval '10 minutes' returning refused_at, audit_row
      )
      insert into audit_log (inserted_at, ${COLUMNS})
      select refused_at, ${COLUMNS} from unanswered, jsonb_populate_record(null::audit_log, audit_row)
      order by refused_at`)
  },
}
