import { QUEUED_HEADER, UNANSWERED_HEADER } from '#contract/call/headers.ts'
import { notAnsweredWithin } from '#contract/errors.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { acceptCommand, noteSettings } from '#server/gateway/commands/commandRows.ts'
import { keepDesiredSettings } from '#server/gateway/commands/desiredSettings.ts'
import { wordsOf } from '#server/gateway/commands/settingRows.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord, SignedInRequest } from '#server/http/call/route.ts'
import { completeSettings } from './completeSettings.ts'
import type { KnownDevice } from './knownDevice.ts'
import type { RequestedSection } from './requestedSections.ts'
import { queueSettings, readKnownDevices } from './setup.store.ts'

/** @returns the device's objections; empty when it has applied or will receive the settings */
export async function applySettings(
  { db, commands }: Pick<Given, 'db' | 'commands'>,
  asked: RequestedSection,
  { caller, change, setHeader }: Pick<SignedInRequest<never>, 'caller' | 'change' | 'setHeader'>,
): Promise<string[]> {
  const { deviceId } = asked
  const commandId = await keepSettings(db, asked, caller, change)
  change.stands()
  if (commandId === undefined) {
    setHeader(QUEUED_HEADER, 'true')
    return []
  }
  const row = await commands.outcome(deviceId, commandId)
  if (row === undefined) throw notFound()
  if (row.state === 'done') return []
  if (row.state === 'refused') return wordsOf(row)
  if (row.sent_at !== null) {
    setHeader(UNANSWERED_HEADER, 'true')
    return [`${notAnsweredWithin(commands.answerSeconds)} The change is kept and waits for the device.`]
  }
  // Nobody held the device's connection any more.
  if (row.settings_version !== null) await queueSettings(db, deviceId, row.settings_version)
  await commands.settingsChanged(deviceId)
  setHeader(QUEUED_HEADER, 'true')
  return []
}

/**
 * Keeps the desired settings together with the audit row.
 *
 * @returns the id of the command that carries them; undefined when they are queued
 */
function keepSettings(
  db: Db,
  asked: RequestedSection,
  caller: Caller,
  change: ChangeRecord,
): Promise<string | undefined> {
  const { deviceId, section } = asked
  const { userId, username } = caller
  return changeDevice(db, lockDevice, { id: deviceId, caller, change }, async (device, transaction) => {
    if (device.statusId === DEVICE_STATUS.deactivated) throw new CallError('device_deactivated')
    // The settings are read under the lock, so that unnamed values are the present ones.
    const known = (await readKnownDevices(transaction, [deviceId], scopeOf(caller))).get(deviceId) as KnownDevice
    const complete = completeSettings(asked, known)
    const { number, args } = complete
    const by = { userId, username }
    const kept = await keepDesiredSettings(transaction, { ...complete, ...by, isSent: device.isConnected })
    const audited = { before: { section, number, ...kept.before }, after: { section, number, ...args } }
    if (!device.isConnected) {
      // The device may be connecting at this moment with the former settings.
      await noteSettings(transaction, deviceId)
      return { audited, answer: undefined }
    }
    const command = { deviceId, name: `${section}.apply`, args, settingsVersion: kept.version } as const
    return { audited, answer: await acceptCommand(transaction, { ...command, ...by }) }
  })
}
