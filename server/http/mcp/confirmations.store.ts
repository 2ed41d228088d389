import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const VALID_MINUTES = 5
const ID_BYTES = 16

export interface RequestedChange {
  readonly tokenId: number
  readonly tool: string
  readonly input: unknown
}

/** Confirmations tie the consequence that an assistant was shown to one use of the change. */
export interface Confirmations {
  /** @returns an id with which the same token may carry out the same change within five minutes */
  readonly open: (asked: RequestedChange) => Promise<string>
  /** Tells whether the id was opened for this change, and ends it then. An id of another change stays valid. */
  readonly take: (id: string, asked: RequestedChange) => Promise<boolean>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const askedHash = ({ tool, input }: RequestedChange) => sha256(JSON.stringify([tool, inOrder(input)]))

/** Assistants may repeat the same arguments in another order, so keys are sorted before they are compared. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, inner]) => [name, inOrder(inner)])
}

/** Confirmations are kept in the database, because the second request may reach another process. */
export function createConfirmations(db: Db): Confirmations {
  return {
    open: async (asked) => {
      const id = randomBytes(ID_BYTES).toString('base64url')
      await sql`with gone as (delete from assistant_confirmation where expires_at < now())
        insert into assistant_confirmation (id_hash, token_id, asked, expires_at)
        values (${sha256(id)}, ${asked.tokenId}, ${askedHash(asked)},
          now() + make_interval(mins => ${VALID_MINUTES}))`.execute(db)
      return id
    },
    take: async (id, asked) => {
      const { numAffectedRows } = await sql`delete from assistant_confirmation
        where id_hash = ${sha256(id)} and token_id = ${asked.tokenId} and asked = ${askedHash(asked)}
        and expires_at > now()`.execute(db)
      return numAffectedRows === 1n
    },
  }
}
