import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, momentValue, textValue } from '#contract/call/values.ts'
import { batteryTestSchedule, COMMANDS, dataBudget, dayPlanEntries, localTimeValue } from '#contract/mqtt/command.ts'
import { SETTINGS_SECTIONS } from '#contract/mqtt/settings.ts'
import { GAMMA_VALUES } from '#domain/displays/gamma.ts'

const display = COMMANDS['display.apply'].shape
const ambient = COMMANDS['ambientSensor.apply'].shape

const gammaStep = z.literal([...GAMMA_VALUES]) as unknown as z.ZodType<number, number>

/** The errors that the device returned, or none. If it did not answer within 10 s, one sentence says so. */
const deviceErrors = z.array(z.string())

const changes = { action: 'Command', entity: 'Device' } as const

/**
 * The section's `desiredAt` when the caller read it; null when nobody had set it. If somebody set other values since,
 * the call is refused with `settings_changed` and nothing is sent. Without it, changes made meanwhile are overwritten.
 */
const basedOn = momentValue.nullable().optional()

export const applyDisplaySettings = call({
  method: 'POST',
  path: 'Device/ApplyDisplaySettings',
  summary:
    'Set one display. What is left out stays as the device reports it. Kept for a device that is not connected, and applied when it reconnects.',
  permission: 'deviceManager',
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Required when the device has several displays. */
    displayNumber: display.displayNumber.optional(),
    /** Black level. */
    dBrightness: display.brightness,
    dTouchScreenStatus: display.touchScreenStatus,
    dBacklightLevel: display.backlightLevel,
    dGammaValue: gammaStep.optional(),
    dRedColorBalance: display.redColorBalance,
    dGreenColorBalance: display.greenColorBalance,
    dBlueColorBalance: display.blueColorBalance,
    basedOn,
  }),
  answer: deviceErrors,
  errors: ['not_found', 'device_deactivated', 'settings_changed'],
  changes,
  stepUp: 'ofSeveral',
})

export const applyAmbientSensorSettings = call({
  method: 'POST',
  path: 'Device/ApplyAmbientSensorSettings',
  summary:
    'Set how ambient light steers the backlight. What is left out stays as the device reports it. Kept for a device that is not connected.',
  permission: 'deviceManager',
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Required when the device has several ambient sensors. */
    number: ambient.number.optional(),
    dBacklightAutomaticStatus: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
    dMinBacklight: ambient.minBacklight.optional(),
    dMaxBacklight: ambient.maxBacklight.optional(),
    dMinAmbientLight: ambient.minAmbientLight.optional(),
    dMaxAmbientLight: ambient.maxAmbientLight.optional(),
    basedOn,
  }),
  answer: deviceErrors,
  errors: ['not_found', 'device_deactivated', 'settings_changed'],
  changes,
  stepUp: 'ofSeveral',
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

export const applyTurnDisplayOffSettings = call({
  method: 'POST',
  path: 'Device/ApplyTurnDisplayOffSettings',
  summary: 'Set when displays are off, in local time of the device. Leave a group empty to keep displays on.',
  permission: 'deviceManager',
  body: z.strictObject({
    deviceId: deviceIdValue,
    ...turnOffTimes.partial().shape,
    /** If true, a group that is left out stays unchanged. Otherwise its displays are never off. */
    leaveOthers: z.boolean().optional(),
    basedOn,
  }),
  answer: deviceErrors,
  errors: ['not_found', 'device_deactivated', 'settings_changed'],
  changes,
  stepUp: 'ofSeveral',
})

export const applyDayPlanSettings = call({
  method: 'POST',
  path: 'Device/ApplyDayPlanSettings',
  summary:
    'Set the backlight by the time of the day, in local time of the device or by the sun where it stands. A kind of day that is left out stays as it is; one without entries has no plan. Off times go over the plan, the plan over the ambient curve.',
  permission: 'deviceManager',
  body: z.strictObject({
    deviceId: deviceIdValue,
    workdays: dayPlanEntries.optional(),
    weekends: dayPlanEntries.optional(),
    holidays: dayPlanEntries.optional(),
    basedOn,
  }),
  answer: deviceErrors,
  /** `client_too_old` means that the client has no day plans, `position_unknown` that the sun cannot be computed. */
  errors: ['not_found', 'device_deactivated', 'settings_changed', 'client_too_old', 'position_unknown'],
  changes,
  stepUp: 'ofSeveral',
})

export const applyBatteryTestSettings = call({
  method: 'POST',
  path: 'Device/ApplyBatteryTestSettings',
  summary:
    'Set when the battery of the UPS is tested by itself, in local time of the device. Never with the mains away or a battery below 90 %, at most once in each window.',
  permission: 'deviceManager',
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Null switches scheduled tests off. */
    schedule: batteryTestSchedule.nullable(),
    basedOn,
  }),
  answer: deviceErrors,
  /** `client_too_old` means that the client has no battery tests. */
  errors: ['not_found', 'device_deactivated', 'settings_changed', 'client_too_old'],
  changes,
  stepUp: 'ofSeveral',
})

