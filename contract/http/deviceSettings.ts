import { z } from 'zod'
import { COMMANDS, localTimeValue } from '#contract/mqtt/command.ts'
import { SETTINGS_SECTIONS } from '#contract/mqtt/settings.ts'
import { call, nothing } from './call.ts'
import { deviceIdValue, momentValue } from './values.ts'

const display = COMMANDS['display.apply'].shape
const ambient = COMMANDS['ambientSensor.apply'].shape
const turnOff = COMMANDS['turnOff.apply'].shape

/** What the device said: empty, or its errors. Also one sentence when it did not answer within 10 s. */
const deviceErrors = z.array(z.string())

const changes = { action: 'Command', entity: 'Device' } as const

/** Set on the answer to an apply for a device that is not connected: it will be applied when the device reconnects. */
export const QUEUED_HEADER = 'x-wayside-queued'

export const applyDisplaySettings = call({
  method: 'POST',
  path: 'Device/ApplyDisplaySettings',
  summary: 'Set one display. Kept for a device that is not connected, and applied when it reconnects.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    displayNumber: display.displayNumber.default(1),
    /** Black level. */
    dBrightness: display.brightness,
    /** Left out where the state of the touch screen is unknown: it stays as it is. */
    dTouchScreenStatus: display.touchScreenStatus,
    dBacklightLevel: display.backlightLevel,
    dGammaValue: display.gammaValue,
    dRedColorBalance: display.redColorBalance,
    dGreenColorBalance: display.greenColorBalance,
    dBlueColorBalance: display.blueColorBalance,
  }),
  answer: deviceErrors,
  errors: ['not_found', 'device_deactivated'],
  changes,
})

export const applyAmbientSensorSettings = call({
  method: 'POST',
  path: 'Device/ApplyAmbientSensorSettings',
  summary: 'Set how ambient light steers the backlight. Kept for a device that is not connected.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    number: ambient.number.default(1),
    dBacklightAutomaticStatus: z.union([z.boolean(), z.literal(0), z.literal(1)]),
    dMinBacklight: ambient.minBacklight,
    dMaxBacklight: ambient.maxBacklight,
    dMinAmbientLight: ambient.minAmbientLight,
    dMaxAmbientLight: ambient.maxAmbientLight,
  }),
  answer: deviceErrors,
  errors: ['not_found', 'device_deactivated'],
  changes,
})

export const applyTurnDisplayOffSettings = call({
  method: 'POST',
  path: 'Device/ApplyTurnDisplayOffSettings',
  summary: 'Set when displays are off, in local time of the device. A group without times is never off.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    wdTimeOffFrom: turnOff.wdTimeOffFrom.default(null),
    wdTimeOffTo: turnOff.wdTimeOffTo.default(null),
    wkndTimeOffFrom: turnOff.wkndTimeOffFrom.default(null),
    wkndTimeOffTo: turnOff.wkndTimeOffTo.default(null),
    holTimeOffFrom: turnOff.holTimeOffFrom.default(null),
    holTimeOffTo: turnOff.holTimeOffTo.default(null),
  }),
  answer: deviceErrors,
  errors: ['not_found', 'device_deactivated'],
  changes,
})

export const turnOffTimes = z.object({
  wdTimeOffFrom: localTimeValue,
  wdTimeOffTo: localTimeValue,
  wkndTimeOffFrom: localTimeValue,
  wkndTimeOffTo: localTimeValue,
  holTimeOffFrom: localTimeValue,
  holTimeOffTo: localTimeValue,
})
export type TurnOffTimes = z.output<typeof turnOffTimes>

export const getDeviceLocalSettings = call({
  method: 'GET',
  path: 'Device/GetDeviceLocalSettings',
  summary: 'Turn-off times that the device is to have, in its local time; null is never.',
  permission: 'deviceManager',
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: turnOffTimes,
  errors: ['not_found'],
})

/** Why the device does not have what it is to have. */
export const SETTING_REASONS = ['offline', 'waiting', 'refused'] as const

/** One section of the settings: what an operator wants and what the device last confirmed are two things. */
export const settingSection = z.object({
  section: z.enum(SETTINGS_SECTIONS),
  /** Of the display or sensor; 1 for turn-off times. */
  number: z.number().int(),
  /** Arguments of the section's apply command (contract/mqtt/command.ts); after a refusal what was confirmed before, or null. */
  desired: z.record(z.string(), z.unknown()).nullable(),
  desiredAt: momentValue.nullable(),
  desiredBy: z.string().nullable(),
  reported: z.record(z.string(), z.unknown()).nullable(),
  reportedAt: momentValue.nullable(),
  /** Null when the device has what it is to have. */
  reason: z.enum(SETTING_REASONS).nullable(),
  /** What was asked last and refused, with the device's own words; null after the next accepted change. */
  refusal: z
    .object({ at: momentValue, asked: z.record(z.string(), z.unknown()), errors: z.array(z.string()) })
    .nullable(),
})
export type SettingSection = z.output<typeof settingSection>

export const deviceSettingsView = z.object({
  deviceId: deviceIdValue,
  version: z.number().int(),
  timeZone: z.string(),
  isOnline: z.boolean(),
  /** Sections that somebody has set. */
  sections: z.array(settingSection),
  /** Local dates (`YYYY-MM-DD`) of the next 14 days that are holidays where the device stands. */
  holidays: z.array(z.object({ date: z.string(), name: z.string() })),
})
export type DeviceSettingsView = z.output<typeof deviceSettingsView>

export const getDeviceSettings = call({
  method: 'GET',
  path: 'Device/GetDeviceSettings',
  summary: 'Desired and reported settings of a device, with the reason where they differ.',
  permission: 'deviceManager',
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: deviceSettingsView,
  errors: ['not_found'],
})

export const MOST_COMPARED_DEVICES = 500

export const compareDeviceSettings = call({
  method: 'POST',
  path: 'Device/CompareDeviceSettings',
  summary: 'Desired settings of several devices, to see who differs before they are all set. Changes nothing.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({ deviceIds: z.array(deviceIdValue).min(1).max(MOST_COMPARED_DEVICES) }),
  answer: z.array(
    deviceSettingsView.pick({ deviceId: true, isOnline: true, sections: true }).extend({
      name: z.string(),
      statusId: z.number().int(),
      modelId: z.number().int(),
      displayNumbers: z.array(z.number().int()),
    }),
  ),
  errors: ['not_found'],
})
