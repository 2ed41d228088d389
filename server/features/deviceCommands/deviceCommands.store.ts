import { sql } from 'kysely'
import type { DeviceCommand } from '#contract/http/deviceCommands.ts'
import type { DeviceId, UserId } from '#domain/ids.ts'
import { lockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import { toDeviceCommand } from '#server/gateway/commands/commandRows.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isOfScope, shownAs } from '#server/http/call/history.store.ts'
import type { PageAsked } from '#server/http/reading/pages.ts'
import type { PowerCommand } from './powerCommands.ts'

/** Where a page of commands ended. */
export interface CommandKey {
  readonly acceptedAt: string
  readonly id: string
}

export interface DeviceCommandStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** The newest of the same power commands that were accepted in the last milliseconds. */
  readonly findSame: (
    deviceId: DeviceId,
    command: PowerCommand,
    withinMs: number,
    transaction: Tx,
  ) => Promise<string | undefined>
  /** How long ago the device's newest power command was accepted; undefined when it is longer ago. */
  readonly newestAgeMs: (deviceId: DeviceId, withinMs: number, transaction: Tx) => Promise<number | undefined>
  /** Ages of a user's newest power commands, newest first; they are counted one transaction after the other. */
  readonly agesOfUserMs: (userId: UserId, withinMs: number, most: number, transaction: Tx) => Promise<number[]>
  /** Of the commands within the scope. */
  readonly page: (
    scope: Scope,
    deviceId: DeviceId,
    page: Pick<PageAsked<CommandKey>, 'after' | 'size'>,
  ) => Promise<readonly DeviceCommand[]>
}

const ageMs = sql<number>`(extract(epoch from clock_timestamp() - accepted_at) * 1000)::float8`
const isWithin = (ms: number) => sql<boolean>`accepted_at > clock_timestamp() - make_interval(secs => ${ms / 1000})`

export function createDeviceCommandStore(db: Db): DeviceCommandStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    findSame: async (deviceId, { name, args }, withinMs, transaction) => {
      const row = await transaction
        .selectFrom('device_command')
        .select('id')
        .where('device_id', '=', deviceId)
        .where('name', '=', name)
        .where(sql<boolean>`args = ${JSON.stringify(args)}::jsonb`)
        .where(isWithin(withinMs))
        .orderBy('accepted_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    newestAgeMs: async (deviceId, withinMs, transaction) => {
      const row = await transaction
        .selectFrom('device_command')
        .select(ageMs.as('age'))
        .where('device_id', '=', deviceId)
        .where('settings_version', 'is', null)
        .where(isWithin(withinMs))
        .orderBy('accepted_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.age
    },

    agesOfUserMs: async (userId, withinMs, most, transaction) => {
      await sql`select ${sql.raw(lockEachUntilCommit('powerCommandsOfUser', userId))}`.execute(transaction)
      const rows = await transaction
        .selectFrom('device_command')
        .select(ageMs.as('age'))
        .where('user_id', '=', userId)
        .where('settings_version', 'is', null)
        .where(isWithin(withinMs))
        .orderBy('accepted_at', 'desc')
        .limit(most)
        .execute()
      return rows.map(({ age }) => age)
    },

    page: async (scope, deviceId, { after, size }) => {
      const rows = await db
        .selectFrom('device_command as c')
        .leftJoin('app_user as author', 'author.id', 'c.user_id')
        .selectAll('c')
        .select(shownAs(scope, 'author', sql`c.username`).as('username'))
        .where('c.device_id', '=', deviceId)
        .where(isOfScope(scope, 'c.customer_id'))
        .$if(after !== undefined, (commands) =>
          commands.where(sql<boolean>`(c.accepted_at, c.id) < (${after?.acceptedAt}::timestamptz, ${after?.id}::uuid)`),
        )
        .orderBy('c.accepted_at', 'desc')
        .orderBy('c.id', 'desc')
        .limit(size)
        .execute()
      return rows.map(toDeviceCommand)
    },
  }
}
