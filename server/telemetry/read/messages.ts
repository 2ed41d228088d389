import type { DeviceId } from '#domain/ids.ts'
import { microsecondsOf, momentOf } from '#server/db/queries/microseconds.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { wideningWindows } from './moments.ts'

/** The place where a page ends. The next page begins after it. */
export interface MessageKey {
  readonly atMicroseconds: number
  /** The SHA-256 of the text, in hex. */
  readonly hash: string
}

export interface StoredMessage {
  readonly key: MessageKey
  /** The device time. */
  readonly at: Date
  readonly insertedAt: Date
  readonly msg: string
}

export interface MessagesQuestion {
  readonly deviceId: DeviceId
  readonly from: Date
  /** The end is excluded. */
  readonly to: Date
  /** A message must contain this text in any case. No character of it is a wildcard. */
  readonly text?: string | undefined
}

const EXPORT_PAGE = 500

interface MessageRow {
  readonly at: number
  readonly inserted: number
  readonly hash: string
  readonly msg: string
}

/** Refused reports show what the device tried to say, so they stand among its messages at the time they arrived. */
export const REFUSED_AS_MESSAGES = `(
  select device_id, received_at as at, received_at as inserted, uuid_send(id) as hash,
    'Report refused (' || topic || '): ' || detail as msg
  from rejected_report)`

/** Reads messages newest first; those of one instant are in the order of their hashes. */
export async function readMessages(
  queryable: Queryable,
  { deviceId, from, to, text, after, limit }: MessagesQuestion & { after?: MessageKey | undefined; limit: number },
): Promise<StoredMessage[]> {
  const values: unknown[] = [deviceId, from, to, limit]
  const bind = (value: unknown) => `$${values.push(value)}`
  const behind = after
    ? `and (at, hash) < (${momentOf(bind(after.atMicroseconds))}, decode(${bind(after.hash)}, 'hex'))`
    : ''
  const contains = text ? `and msg ilike ${bind(`%${escapedForLike(text)}%`)}` : ''
  const { rows } = await queryable.query<MessageRow>(
    `select ${microsecondsOf('at')} as at, ${microsecondsOf('inserted')} as inserted, encode(hash, 'hex') as hash, msg
     from (
       (select at, inserted, hash, msg from device_message m
        where device_id = $1 and m.at >= $2 and m.at < $3 ${behind} ${contains}
        order by m.at desc, m.hash desc limit $4)
       union all
       (select at, inserted, hash, msg from ${REFUSED_AS_MESSAGES} m
        where device_id = $1 and m.at >= $2 and m.at < $3 ${behind} ${contains}
        order by m.at desc, m.hash desc limit $4)) m
     order by m.at desc, m.hash desc limit $4`,
    values,
  )
  return rows.map(({ at, inserted, hash, msg }) => ({
    key: { atMicroseconds: at, hash },
    at: new Date(Math.floor(at / 1000)),
    insertedAt: new Date(Math.floor(inserted / 1000)),
    msg,
  }))
}

/** Yields all messages a page at a time, with no transaction open in between. There are few, so periods widen. */
export async function* exportMessages(queryable: Queryable, question: MessagesQuestion): AsyncGenerator<StoredMessage> {
  for (const window of wideningWindows(question.from, question.to)) {
    let after: MessageKey | undefined
    do {
      const page = await readMessages(queryable, { ...question, ...window, after, limit: EXPORT_PAGE })
      yield* page
      after = page.length < EXPORT_PAGE ? undefined : page.at(-1)?.key
    } while (after !== undefined)
  }
}

const escapedForLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')
