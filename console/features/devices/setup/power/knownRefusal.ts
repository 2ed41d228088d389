import { commandLabels } from '#console/deviceParts/commandLabels.ts'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { send } from '#console/lib/call/api.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { type DeviceCommand, listDeviceCommands, ONE_POWER_ACTION_WITHIN_MS } from '#contract/http/devices/commands.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { SETTINGS_SECTIONS } from '#contract/mqtt/settings.ts'
import { CONNECTION_STATUS, DEVICE_STATUS } from '#domain/devices/status.ts'

/** Nobody sends more commands than this within the seconds that count. */
const COMMANDS_LOOKED_AT = 20

type Standing = Pick<Device, 'statusId' | 'connStatusId'>

export function standingRefusal({ statusId, connStatusId }: Standing): string | undefined {
  if (statusId === DEVICE_STATUS.deactivated) return deviceMessages.powerDeactivated
  return connStatusId === CONNECTION_STATUS.offline ? deviceMessages.powerOffline : undefined
}

/**
 * It returns why a device would refuse a power action now and what to wait for, or undefined when nothing is known
 * against it. It is checked before the question, because whoever has read what an action does and said Yes should not
 * learn only then that it is impossible.
 */
export async function knownRefusal(device: Device): Promise<string | undefined> {
  const standing = standingRefusal(device)
  if (standing !== undefined) return standing
  // If this read fails, the server still decides.
  const list = await send(listDeviceCommands, { query: { deviceId: device.id, limit: COMMANDS_LOOKED_AT } }).catch(
    () => undefined,
  )
  const newest = list?.rows.find(isPowerAction)
  if (!newest) return undefined
  const waitMs = Date.parse(newest.acceptedAt) + ONE_POWER_ACTION_WITHIN_MS - serverNowMs()
  if (waitMs <= 0) return undefined
  const { title } = commandLabels(newest.name, newest.args)
  return deviceMessages.powerTooSoon(title, newest.username, Math.ceil(waitMs / 1000))
}

/** A client that could not restart its computer has done nothing. */
const isPowerAction = ({ name, state }: DeviceCommand) =>
  !SETTINGS_SECTIONS.some((section) => name === `${section}.apply`) &&
  !(name === 'computer.reboot' && state === 'refused')
