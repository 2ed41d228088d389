import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  lineValue,
  momentValue,
  tagOrNoneValue,
} from '#contract/call/values.ts'
import { PLANNED_PARTS, UNKNOWN_COUNTS, UNPLANNED_PARTS } from '#domain/statement/lightFigures.ts'
import { energySum } from './energySum.ts'

/** A month of the calendar: `2026-10`. */
export const monthValue = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)
export const MOST_CREDIT_STEPS = 10
/** Some 20 million of a currency with cents. */
const MOST_FEE_MINOR = 2_000_000_000
const hundredths = z.int32().min(0).max(10_000)

const minutes = z.int()
const minutesOf = <Part extends string>(parts: readonly Part[]) =>
  Object.fromEntries(parts.map((part) => [part, minutes])) as Record<Part, typeof minutes>
const figures = z.object({
  time: minutes,
  owed: minutes,
  given: minutes,
  unplanned: minutes,
  unplannedBy: z.object(minutesOf(UNPLANNED_PARTS)),
  unknown: minutes,
  planned: minutes,
  /** Statements that were issued before this was counted have none. */
  plannedBy: z.object(minutesOf(PLANNED_PARTS)).optional(),
  litInOffTime: minutes,
  maintenance: minutes,
  away: minutes,
})

const terms = z.object({
  targetHundredths: hundredths,
  unknownCounts: z.enum(UNKNOWN_COUNTS),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable(),
  /** The monthly fee of a device, in the smallest unit of the currency. */
  feeMinor: z.int32().min(0).max(MOST_FEE_MINOR),
  steps: z.array(z.strictObject({ belowHundredths: hundredths, creditHundredths: hundredths })).max(MOST_CREDIT_STEPS),
})

/** Which devices of the customer it is about; absent or empty means all. */
export const subjectFields = {
  customerId: customerIdValue,
  tag: tagOrNoneValue.optional(),
  /** Part of the address, in plain letters. */
  place: lineValue(200).optional(),
  deviceId: deviceIdValue.optional(),
}

const statement = z.object({
  customerId: customerIdValue,
  customerName: z.string(),
  /** What was chosen, in words: all devices, a tag, a place or a device. */
  subject: z.string(),
  month: monthValue,
  /** False while the month is not over for every device. */
  isOver: z.boolean(),
  countedAt: momentValue,
  terms: terms.nullable(),
  /** The rules by which it was counted, in words. */
  rules: z.array(z.string()),
  total: figures,
  /** Hundredths of a percent, cut; null when nothing counts. */
  availabilityHundredths: z.int().nullable(),
  isTargetMet: z.boolean().nullable(),
  credit: z.object({ minor: z.int(), currency: z.string() }).nullable(),
  days: z.array(z.object({ date: z.iso.date(), figures, availabilityHundredths: z.int().nullable() })),
  /** The devices, that with the most unplanned darkness first. */
  devices: z.array(
    z.object({
      id: deviceIdValue,
      guid: deviceGuidValue,
      name: z.string(),
      address: z.string(),
      timeZone: z.string(),
      firstDay: z.iso.date(),
      lastDay: z.iso.date().nullable(),
      hasLeft: z.boolean(),
      from: z.iso.date(),
      to: z.iso.date(),
      figures,
      availabilityHundredths: z.int().nullable(),
      creditMinor: z.int(),
      worstDay: z.iso.date().nullable(),
    }),
  ),
  /** Twelve months, this one last. A month without any counted minute has null. */
  trend: z.array(
    z.object({ month: monthValue, given: minutes, unplanned: minutes, availabilityHundredths: z.int().nullable() }),
  ),
  /** The laws and permits that asked for darkness in the month; statements that were issued before have none. */
  lightRules: z
    .array(
      z.object({
        ...{ id: z.int32(), name: z.string(), source: z.string(), sourceUrl: z.string() },
        ...{ due: minutes, kept: minutes, broken: minutes, unknown: minutes, maintenance: minutes },
      }),
    )
    .optional(),
  /** Statements that were issued before energy was counted have none. */
  energy: energySum
    .extend({
      /** Watt-hours by the devices and days above. */
      devices: z.array(
        z.object({ id: deviceIdValue, from: z.iso.date(), used: z.int(), measured: z.int(), savedTotal: z.int() }),
      ),
    })
    .optional(),
})
export type LightStatement = z.output<typeof statement>

