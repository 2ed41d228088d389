import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  alertIdValue,
  deviceGuidValue,
  deviceIdValue,
  incidentIdValue,
  instantValue,
  lineValue,
  momentValue,
  nameValue,
  SECRETS,
  trimmedValue,
  userIdValue,
} from '#contract/call/values.ts'

export const MOST_VISIT_PHOTOS = 10
export const LARGEST_PHOTO_BYTES = 2_000_000
const MOST_CHECKS = 50
const MOST_PARTS = 20
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

const checks = z.array(z.strictObject({ text: nameValue(200), isDone: z.boolean() })).max(MOST_CHECKS)
/** What was exchanged on site. The serial numbers may be unknown. */
const parts = z
  .array(
    z.strictObject({
      name: nameValue(100),
      oldSerialNumber: lineValue(100).default(''),
      newSerialNumber: lineValue(100).default(''),
    }),
  )
  .max(MOST_PARTS)

const visit = z.object({
  id: z.int32(),
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  address: z.string(),
  incidentId: incidentIdValue.nullable(),
  /** Null when the account is gone. */
  technicianId: userIdValue.nullable(),
  technicianName: z.string(),
  startDt: momentValue,
  endDt: momentValue,
  bring: z.string(),
  state: z.enum(['planned', 'done', 'cancelled']),
  /** The entry of the maintenance log that was written on site. */
  entryId: z.int32().nullable(),
  photos: z.int(),
})
export type Visit = z.output<typeof visit>

export const listVisits = call({
  method: 'GET',
  path: 'Visit/GetVisitList',
  summary: 'Visits to a device, or with `mine` the planned ones of oneself, or all planned ones. The next first.',
  permission: 'seeDevices',
  shows: ['Field visit', 'Device', 'User', 'Maintenance'],
  query: z.strictObject({ deviceId: deviceIdValue.optional(), mine: z.boolean().optional() }),
  answer: z.array(visit),
  errors: ['not_found'],
})

export const getVisit = call({
  method: 'GET',
  path: 'Visit/GetVisit',
  summary: 'What was checked, exchanged and photographed on a visit.',
  permission: 'seeDevices',
  shows: ['Field visit', 'Device', 'User', 'Maintenance'],
  query: z.strictObject({ id: z.int32().positive() }),
  answer: visit.extend({
    checklist: checks,
    parts,
    photoKeys: z.array(z.object({ key: z.guid(), takenDt: momentValue })),
  }),
  errors: ['not_found'],
})
export type VisitRecord = z.output<typeof getVisit.answer>

export const getVisitPhoto = call({
  method: 'GET',
  path: 'Visit/GetPhoto',
  summary: 'A photo of a visit: a JPEG in base64.',
  permission: 'seeDevices',
  shows: ['Field visit'],
  query: z.strictObject({ id: z.int32().positive(), key: z.guid().toLowerCase() }),
  answer: z.object({ jpeg: z.string(), takenDt: momentValue }),
  errors: ['not_found'],
})

export const setVisit = call({
  method: 'POST',
  path: 'Visit/SetVisit',
  summary:
    'Plan a visit to a device, or change one that was not made yet; answers its id. The technician must be able to see the device.',
  permission: 'deviceManager',
  body: z.strictObject({
    id: z.int32().default(0),
    deviceId: deviceIdValue,
    incidentId: incidentIdValue.nullable().default(null),
    technicianId: userIdValue,
    startDt: instantValue,
    endDt: instantValue,
    bring: trimmedValue(1000).default(''),
  }),
  answer: z.int32(),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Field visit' },
})

export const cancelVisit = call({
  method: 'POST',
  path: 'Visit/CancelVisit',
  summary: 'Cancel a planned visit.',
  permission: 'deviceManager',
  body: z.strictObject({ id: z.int32().positive() }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Field visit' },
})

export const recordVisit = call({
  method: 'POST',
  path: 'Visit/RecordVisit',
  summary:
    'Write down a visit on site: it becomes an entry of the maintenance log, once for one idempotency key. A planned visit is done by it.',
  permission: 'deviceManager',
  body: z.strictObject({
    deviceId: deviceIdValue,
    visitId: z.int32().positive().nullable().default(null),
    startDt: instantValue,
    endDt: instantValue,
    modelComponentId: z.int32().positive().nullable().default(null),
    reasonId: z.int32().positive().nullable().default(null),
    actionId: z.int32().positive().nullable().default(null),
    resolutionId: z.int32().positive().nullable().default(null),
    alertId: alertIdValue.nullable().default(null),
    actionComment: trimmedValue(4000).min(1),
    checklist: checks.default([]),
    parts: parts.default([]),
  }),
  answer: z.object({ visitId: z.int32(), entryId: z.int32() }),
  errors: ['not_found'],
  changes: { action: 'Create', entity: 'Field visit' },
  takesIdempotencyKey: true,
})

export const addVisitPhoto = call({
  method: 'POST',
  path: 'Visit/AddPhoto',
  summary: `Add a photo to one's visit: a JPEG of up to 2 MB in base64 without place or other data. A visit has ${MOST_VISIT_PHOTOS}. The same key again adds nothing.`,
  permission: 'deviceManager',
  body: z.strictObject({
    visitId: z.int32().positive(),
    key: z.guid().toLowerCase(),
    takenDt: instantValue,
    jpeg: z.string().min(4).max(base64Length(LARGEST_PHOTO_BYTES)).regex(BASE64),
  }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Field visit' },
  largestBodyBytes: base64Length(LARGEST_PHOTO_BYTES) + 1024,
})

export const getCalendarAddress = call({
  method: 'GET',
  path: 'Visit/GetCalendarAddress',
  summary: 'Since when one has a calendar address; null without one.',
  permission: 'deviceManager',
  shows: ['Field visit'],
  answer: z.object({ madeDt: momentValue.nullable() }),
})

export const newCalendarAddress = call({
  method: 'POST',
  path: 'Visit/NewCalendarAddress',
  summary: 'Make an iCalendar address of one’s planned visits; the one before ends. It is shown once.',
  permission: 'deviceManager',
  answer: z.object({ address: z.string().register(SECRETS) }),
  changes: { action: 'Create', entity: 'Field visit' },
})

export const endCalendarAddress = call({
  method: 'POST',
  path: 'Visit/EndCalendarAddress',
  summary: 'End one’s calendar address.',
  permission: 'deviceManager',
  answer: z.literal(true),
  changes: { action: 'Delete', entity: 'Field visit' },
})
