import { z } from 'zod'
import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import { momentValue } from '#contract/call/values.ts'
import { commandNotAnsweredWithin } from '#contract/errors.ts'
import { type listDeviceCommands, ONE_POWER_ACTION_WITHIN_MS } from '#contract/http/devices/commands.ts'
import { NOT_UNDERSTOOD } from '#contract/mqtt/command.ts'
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
import type { DeviceCommandStore, RecentCommands } from './commands.store.ts'
import type { PowerCommand } from './powerCommands.ts'
import { refuseAbsentPart } from './refuseAbsentPart.ts'

/** These windows are rows 4 and 19 of the security page. */
const USER_WINDOW_MS = 60_000
const WINDOWS = {
  sameWithinMs: 5_000,
  deviceWithinMs: ONE_POWER_ACTION_WITHIN_MS,
  userWithinMs: USER_WINDOW_MS,
  mostOfUser: 60,
}

const PAGE_SIZE = 50
const CLIENT_TOO_OLD = 'The client of this device is too old for this command.'

export interface DeviceCommandDeps {
  readonly store: DeviceCommandStore
  readonly visibleDevices: VisibleDevices
  readonly answerSeconds: number
  /** Waits a limited time for the device's answer; undefined when the device was deleted meanwhile. */
  readonly outcome: (deviceId: DeviceId, commandId: string) => Promise<CommandRow | undefined>
}

export interface Press {
  readonly deviceId: DeviceId
  readonly command: PowerCommand
  /** The moment of arrival on the monotonic clock of this process, from which the command's time runs. */
  readonly arrivedAtMs: number
}

export interface DeviceCommands {
  /**
   * Has a power action or reset carried out, at once or not at all.
   * @returns the device's answer
   */
  readonly carryOut: (press: Press, caller: Caller, change: ChangeRecord) => Promise<string>
  readonly list: (
    query: ReadQueryOf<typeof listDeviceCommands>,
    caller: Caller,
  ) => Promise<AnswerOf<typeof listDeviceCommands>>
}

export function createDeviceCommands(deps: DeviceCommandDeps): DeviceCommands {
  const { store, visibleDevices, answerSeconds, outcome } = deps
  return {
    carryOut: async ({ deviceId, command, arrivedAtMs }, caller, change) => {
      change.about({ id: deviceId })
      const { userId, username } = caller
      const waitedMs = () => performance.now() - arrivedAtMs
      const isLate = () => waitedMs() >= 1000 * answerSeconds
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
        refuseAbsentPart(command, await store.fitted(deviceId, transaction))
        const recent = await store.recent({ deviceId, command, userId }, WINDOWS, transaction)
        const since = recent.before(waitedMs())
        if (recent.same !== null) {
          await done(recent.same, 'The same command was given within 5 seconds; it is carried out once.')
          return recent.same
        }
        if (!device.isOnline) throw new CallError('device_offline')
        refuseTooMany(recent)
        if (isLate()) throw new CallError('command_too_late')
        const id = await acceptCommand(transaction, { deviceId, ...command, userId, username, since })
        await done(id)
        return id
      })
      const commandId = await accepting.catch((error: unknown) => {
        throw refusalOf(error).code === 'outcome_unknown' ? sentPerhaps() : error
      })
      change.stands()
      const isTooLate = isLate()
      // The device may carry the command out from here on, so no fault may make the operator give it again.
      const row = await outcome(deviceId, commandId).catch(() => {
        throw sentPerhaps()
      })
      if (isTooLate && row && isUnsent(row)) throw new CallError('command_too_late')
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

function refuseTooMany({ newestAgeMs, oldestOfUserAgeMs }: RecentCommands): void {
  if (newestAgeMs !== null) throw tooMany(ONE_POWER_ACTION_WITHIN_MS - newestAgeMs)
  if (oldestOfUserAgeMs !== null) throw tooMany(USER_WINDOW_MS - oldestOfUserAgeMs)
}

const tooMany = (waitMs: number) =>
  new CallError('too_many_commands', undefined, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })

const sentPerhaps = () => new CallError('command_outcome_unknown')

const isUnsent = ({ state, sent_at }: CommandRow) => state === 'expired' && sent_at === null

/** @throws CallError unless the device has carried it out */
function answerOf(row: CommandRow | undefined, answerSeconds: number): string {
  if (row === undefined) throw notFound()
  if (row.state === 'done') return row.text.trim() === '' ? 'The device has carried out the command.' : row.text
  if (isUnsent(row)) throw new CallError('device_offline')
  if (row.state === 'refused' && row.text === NOT_UNDERSTOOD) throw new CallError('device_refused', CLIENT_TOO_OLD)
  if (row.state === 'refused' || row.state === 'expired') throw new CallError('device_refused', wordsOf(row).join(' '))
  throw new CallError('device_silent', commandNotAnsweredWithin(answerSeconds))
}

const commandKey = z.strictObject({ acceptedAt: momentValue, id: z.guid() })
