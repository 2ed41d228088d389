import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { customerIdValue, deviceGuidValue, deviceIdValue, lineValue, nameValue } from '#contract/call/values.ts'
import { dayPlanEntries } from '#contract/mqtt/command.ts'
import { POWER_IN_DARK } from '#domain/drivers/powerInDark.ts'
import { HOLIDAY_RULES } from '#domain/lightRules/ruleSet.ts'
import { turnOffTimes } from '../devices/setup.ts'
import { monthValue } from './lightStatements.ts'

const MOST_RULES = 20
const MOST_CORNERS = 500
const MOST_DATES = 100
const LARGEST_LUX = 100_000
const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const dateOrNull = z.iso.date().nullable()

const lightRule = z.strictObject({
  days: z.array(z.int().min(0).max(6)).max(7),
  from: wallTime,
  to: wallTime,
  onHolidays: z.enum(HOLIDAY_RULES),
  levelPercent: z.int().min(0).max(99),
  belowLux: z.int().min(1).max(LARGEST_LUX).nullable(),
})

/** The form of the data files too (docs/guide/operate/light-rules.md). */
export const lightRuleSet = z.strictObject({
  name: nameValue(120),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  area: z
    .array(z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }))
    .max(MOST_CORNERS)
    .nullable(),
  rules: z.array(lightRule).min(1).max(MOST_RULES),
  exceptDates: z.array(z.string().regex(/^(\d{4}-)?\d\d-\d\d$/)).max(MOST_DATES),
  validFrom: dateOrNull,
  validUntil: dateOrNull,
  source: lineValue(300),
  sourceUrl: lineValue(300),
})

const ruleSetId = z.int32().positive()

const ruleSetRow = z.object({
  id: ruleSetId,
  /** Null for devices of every customer. */
  customerId: customerIdValue.nullable(),
  customerName: z.string().nullable(),
  set: lightRuleSet,
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  /** The set that ended when this one began; null for a first version. */
  replaces: ruleSetId.nullable(),
  mayChange: z.boolean(),
  /** The devices that it meets by their position, and those of which nobody knows where they are. */
  metDevices: z.int(),
  unknownDevices: z.int(),
})
export type LightRuleSetRow = z.output<typeof ruleSetRow>

export const listLightRuleSets = call({
  method: 'GET',
  path: 'LightRule/GetRuleSetList',
  summary: 'The rule sets that devices are held against, and the data files that can be used.',
  permission: 'seeDevices',
  shows: ['Light rule', 'Device', 'Customer'],
  answer: z.object({
    rows: z.array(ruleSetRow),
    /** The rule sets that come along. They apply to nothing until somebody uses one. */
    files: z.array(z.object({ key: z.string(), set: lightRuleSet })),
  }),
})

export const createLightRuleSet = call({
  method: 'POST',
  path: 'LightRule/CreateRuleSet',
  summary:
    'Hold devices against a rule set from now on: those of a customer, or of every customer. A set is never edited, so that its months stay what they were. Answers the id.',
  permission: 'admin',
  body: z.strictObject({ customerId: customerIdValue.nullable(), set: lightRuleSet }),
  answer: ruleSetId,
  errors: ['not_found'],
  changes: { action: 'Create', entity: 'Light rule' },
})

export const endLightRuleSet = call({
  method: 'POST',
  path: 'LightRule/EndRuleSet',
  summary: 'End a rule set: its last nights begin on this day. What was counted stays.',
  permission: 'admin',
  body: z.strictObject({ id: ruleSetId, validUntil: z.iso.date() }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Light rule' },
})

export const replaceLightRuleSet = call({
  method: 'POST',
  path: 'LightRule/ReplaceRuleSet',
  summary:
    'Change a rule set from a day on, tomorrow (UTC) or later: it ends the day before, and another one of the same customer begins. What was counted stays. Answers the id of the new one.',
  permission: 'admin',
  body: z.strictObject({ id: ruleSetId, set: lightRuleSet.extend({ validFrom: z.iso.date() }) }),
  answer: ruleSetId,
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Light rule' },
})

export const deleteLightRuleSet = call({
  method: 'POST',
  path: 'LightRule/DeleteRuleSet',
  summary: 'Delete a rule set with everything that was counted by it.',
  permission: 'admin',
  body: z.strictObject({ id: ruleSetId }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Light rule' },
})

const complying = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('offTimes'), offTimes: turnOffTimes }),
  z.object({
    kind: z.literal('dayPlan'),
    dayPlan: z.object({ workdays: dayPlanEntries, weekends: dayPlanEntries, holidays: dayPlanEntries }),
  }),
])

const conflict = z.object({
  deviceId: deviceIdValue,
  guid: deviceGuidValue,
  name: z.string(),
  address: z.string(),
  timeZone: z.string(),
  /** The minutes of two weeks in which the settings give more light than allowed. */
  minutes: z.int(),
  /** The day of the first of them, in the device's own zone. */
  fromDate: z.iso.date(),
  first: z.string(),
  allowedPercent: z.int(),
  /** Null where nobody knows which light the settings give. */
  plannedPercent: z.number().nullable(),
  /** The present off times of the device in words; empty where it has none. */
  offTimes: z.string(),
  /** Null where somebody has to plan it. */
  change: complying.nullable(),
  /** When the section of the change was set last, to refuse a change that somebody overtook. */
  basedOn: z.iso.datetime().nullable(),
  /** Whether its panels keep their power, and so their warmth, while they are dark. */
  powerInDark: z.enum(POWER_IN_DARK),
})
export type LightConflict = z.output<typeof conflict>

export const listLightConflicts = call({
  method: 'GET',
  path: 'LightRule/GetConflictList',
  summary: 'The devices whose off times, day plans and levels break a rule set in the next two weeks, the worst first.',
  permission: 'seeDevices',
  // A set that was deleted is asked for no more; one that was ended is shown anew.
  shows: ['Device', 'Device component', 'Holiday calendar'],
  query: z.strictObject({ id: ruleSetId }),
  answer: z.object({
    rows: z.array(conflict),
    metDevices: z.int(),
    /** Devices without a position: whether the set meets them is unknown. */
    unknown: z.array(z.object({ deviceId: deviceIdValue, guid: deviceGuidValue, name: z.string() })),
  }),
  errors: ['not_found'],
})

const proofMinutes = z.object({
  due: z.int(),
  kept: z.int(),
  broken: z.int(),
  unknown: z.int(),
  maintenance: z.int(),
})

export const getLightRuleProof = call({
  method: 'GET',
  path: 'LightRule/GetProof',
  summary: 'What came of a rule set in a month, by device: minutes due, kept, broken, unknown and under maintenance.',
  permission: 'seeDevices',
  shows: ['Device', 'Maintenance'],
  query: z.strictObject({ id: ruleSetId, month: monthValue }),
  answer: z.object({
    total: proofMinutes,
    devices: z.array(
      proofMinutes.extend({
        deviceId: deviceIdValue,
        guid: deviceGuidValue,
        name: z.string(),
        address: z.string(),
        timeZone: z.string(),
        /** The days that are counted; the rest of the month is not. */
        days: z.int(),
        /** When there was too much light for the first time: the evidence is on the timeline. */
        brokenAt: z.iso.datetime().nullable(),
        /** The minutes kept because of an emergency. */
        emergency: z.int(),
      }),
    ),
  }),
  errors: ['not_found'],
})
export type LightRuleProof = z.output<typeof getLightRuleProof.answer>