export const applyDataBudgetSettings = call({
  method: 'POST',
  path: 'Device/ApplyDataBudgetSettings',
  summary:
    'Set what the SIM of the router may use in a month of billing. The device counts by the counter of its router, from then on, and reports megabytes and percent.',
  permission: 'deviceManager',
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Null stops the counting. */
    budget: dataBudget.nullable(),
    basedOn,
  }),
  answer: deviceErrors,
  /** `client_too_old` means that the client has no data budgets. */
  errors: ['not_found', 'device_deactivated', 'settings_changed', 'client_too_old'],
  changes,
  stepUp: 'ofSeveral',
})

export const getDeviceLocalSettings = call({
  method: 'GET',
  path: 'Device/GetDeviceLocalSettings',
  summary: 'Turn-off times that the device is to have, in its local time; null is never.',
  permission: 'seeDevices',
  shows: ['Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: turnOffTimes,
  errors: ['not_found'],
})

export const SETTING_REASONS = ['offline', 'waiting', 'refused'] as const

const settingArguments = z.record(z.string(), z.unknown())

/** One section of the settings; what an operator wants and what the device last confirmed are kept apart. */
export const settingSection = z.object({
  section: z.enum(SETTINGS_SECTIONS),
  /** The number of the display or sensor; 1 for what a device has once. */
  number: z.number().int(),
  /** Arguments of the apply command (contract/mqtt/command.ts); after a refusal, the values confirmed before. */
  desired: settingArguments.nullable(),
  desiredAt: momentValue.nullable(),
  desiredBy: z.string().nullable(),
  reported: settingArguments.nullable(),
  reportedAt: momentValue.nullable(),
  /** Null when the device has the desired settings. */
  reason: z.enum(SETTING_REASONS).nullable(),
  /** The last request and the device's words of refusal; null after the next accepted change. */
  refusal: z.object({ at: momentValue, asked: settingArguments, errors: z.array(z.string()) }).nullable(),
})
export type SettingSection = z.output<typeof settingSection>

export const deviceSettingsView = z.object({
  deviceId: deviceIdValue,
  version: z.number().int(),
  /**
   * Since then the device says that it holds the highest possible settings version, so it accepts none from this server
   * until its key is renewed. Null while it accepts them.
   */
  versionsUsedUpSince: momentValue.nullable(),
  timeZone: z.string(),
  /** The position of the device in degrees; null while it is unknown. */
  position: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  /** Whether its client has day plans, by what it reports; null while it has reported nothing. */
  knowsDayPlans: z.boolean().nullable(),
  /** The same for battery tests; null while it has reported nothing. */
  knowsBatteryTests: z.boolean().nullable(),
  /** The same for data budgets; null while it has reported nothing. */
  knowsDataBudgets: z.boolean().nullable(),
  isOnline: z.boolean(),
  sections: z.array(settingSection),
  /** The local dates (`YYYY-MM-DD`) within the next 14 days that are holidays at the device's location. */
  holidays: z.array(z.object({ date: z.string(), name: z.string() })),
})
export type DeviceSettingsView = z.output<typeof deviceSettingsView>

export const getDeviceSettings = call({
  method: 'GET',
  path: 'Device/GetDeviceSettings',
  summary: 'Desired and reported settings of a device, with the reason where they differ.',
  permission: 'seeDevices',
  shows: ['Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: deviceSettingsView,
  errors: ['not_found'],
})

/** One requested change of a section; the list of commands says what the device did with it. */
export const settingChange = z.object({
  id: z.number().int(),
  at: momentValue,
  /** "Staff" stands for authors outside the caller's scope. */
  by: z.string(),
  /** The arguments of the section's apply command before and after the change. */
  before: settingArguments,
  after: settingArguments,
})
export type SettingChange = z.output<typeof settingChange>

export const listSettingChanges = call({
  method: 'GET',
  path: 'Device/GetSettingChangeList',
  summary: 'Who set a section of the settings to what, newest first.',
  permission: 'seeDevices',
  shows: ['Device'],
  query: z.strictObject({
    deviceId: deviceIdValue,
    section: z.enum(SETTINGS_SECTIONS),
    /** The number of the display or sensor; 1 for what a device has once. */
    number: z.int32().min(1).max(3),
    limit: z.int32().min(1).max(200).optional(),
    next: textValue(200).optional(),
  }),
  answer: z.object({ rows: z.array(settingChange), next: z.string().nullable() }),
  errors: ['not_found'],
})

export const MOST_COMPARED_DEVICES = 500

export const compareDeviceSettings = call({
  method: 'POST',
  path: 'Device/CompareDeviceSettings',
  summary:
    'What several devices report of their settings, and what they are to have, to see who differs before they are all set. Changes nothing.',
  permission: 'deviceManager',
  shows: ['Device'],
  body: z.strictObject({ deviceIds: z.array(deviceIdValue).min(1).max(MOST_COMPARED_DEVICES) }),
  answer: z.array(
    deviceSettingsView
      .pick({ deviceId: true, isOnline: true, sections: true, position: true, knowsDayPlans: true })
      .extend({
        name: z.string(),
        statusId: z.number().int(),
        modelId: z.number().int(),
        tags: z.array(z.string()),
        displayNumbers: z.array(z.number().int()),
        /** The displays whose backlight follows the ambient light, so that a level set by hand does not last. */
        automaticDisplays: z.array(z.number().int()),
        /**
         * Each display, ambient sensor, the off times and the day plan as the device reports them, as arguments of
         * their apply commands. What it has never reported is absent.
         */
        present: z.array(settingSection.pick({ section: true, number: true }).extend({ values: settingArguments })),
      }),
  ),
  errors: ['not_found'],
})
