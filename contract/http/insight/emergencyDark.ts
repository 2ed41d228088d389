import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  lineValue,
  momentValue,
  nameValue,
  tagOrNoneValue,
} from '#contract/call/values.ts'
import { EMERGENCY_WORD } from '#domain/lightRules/emergencyDark.ts'

/** Whose displays go dark; at least one of these is chosen. */
const reachFields = {
  customerId: customerIdValue.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** Part of the address, in plain letters. */
  place: lineValue(200).optional(),
  tag: tagOrNoneValue.optional(),
}

const emergencyId = z.int32().positive()

const counts = z.object({
  devices: z.int(),
  displays: z.int(),
  /** These are not connected, and follow when they come, if it still lasts. */
  notConnected: z.int(),
})

const emergency = z.object({
  id: emergencyId,
  customerId: customerIdValue.nullable(),
  /** What was chosen, in words. */
  subject: z.string(),
  reason: z.string(),
  startedAt: momentValue,
  startedBy: z.string(),
  until: momentValue,
  endedAt: momentValue.nullable(),
  /** Null while it lasts, and when its time ended it. */
  endedBy: z.string().nullable(),
  mayEnd: z.boolean(),
  devices: z.int(),
})
export type EmergencyDark = z.output<typeof emergency>

export const previewEmergencyDark = call({
  method: 'GET',
  path: 'EmergencyDark/GetReach',
  summary: 'How many devices and displays an emergency dark would reach now, and how many would follow later.',
  permission: 'deviceManager',
  shows: ['Device', 'Device component'],
  query: z.strictObject(reachFields),
  answer: counts.extend({
    subject: z.string(),
    unknownPlace: z.int(),
    /** Devices whose panels lose their power while they are dark, and those of which nobody knows. */
    losesPower: z.int(),
    unknownPower: z.int(),
  }),
  errors: ['not_found'],
})

export const startEmergencyDark = call({
  method: 'POST',
  path: 'EmergencyDark/Start',
  summary:
    'Darken all displays of a customer, country, place or tag until a time, at most 24 hours. Devices that are not connected follow when they come. Answers the id.',
  permission: 'deviceManager',
  body: z.strictObject({
    ...reachFields,
    reason: nameValue(300),
    until: momentValue,
    /** Whoever starts it types this word. */
    word: z.literal(EMERGENCY_WORD),
  }),
  answer: emergencyId,
  errors: ['not_found'],
  changes: { action: 'Command', entity: 'Emergency dark' },
  stepUp: 'always',
})

export const endEmergencyDark = call({
  method: 'POST',
  path: 'EmergencyDark/End',
  summary: 'End an emergency dark now. Each device gets the off times back that it was to have before.',
  permission: 'deviceManager',
  body: z.strictObject({ id: emergencyId }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Emergency dark' },
})

export const listEmergencyDark = call({
  method: 'GET',
  path: 'EmergencyDark/GetList',
  summary: 'The emergencies that last, and the newest that are over.',
  permission: 'seeDevices',
  shows: ['Emergency dark'],
  query: z.strictObject({ deviceId: deviceIdValue.optional() }),
  answer: z.array(emergency),
  errors: ['not_found'],
})

export const getEmergencyProof = call({
  method: 'GET',
  path: 'EmergencyDark/GetProof',
  summary: 'How many devices of an emergency dark are proven dark by what they reported last, and which are not.',
  permission: 'seeDevices',
  shows: ['Emergency dark', 'Device'],
  query: z.strictObject({ id: emergencyId }),
  answer: counts.extend({
    /** They have confirmed that they are to be dark. */
    confirmed: z.int(),
    dark: z.int(),
    lit: z.int(),
    unknown: z.int(),
    /** After the end: these have their former off times back. */
    restored: z.int(),
    /** Devices that are not proven dark, those that are lit first; the first hundred. */
    open: z.array(
      z.object({
        deviceId: deviceIdValue,
        guid: deviceGuidValue,
        name: z.string(),
        proof: z.enum(['lit', 'unknown']),
        isOnline: z.boolean(),
        isConfirmed: z.boolean(),
      }),
    ),
  }),
  errors: ['not_found'],
})
export type EmergencyProof = z.output<typeof getEmergencyProof.answer>