const change = z.object({ device: z.string().nullable(), figure: z.string(), before: z.string(), after: z.string() })

const issuedHead = z.object({
  id: z.int32(),
  number: z.string(),
  customerId: customerIdValue,
  customerName: z.string(),
  subject: z.string(),
  month: monthValue,
  issuedAt: momentValue,
  issuedBy: z.string(),
  /** The number of the statement that this one corrects. */
  corrects: z.string().nullable(),
  /** The number of the statement that corrects this one. */
  correctedBy: z.string().nullable(),
})
export type IssuedHead = z.output<typeof issuedHead>

export const getLightStatement = call({
  method: 'GET',
  path: 'LightStatement/GetStatement',
  summary:
    'What light a customer’s devices owed and gave in a month, why it was missing, and what was issued about it.',
  permission: 'seeDevices',
  shows: ['Light statement', 'Device', 'Customer', 'Holiday calendar', 'Maintenance'],
  query: z.strictObject({ ...subjectFields, month: monthValue }),
  answer: z.object({
    statement,
    /** Set when a statement on this was issued and not corrected. */
    issued: issuedHead.nullable(),
    /** What differs from the issued one: a correction may be issued. */
    changes: z.array(change),
    /** Devices of the issued one that count no more. No correction takes a device out, so it stands. */
    missing: z.array(z.string()),
  }),
  errors: ['not_found'],
})
export type StatementNow = z.output<typeof getLightStatement.answer>

export const listLightStatements = call({
  method: 'GET',
  path: 'LightStatement/GetIssuedList',
  summary: 'The statements that were issued to a customer, the newest first.',
  permission: 'seeDevices',
  shows: ['Light statement'],
  query: z.strictObject({ customerId: customerIdValue }),
  answer: z.array(issuedHead),
  errors: ['not_found'],
})

export const getIssuedStatement = call({
  method: 'GET',
  path: 'LightStatement/GetIssued',
  summary: 'A statement as it was issued, and what it changed of the one that it corrects.',
  permission: 'seeDevices',
  shows: ['Light statement'],
  query: z.strictObject({ id: z.int32().positive() }),
  answer: issuedHead.extend({ statement, changes: z.array(change) }),
  errors: ['not_found'],
})
export type IssuedStatement = z.output<typeof getIssuedStatement.answer>

export const downloadLightStatement = call({
  method: 'GET',
  path: 'LightStatement/GetDocument',
  summary: 'The document of a statement, byte for byte as it was issued.',
  permission: 'seeDevices',
  shows: ['Light statement'],
  query: z.strictObject({ id: z.int32().positive() }),
  answer: z.string(),
  errors: ['not_found'],
  answersWith: 'pdf',
})

export const draftLightStatement = call({
  method: 'GET',
  path: 'LightStatement/GetDraftDocument',
  summary: 'The document of a month as it would be issued now, marked as a draft.',
  permission: 'seeDevices',
  shows: ['Light statement'],
  query: z.strictObject({ ...subjectFields, month: monthValue }),
  answer: z.string(),
  errors: ['not_found'],
  answersWith: 'pdf',
})

export const issueLightStatement = call({
  method: 'POST',
  path: 'LightStatement/Issue',
  summary:
    'Issue a numbered statement on a month that is over. A second one on the same corrects the first, and is refused while nothing differs. Staff admins only. Answers the id.',
  permission: 'staffAdmin',
  body: z.strictObject({ ...subjectFields, month: monthValue }),
  answer: z.int32(),
  errors: ['not_found'],
  changes: { action: 'Create', entity: 'Light statement' },
})

export const setStatementTerms = call({
  method: 'POST',
  path: 'LightStatement/SetTerms',
  summary:
    'Set what is agreed with a customer: target, counting rule and credits; null for no agreement. Staff admins only.',
  permission: 'staffAdmin',
  body: z.strictObject({ customerId: customerIdValue, terms: terms.nullable() }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Light statement' },
})
