import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'

/** Whoever did nothing for so long has left; what they do next begins another visit. */
const AWAY_MINUTES = 30
/** Within this time nothing is written. */
const NOTE_EVERY_SECONDS = 60

/**
 * Notes that the user is here.
 *
 * @returns the end of their visit before this one; null in their first
 */
export async function noteVisit(db: Db, userId: UserId): Promise<Date | null> {
  const kept = await sql<{ before_at: Date | null }>`
    select before_at from user_visit
    where user_id = ${userId} and seen_at > now() - make_interval(secs => ${NOTE_EVERY_SECONDS})`.execute(db)
  const [fresh] = kept.rows
  if (fresh) return fresh.before_at
  const noted = await sql<{ before_at: Date | null }>`
    insert into user_visit as v (user_id, seen_at) values (${userId}, now())
    on conflict (user_id) do update set seen_at = excluded.seen_at, before_at = case
      when v.seen_at < excluded.seen_at - make_interval(mins => ${AWAY_MINUTES}) then v.seen_at else v.before_at end
    returning before_at`.execute(db)
  return noted.rows[0]?.before_at ?? null
}
