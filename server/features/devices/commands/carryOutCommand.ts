import { commandNotAnsweredWithin } from '#contract/errors.ts'
import { ONE_POWER_ACTION_WITHIN_MS } from '#contract/http/devices/commands.ts'
import { NOT_UNDERSTOOD } from '#contract/mqtt/command.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { acceptCommand, type CommandRow } from '#server/gateway/commands/commandRows.ts'
import { wordsOf } from '#server/gateway/commands/settingRows.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { refusalOf } from '#server/http/call/refusal.ts'
import type { ChangeRecord, SignedInRequest } from '#server/http/call/route.ts'
import { type RecentCommands, readFittedParts, readRecent } from './commands.store.ts'
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

const GIVEN_AGAIN = 'The same command was given within 5 seconds; it is carried out once.'
const CLIENT_TOO_OLD = 'The client of this device is too old for this command.'

interface Press {
  readonly deviceId: DeviceId
  readonly command: PowerCommand
}

/**
 * Has a power action or reset carried out, at once or not at all.
 *
 * @returns the device's answer
 */
export async function carryOut(
  deps: Pick<Given, 'db' | 'commands'>,
  press: Press,
  { caller, change, arrivedAtMs }: Pick<SignedInRequest<never>, 'caller' | 'change' | 'arrivedAtMs'>,
): Promise<string> {
  const { answerSeconds } = deps.commands
  const waitedMs = () => performance.now() - arrivedAtMs
  const isLate = () => waitedMs() >= 1000 * answerSeconds
  const commandId = await accept(deps.db, press, { caller, change }, { waitedMs, isLate }).catch((error: unknown) => {
    throw refusalOf(error).code === 'outcome_unknown' ? sentPerhaps() : error
  })
  change.stands()
  const isTooLate = isLate()
  // The device may carry the command out from here on, so no fault may make the operator give it again.
  const row = await deps.commands.outcome(press.deviceId, commandId).catch(() => {
    throw sentPerhaps()
  })
  if (isTooLate && row && isUnsent(row)) throw new CallError('command_too_late')
  return answerOf(row, answerSeconds)
}

interface Timing {
  /** The command's time runs from its arrival, on the monotonic clock of this process. */
  readonly waitedMs: () => number
  readonly isLate: () => boolean
}

/** @returns the id of the command; one that was given again within seconds keeps its id */
function accept(
  db: Db,
  { deviceId, command }: Press,
  by: { readonly caller: Caller; readonly change: ChangeRecord },
  { waitedMs, isLate }: Timing,
): Promise<string> {
  const { userId, username } = by.caller
  return changeDevice(db, lockDevice, { id: deviceId, ...by }, async (device, transaction) => {
    const audited = (commandId: string) => ({ after: { command: command.name, ...command.args, commandId } })
    if (device.statusId === DEVICE_STATUS.deactivated) throw new CallError('device_deactivated')
    refuseAbsentPart(command, await readFittedParts(transaction, deviceId))
    const recent = await readRecent(transaction, { deviceId, command, userId }, WINDOWS)
    const since = recent.before(waitedMs())
    if (recent.same !== null) {
      return { audited: { ...audited(recent.same), details: GIVEN_AGAIN }, answer: recent.same }
    }
    if (!device.isOnline) throw new CallError('device_offline')
    refuseTooMany(recent)
    if (isLate()) throw new CallError('command_too_late')
    const id = await acceptCommand(transaction, { deviceId, ...command, userId, username, since })
    return { audited: audited(id), answer: id }
  })
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
