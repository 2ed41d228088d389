import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { IncidentId, UserId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'

const TOKEN_BYTES = 32
const LINK_LASTS_MS = 24 * HOUR_MS

export const hashOfLink = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Makes a link that acknowledges an incident for one person. The token follows the `#`, so no server and no log sees
 * it, and only its hash is stored.
 */
export function createAcknowledgeLinks(pool: pg.Pool, consoleUrl: string) {
  return async (userId: UserId, incidentId: IncidentId, now: Date): Promise<string> => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    await keepLink(pool, { token, userId, incidentId, expiresAt: new Date(now.getTime() + LINK_LASTS_MS) })
    return `${consoleUrl}/acknowledge#token=${token}`
  }
}

interface Link {
  readonly token: string
  readonly userId: UserId
  readonly incidentId: IncidentId
  readonly expiresAt: Date
}

async function keepLink(pool: pg.Pool, { token, userId, incidentId, expiresAt }: Link): Promise<void> {
  await pool.query(
    'insert into acknowledge_link (token_hash, incident_id, user_id, expires_at) values ($1, $2, $3, $4)',
    [hashOfLink(token), incidentId, userId, expiresAt],
  )
}
