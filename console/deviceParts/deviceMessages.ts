import { CONSEQUENCES } from '#domain/devices/commandLabels.ts'
import { formatNumber } from '#domain/units/numbers.ts'

const devicesText = (count: number) => (count === 1 ? 'one device' : `${formatNumber(count)} devices`)

/**
 * These messages concern commands and updates of devices; `console/lib/call/messages.ts` has those that a page needs
 * before it knows of any device.
 */
export const deviceMessages = {
  appliedUnderLight:
    'The device has applied the settings. Automatic backlight is on, so the ambient light sets the backlight again.',
  backlightUndone:
    'Automatic backlight is on: the ambient light sets the backlight again within seconds. Turn automatic backlight off to keep this level.',
  appliedUnderPlan: 'The device has applied the settings. A day plan holds now, so it sets the backlight again.',
  backlightUndoneByPlan:
    'A day plan holds now: it sets the backlight again within a minute. Change the plan under Brightness by time to keep this level.',
  appliedInOffTimes:
    'The device has applied the settings. Off times hold now, so the display stays dark until they end.',
  backlightUndoneByOffTimes:
    'Off times hold now: the display stays dark until they end. Change them under Turn display(s) off to light it now.',
  restartByNothing: 'It cannot be restarted remotely. Send a technician.',
  restartHarder: (words: string) => `${words} It can be restarted by its power instead.\n\n`,
  wiringUnknown:
    'The power wiring of this device could not be loaded. Reload the page, or use the power actions on the Setup tab.',
  powerOffline: 'The device is offline, and power actions are never queued. Wait until it is connected again.',
  powerDeactivated: 'The device is deactivated and takes no commands. Give it another status first.',
  powerTooSoon: (last: string, username: string, seconds: number) =>
    `A device takes one power action every 10 seconds. The last one was "${last}" by ${username}. Try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
  deactivatedTakesNothing: CONSEQUENCES.deactivated,
  componentsSaved: 'The components are saved.',
  confirmComponents: (device: string, changes: string) =>
    `Are you sure you want to save the components of "${device}" (${changes})?`,
  confirmRemovePart: (part: string, device: string) =>
    `Remove ${part} from "${device}"? Its tiles and its switches disappear. You can add it again under Components.`,
  feedsSaved: 'The power wiring is saved.',
  driverSaved: 'The driver is saved. The device takes it with its settings.',
  driversUnknown:
    'The client of this device does not report driver support. It keeps working as before until the client is updated.',
  driverUnknown: 'The client of this device does not support this driver. Update the client to use it.',
  discardComponents: 'Discard all changes of the components?',
  confirmClientUpdate: (count: number, version: string | undefined) =>
    `Update the client of ${devicesText(count)} to ${version ?? 'the newest release'}? Each downloads it, checks it and starts again; one that is offline does so when it comes back. A device that cannot connect with it goes back to the client it has.`,
  notUpdated: 'Not updated:',
  waitForRelease: 'Wait until one is there; the staff uploads it under Device software.',
  clientUpdateBegun: (count: number) =>
    count === 1 ? 'The device is being updated.' : `${formatNumber(count)} devices are being updated.`,
  confirmRemoveRelease: (version: string) =>
    `Remove release ${version}? No device can be updated to it any more; devices that run it go on running it.`,
  releaseUploaded: (version: string) =>
    `Release ${version} is uploaded. Devices are updated only when you start an update.`,
  releaseRemoved: (version: string) => `Release ${version} is removed.`,
  confirmCreateUpdate: (count: number, version: string, firstCount: number) =>
    count === firstCount
      ? `Update ${devicesText(count)} to ${version}, all of them now?`
      : `Update ${devicesText(count)} to ${version}, beginning now with ${devicesText(firstCount)}?`,
  firstGroupNotChosen: 'The first group names a device that is not among the chosen ones.',
  updateStarted: (version: string) => `The update to ${version} has started.`,
  confirmPauseUpdate: (version: string) =>
    `Pause the update to ${version}? Devices that have not started wait until you resume it. Those that have started finish.`,
  confirmResumeUpdate: (version: string) =>
    `Resume the update to ${version}? It is assigned again to devices of the waves that have started, and the next wave starts as planned.`,
  confirmResumeHalted: (version: string) =>
    `Resume the update to ${version} although devices have failed? Past failures no longer count: it halts again when too many further devices fail.`,
  confirmStopUpdate: (version: string) =>
    `Stop the update to ${version} for good? Devices that have not started keep their client, even when they come back. Those that have started finish. It cannot be resumed.`,
  confirmRetryFailed: (version: string, count: number, isWaiting: boolean) =>
    `Try ${version} again on ${count === 1 ? 'the device that failed' : `the ${formatNumber(count)} devices that failed`}?${isWaiting ? ' It happens when you resume the update.' : ''}`,
  confirmLeaveOut: (deviceName: string, updateId: number) =>
    `Leave ${deviceName} out of update ${updateId}? It keeps the client that it runs, and you can update it by another update.`,
  leftOut: 'The device is left out of the update.',
  confirmTakeOut: (sentences: readonly string[], version: string) =>
    `${sentences.join('\n')}\n\nLeave ${sentences.length === 1 ? 'it' : 'them'} out there, to update to ${version} instead?`,
  updatePaused: 'The update is paused.',
  updateResumed: 'The update is resumed.',
  updateStopped: 'The update is stopped.',
  updateRetried: 'Devices that failed try again.',
  updateRetriedLater: 'Devices that failed try again when the update is resumed.',
} as const
