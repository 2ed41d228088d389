import type pg from 'pg'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { onCallAt } from '#domain/notifying/rota.ts'
import { FUNCTIONS_OF } from '#domain/permissions/permissions.ts'
import { type RouteRow, type RouteStep, readTargets } from './judgedRows.ts'
import { readRotas, rotaOf } from './rotaRows.ts'

interface Named {
  readonly name: string
  /** Of a person, who is named by it. */
  readonly userId?: UserId
}

/** Whom a step tells, or why it tells nobody. */
export type Target =
  | (Named & { readonly channelId: number; readonly customerId: CustomerId | null })
  | (Named & { readonly whyNot: string })

/** Of one person who is on call. */
const MOST_MAILS_PER_HOUR = 30

interface Person {
  readonly id: UserId
  readonly name: string
  readonly customer_id: CustomerId | null
  readonly may_acknowledge: boolean
  readonly has_mail: boolean
}

/** SQL: whether a user `u` may acknowledge incidents of what they see, which the links of messages do. */
export const MAY_ACKNOWLEDGE_INCIDENTS = `not u.is_disabled and u.deleted_at is null
  and exists (select from app_role r join app_role_function f on f.role_id = r.id
    where r.id = u.role_id and r.deleted_at is null and f.function_id in (${FUNCTIONS_OF.deviceManager.join(', ')}))
  and (u.customer_id is null or exists (select from customer c where c.id = u.customer_id and c.is_active))`

/** Reads whom steps of routes tell at a moment, in one transaction: each table once. */
export async function readTargetsOf(connection: pg.ClientBase, now: Date) {
  const channels = await readTargets(connection)
  const rotas = new Map((await readRotas(connection, now)).map((row) => [row.id, row]))

  const ofChannel = (id: number, named = ''): Target => {
    const channel = channels.get(id)
    const name = [named, channel?.name].filter(Boolean).join(' by ') || 'A channel'
    if (channel === undefined) return { name, whyNot: 'The channel was deleted.' }
    if (!channel.isOn) return { name, whyNot: 'The channel is switched off.' }
    return { name, channelId: id, customerId: channel.customerId }
  }

  async function ofRota(id: number): Promise<Target> {
    const row = rotas.get(id)
    const onCall = row && onCallAt(rotaOf(row), now.getTime())
    if (row === undefined || onCall === undefined)
      return { name: 'Whoever is on call', whyNot: 'The rota was deleted.' }
    const person = await personOf(connection, onCall.userId)
    const name = person ? `${person.name}, on call in ${row.name}` : `Whoever is on call in ${row.name}`
    if (!person) return { name, whyNot: 'They may not acknowledge incidents.' }
    const userId = person.id
    if (!person.may_acknowledge) return { name, userId, whyNot: 'They may not acknowledge incidents.' }
    const channelId = row.members.find(({ userId }) => userId === person.id)?.channelId ?? null
    if (channelId !== null) return { ...ofChannel(channelId, name), userId }
    if (!person.has_mail) return { name, userId, whyNot: 'They have no e-mail address.' }
    return { name, userId, channelId: await channelOfPerson(connection, person), customerId: person.customer_id }
  }

  return async (step: RouteStep, route: RouteRow): Promise<Target> => {
    const target = 'channelId' in step ? ofChannel(step.channelId) : await ofRota(step.rotaId)
    // Whoever it was when the route was written, it may be somebody else's now.
    if ('channelId' in target && route.customerId !== null && target.customerId !== route.customerId)
      return { ...target, whyNot: "They are not of the route's customer." }
    return target
  }
}

async function personOf(connection: pg.ClientBase, id: UserId): Promise<Person | undefined> {
  const { rows } = await connection.query<Person>(
    `select u.id, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.username) as name, u.customer_id,
       ${MAY_ACKNOWLEDGE_INCIDENTS} as may_acknowledge, u.email <> '' as has_mail from app_user u where u.id = $1`,
    [id],
  )
  return rows[0]
}

/** Nobody sets it up, and no list has it. Where they are mailed is read when something is told. */
async function channelOfPerson(connection: pg.ClientBase, { id, name }: Person): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(
    `insert into channel (user_id, name, kind, settings, most_per_hour) values ($1, $2, 'mail', '{}', $3)
     on conflict (user_id) do update set name = excluded.name returning id`,
    [id, name, MOST_MAILS_PER_HOUR],
  )
  return rows[0]?.id ?? 0
}
