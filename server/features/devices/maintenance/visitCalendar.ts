import { randomBytes } from 'node:crypto'
import { SECRET_ADDRESS } from '#domain/statusPages/pageRules.ts'
import type { Given } from '#server/features/feature.ts'
import { notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { OpenPage } from '#server/http/pages/openPages.ts'
import { secretHash } from '#server/secrets/secretHash.ts'
import { type CalendarVisit, endCalendar, findCalendar, keepCalendarAddress } from './fieldVisits.store.ts'

/** Calendars ask again after this time. */
const ASK_EVERY_SECONDS = 15 * 60

/** Makes a new secret address of the caller's planned visits; the one before ends with it. */
export async function makeCalendarAddress(db: Given['db'], caller: Caller, change: ChangeRecord) {
  const token = randomBytes(32).toString('base64url')
  await db.transaction().execute(async (transaction) => {
    await keepCalendarAddress(transaction, caller.userId, secretHash(token))
    await change.done(transaction, { name: 'Calendar address', details: 'The address before does not work any more.' })
  })
  return { address: `/calendar/${token}/visits.ics` }
}

export async function endCalendarAddressOf(db: Given['db'], caller: Caller, change: ChangeRecord): Promise<true> {
  await db.transaction().execute(async (transaction) => {
    await endCalendar(transaction, caller.userId)
    await change.done(transaction, { name: 'Calendar address' })
  })
  return true
}

/** Whoever has the address reads the visits; a wrong one is answered like one that ended. */
export const calendarPage = ({ db, config }: Pick<Given, 'db' | 'config'>): OpenPage => ({
  path: '/calendar/:token/visits.ics',
  name: 'Calendar of visits',
  run: async ({ params: { token = '' } }) => {
    const visits = SECRET_ADDRESS.test(token) ? await findCalendar(db, secretHash(token)) : undefined
    if (visits === undefined) throw notFound()
    return {
      status: 200,
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'cache-control': 'private, no-cache',
        'x-robots-tag': 'noindex, nofollow',
      },
      body: await calendarOf(visits, config.publicUrl),
    }
  },
})

async function calendarOf(visits: readonly CalendarVisit[], publicUrl: string | undefined): Promise<string> {
  const { default: ical } = await import('ical-generator')
  const calendar = ical({ name: 'Visits', prodId: '//Wayside//Visits//EN', ttl: ASK_EVERY_SECONDS })
  for (const { id, guid, name, address, bring, startAt, endAt, changedAt } of visits) {
    calendar.createEvent({
      id: `visit-${id}@wayside`,
      start: startAt,
      end: endAt,
      stamp: changedAt,
      summary: `Visit: ${name}`,
      location: address,
      description: bring === '' ? '' : `To bring: ${bring}`,
      ...(publicUrl !== undefined && { url: new URL(`/visits/${guid}`, publicUrl).href }),
    })
  }
  return calendar.toString()
}
