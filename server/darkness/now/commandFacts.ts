import type { CommandFact } from '#domain/darkness/facts.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'

/** Older commands say nothing about the current state. */
const COMMANDS_OF_HOURS = 24
const MOST_COMMANDS = 100

interface Row {
  readonly device_id: DeviceId
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly state: CommandFact['state']
  readonly sent_at: Date | null
  readonly ended_at: Date | null
  readonly text: string
  readonly errors: readonly string[]
}

/** Reads the recent commands of devices, newest first. Commands under an earlier customer are left out. */
export async function readCommandFacts(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, readonly CommandFact[]>> {
  const { rows } = await statements.query<Row>(
    `select d.id as device_id, c.name, c.args, c.state, c.sent_at, c.ended_at, c.text, c.errors from device d
     cross join lateral (
       select id, accepted_at, name, args, state, sent_at, ended_at, text, errors from device_command c
       where c.device_id = d.id and c.customer_id = d.customer_id
         and accepted_at > clock_timestamp() - make_interval(hours => ${COMMANDS_OF_HOURS})
       order by accepted_at desc, id desc limit ${MOST_COMMANDS}) c
     where d.id = any($1::int[]) order by c.accepted_at desc, c.id desc`,
    [deviceIds],
  )
  const facts = new Map<DeviceId, CommandFact[]>()
  for (const { device_id, name, args, state, sent_at, ended_at, text, errors } of rows) {
    const list = facts.get(device_id) ?? []
    facts.set(device_id, list)
    const words = [text, ...errors].filter(Boolean).join(' ')
    list.push({ name, args, state, sentAt: sent_at ?? undefined, endedAt: ended_at ?? undefined, words })
  }
  return facts
}
