import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const VALID_MINUTES = 5
const ID_BYTES = 16

/** One change, asked for with exactly this. */
export interface RequestedChange {
  /** Of the API token. */
  readonly tokenId: number
  readonly tool: string
  readonly input: unknown
}

/** What an assistant was told the consequence of, and may do once. */
export interface Confirmations {
  /** @returns the id by which the same change, asked for by the same token, is carried out within five minutes */
  readonly open: (asked: RequestedChange) => Promise<string>
  /** Whether it was opened for this; from then on it is gone. One for something else stays what it is. */
  readonly take: (id: string, asked: RequestedChange) => Promise<boolean>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const askedHash = ({ tool, input }: RequestedChange) => sha256(JSON.stringify([tool, inOrder(input)]))

/** Assistants write the same arguments in another order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, inner]) => [name, inOrder(inner)])
}

/** In the database, because the second question may come to another process. */
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
