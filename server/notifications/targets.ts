import type pg from 'pg'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { onCallAt } from '#domain/notifications/onCall.ts'
import { MAY_ACKNOWLEDGE_INCIDENTS } from '#server/mail/alerts/isNotified.ts'
import { personName } from '#server/people/personName.ts'
import { READERS_NAME, type RouteRow, type RouteStep, readTargets } from './judgedRows.ts'
import { readSchedules, scheduleOf } from './onCallRows.ts'

interface Named {
  readonly name: string
  readonly userId?: UserId
}

/** A step notifies this recipient by a channel or the mail queue, or says why it notifies nobody. */
export type Target =
  | (Named & { readonly channelId: number; readonly customerId: CustomerId | null })
  | (Named & { readonly isMailed: true; readonly customerId: CustomerId | null })
  | (Named & { readonly whyNot: string })

interface Person {
  readonly id: UserId
  readonly name: string
  readonly customer_id: CustomerId | null
  readonly may_acknowledge: boolean
  readonly has_mail: boolean
}

/** Reads whom steps of routes notify at a moment, in one transaction: each table once. */
export async function readTargetsOf(connection: pg.ClientBase, now: Date) {
  const channels = await readTargets(connection)
  const schedules = new Map((await readSchedules(connection, now)).map((row) => [row.id, row]))

  const ofChannel = (id: number, named = ''): Target => {
    const channel = channels.get(id)
    const name = [named, channel?.name].filter(Boolean).join(' by ') || 'A channel'
    if (channel === undefined) return { name, whyNot: 'The channel was deleted.' }
    if (!channel.isOn) return { name, whyNot: 'The channel is switched off.' }
    return { name, channelId: id, customerId: channel.customerId }
  }

  async function ofSchedule(id: number): Promise<Target> {
    const row = schedules.get(id)
    const onCall = row && onCallAt(scheduleOf(row), now.getTime())
    if (row === undefined || onCall === undefined)
      return { name: 'The person on call', whyNot: 'The on-call schedule was deleted.' }
    const person = await personOf(connection, onCall.userId)
    const name = person ? `${person.name}, on call in ${row.name}` : `The person on call in ${row.name}`
    if (!person) return { name, whyNot: 'They may not acknowledge incidents.' }
    const userId = person.id
    if (!person.may_acknowledge) return { name, userId, whyNot: 'They may not acknowledge incidents.' }
    const channelId = row.members.find(({ userId }) => userId === person.id)?.channelId ?? null
    if (channelId !== null) return { ...ofChannel(channelId, name), userId }
    if (!person.has_mail) return { name, userId, whyNot: 'They have no e-mail address.' }
    return { name, userId, isMailed: true, customerId: person.customer_id }
  }

  return async (step: RouteStep, route: RouteRow): Promise<Target> => {
    if ('readers' in step) return { name: READERS_NAME, isMailed: true, customerId: route.customerId }
    const target = 'channelId' in step ? ofChannel(step.channelId) : await ofSchedule(step.rotaId)
    // The recipient may belong to somebody else since the route was written.
    if (!('whyNot' in target) && route.customerId !== null && target.customerId !== route.customerId)
      return { ...target, whyNot: "They are not of the route's customer." }
    return target
  }
}

async function personOf(connection: pg.ClientBase, id: UserId): Promise<Person | undefined> {
  const { rows } = await connection.query<Person>(
    `select u.id, ${personName('u')} as name, u.customer_id,
       ${MAY_ACKNOWLEDGE_INCIDENTS} as may_acknowledge, u.email <> '' as has_mail from app_user u where u.id = $1`,
    [id],
  )
  return rows[0]
}
