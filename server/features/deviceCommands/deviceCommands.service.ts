import { z } from 'zod'
import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import { momentValue } from '#contract/call/values.ts'
import { commandNotAnsweredWithin } from '#contract/errors.ts'
import { type listDeviceCommands, ONE_POWER_ACTION_WITHIN_MS } from '#contract/http/deviceCommands.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { acceptCommand, type CommandRow } from '#server/gateway/commands/commandRows.ts'
import { wordsOf } from '#server/gateway/commands/settingRows.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { refusalOf } from '#server/http/call/refusal.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import type { DeviceCommandStore } from './deviceCommands.store.ts'
import type { PowerCommand } from './powerCommands.ts'

/** Security rows 4 and 19. */
const SAME_WITHIN_MS = 5_000
const USER_WINDOW_MS = 60_000
const MOST_PER_USER = 60

const PAGE_SIZE = 50

export interface DeviceCommandNeeds {
  readonly store: DeviceCommandStore
  readonly visibleDevices: VisibleDevices
  readonly answerSeconds: number
  /** Waits at most so long for the device; undefined when it was deleted meanwhile. */
  readonly outcome: (deviceId: DeviceId, commandId: string) => Promise<CommandRow | undefined>
}

export interface DeviceCommands {
  /**
   * Has a power action or reset carried out, at once or not at all.
   *
   * @returns what the device said
   */
  readonly carryOut: (
    deviceId: DeviceId,
    command: PowerCommand,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<string>
  readonly list: (
    query: ReadQueryOf<typeof listDeviceCommands>,
    caller: Caller,
  ) => Promise<AnswerOf<typeof listDeviceCommands>>
}

export function createDeviceCommands(needs: DeviceCommandNeeds): DeviceCommands {
  const { store, visibleDevices, answerSeconds, outcome } = needs
  return {
    carryOut: async (deviceId, command, caller, change) => {
      change.about({ id: deviceId })
      const accepting = store.transaction(async (transaction) => {
        const device = await lockDevice(deviceId, scopeOf(caller), transaction)
        if (!device) throw notFound()
        const { name, customerId } = device
        change.about({ name })
        const done = (id: string, details?: string) =>
          change.done(transaction, {
            customerId,
            after: { command: command.name, ...command.args, commandId: id },
            ...(details === undefined ? {} : { details }),
          })
        if (device.statusId === DEVICE_STATUS.deactivated) throw new CallError('device_deactivated')
        const same = await store.findSame(deviceId, command, SAME_WITHIN_MS, transaction)
        if (same !== undefined) {
          await done(same, 'The same command was given within 5 seconds; it is carried out once.')
          return same
        }
        if (!device.isOnline) throw new CallError('device_offline')
        await refuseTooMany(store, deviceId, caller, transaction)
        const { userId, username } = caller
        const id = await acceptCommand(transaction, { deviceId, ...command, userId, username })
        await done(id)
        return id
      })
      const commandId = await accepting.catch((error: unknown) => {
        throw refusalOf(error).code === 'outcome_unknown' ? sentPerhaps() : error
      })
      change.stands()
      // From here on it may be carried out whatever fails: nobody is to give it once more.
      const row = await outcome(deviceId, commandId).catch(() => {
        throw sentPerhaps()
      })
      return answerOf(row, answerSeconds)
    },

    list: async ({ deviceId, ...query }, caller) => {
      const scope = scopeOf(caller)
      await visibleDevices.require(scope, [deviceId])
      return readPage(
        askedPage(query, PAGE_SIZE, (key) => readPageKey(key, commandKey)),
        (asked) => store.page(scope, deviceId, asked),
        ({ acceptedAt, id }) => ({ acceptedAt, id }),
      )
    },
  }
}

async function refuseTooMany(
  store: DeviceCommandStore,
  deviceId: DeviceId,
  { userId }: Caller,
  transaction: Parameters<DeviceCommandStore['newestAgeMs']>[2],
): Promise<void> {
  const newest = await store.newestAgeMs(deviceId, ONE_POWER_ACTION_WITHIN_MS, transaction)
  if (newest !== undefined) throw tooMany(ONE_POWER_ACTION_WITHIN_MS - newest)
  const ofUser = await store.agesOfUserMs(userId, USER_WINDOW_MS, MOST_PER_USER, transaction)
  const oldest = ofUser[MOST_PER_USER - 1]
  if (oldest !== undefined) throw tooMany(USER_WINDOW_MS - oldest)
}

const tooMany = (waitMs: number) =>
  new CallError('too_many_commands', undefined, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })

const sentPerhaps = () => new CallError('command_outcome_unknown')

/** @throws CallError unless the device has carried it out */
function answerOf(row: CommandRow | undefined, answerSeconds: number): string {
  if (row === undefined) throw notFound()
  if (row.state === 'done') return row.text.trim() === '' ? 'The device has carried out the command.' : row.text
  if (row.state === 'expired' && row.sent_at === null) throw new CallError('device_offline')
  if (row.state === 'refused' || row.state === 'expired') throw new CallError('device_refused', wordsOf(row).join(' '))
  throw new CallError('device_silent', commandNotAnsweredWithin(answerSeconds))
}

const commandKey = z.strictObject({ acceptedAt: momentValue, id: z.guid() })
