import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceIdValue, momentValue, textValue } from '#contract/call/values.ts'
import { batteryTestSchedule, COMMANDS, dataBudget, dayPlanEntries, localTimeValue } from '#contract/mqtt/command.ts'
import { SETTINGS_SECTIONS } from '#contract/mqtt/settings.ts'
import { GAMMA_VALUES } from '#domain/displays/gamma.ts'

const display = COMMANDS['display.apply'].shape
const ambient = COMMANDS['ambientSensor.apply'].shape

const gammaStep = z.literal([...GAMMA_VALUES]) as unknown as z.ZodType<number, number>

/** What the device said: empty, or its errors. Also one sentence when it did not answer within 10 s. */
const deviceErrors = z.array(z.string())

const changes = { action: 'Command', entity: 'Device' } as const

/**
 * `desiredAt` of the section as it was read; null: nobody had set it. Who has set other values since makes it a refusal
 * `settings_changed`, and nothing is sent. Left out: whatever was set meanwhile is replaced.
 */
const basedOn = momentValue.nullable().optional()

export const applyDisplaySettings = call({
  method: 'POST',
  path: 'Device/ApplyDisplaySettings',
  summary:
    'Set one display. What is left out stays as the device reports it. Kept for a device that is not connected, and applied when it reconnects.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Required where the device has several displays. */
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
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Required where the device has several ambient sensors. */
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
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    ...turnOffTimes.partial().shape,
    /** True: a group that is left out stays as it is. Else it is never off. */
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
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    workdays: dayPlanEntries.optional(),
    weekends: dayPlanEntries.optional(),
    holidays: dayPlanEntries.optional(),
    basedOn,
  }),
  answer: deviceErrors,
  /** `client_too_old`: it says of itself that it does not know day plans. `position_unknown`: of one by the sun. */
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
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Null: never by itself. */
    schedule: batteryTestSchedule.nullable(),
    basedOn,
  }),
  answer: deviceErrors,
  /** `client_too_old`: it says of itself that it does not know battery tests. */
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
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    /** Null: nothing is counted. */
    budget: dataBudget.nullable(),
    basedOn,
  }),
  answer: deviceErrors,
  /** `client_too_old`: it says of itself that it does not know data budgets. */
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
  body: nothing,
  answer: turnOffTimes,
  errors: ['not_found'],
})

/** Why the device does not have what it is to have. */
export const SETTING_REASONS = ['offline', 'waiting', 'refused'] as const

const settingArguments = z.record(z.string(), z.unknown())

/** One section of the settings: what an operator wants and what the device last confirmed are two things. */
export const settingSection = z.object({
  section: z.enum(SETTINGS_SECTIONS),
  /** Of the display or sensor; 1 for what a device has once. */
  number: z.number().int(),
  /** Arguments of the section's apply command (contract/mqtt/command.ts); after a refusal what was confirmed before, or null. */
  desired: settingArguments.nullable(),
  desiredAt: momentValue.nullable(),
  desiredBy: z.string().nullable(),
  reported: settingArguments.nullable(),
  reportedAt: momentValue.nullable(),
  /** Null when the device has what it is to have. */
  reason: z.enum(SETTING_REASONS).nullable(),
  /** What was asked last and refused, with the device's own words; null after the next accepted change. */
  refusal: z.object({ at: momentValue, asked: settingArguments, errors: z.array(z.string()) }).nullable(),
})
export type SettingSection = z.output<typeof settingSection>

export const deviceSettingsView = z.object({
  deviceId: deviceIdValue,
  version: z.number().int(),
  /**
   * Since when the device says that it holds settings of a version above which there is no room: it takes none of this
   * server before its key is renewed. Null while it takes them.
   */
  versionsUsedUpSince: momentValue.nullable(),
  timeZone: z.string(),
  /** Where it stands, in degrees; null: nobody has said it. */
  position: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  /** Whether its client can carry out a day plan, by what it reports; null while it has reported nothing. */
  knowsDayPlans: z.boolean().nullable(),
  /** The same of battery tests. */
  knowsBatteryTests: z.boolean().nullable(),
  /** The same of data budgets. */
  knowsDataBudgets: z.boolean().nullable(),
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
  permission: 'seeDevices',
  shows: ['Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: deviceSettingsView,
  errors: ['not_found'],
})

/** One change of a section that somebody asked for; what the device made of it is in the list of its commands. */
export const settingChange = z.object({
  id: z.number().int(),
  at: momentValue,
  /** "Staff" for authors outside one's scope. */
  by: z.string(),
  /** Arguments of the section's apply command, as they were wanted before and from then on. */
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
    /** Of the display or sensor; 1 for what a device has once. */
    number: z.int32().min(1).max(3),
    limit: z.int32().min(1).max(200).optional(),
    next: textValue(200).optional(),
  }),
  body: nothing,
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
  query: nothing,
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
        /** Displays whose backlight the ambient light sets: another level does not last. */
        automaticDisplays: z.array(z.number().int()),
        /**
         * Each display, ambient sensor, the off times and the day plan as the device reports them, as arguments of their apply commands.
         * What it has never reported is absent.
         */
        present: z.array(settingSection.pick({ section: true, number: true }).extend({ values: settingArguments })),
      }),
  ),
  errors: ['not_found'],
})
