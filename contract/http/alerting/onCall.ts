import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { customerIdValue, momentValue, nameValue, userIdValue } from '#contract/call/values.ts'
import { channelIdValue } from './channels.ts'
import { localTimeValue, timeZoneValue } from './weekHours.ts'

export const LONGEST_SCHEDULE_NAME = 100
export const MOST_MEMBERS = 30
export const LONGEST_TURN_DAYS = 28
export const LONGEST_OVERRIDE_DAYS = 60

const scheduleIdValue = z.int32().positive()

const member = z.strictObject({
  userId: userIdValue,
  /** The member is notified through this channel; null means by mail. */
  channelId: channelIdValue.nullable(),
})

export const onCallSchedule = z.object({
  id: scheduleIdValue,
  name: z.string(),
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  timeZone: z.string(),
  firstDay: z.string(),
  handOver: z.string(),
  everyDays: z.number().int(),
  members: z.array(z.object({ userId: userIdValue, name: z.string(), channelId: channelIdValue.nullable() })),
  overrides: z.array(
    z.object({ id: z.number().int(), userId: userIdValue, name: z.string(), from: momentValue, to: momentValue }),
  ),
  /** The person on call now; null when the schedule has no members. */
  onCall: z.object({ userId: userIdValue, name: z.string(), until: momentValue }).nullable(),
  next: z.object({ userId: userIdValue, name: z.string(), from: momentValue }).nullable(),
})
export type OnCallSchedule = z.output<typeof onCallSchedule>

export const listOnCallSchedules = call({
  method: 'GET',
  path: 'Rota/GetRotaList',
  summary: 'Who is on call in turn, and who is now. Staff see all, a customer their own.',
  permission: 'admin',
  shows: ['Rota', 'User', 'Channel', 'Customer'],
  answer: z.array(onCallSchedule),
})

export const setOnCallSchedule = call({
  method: 'POST',
  path: 'Rota/SetRota',
  summary: 'Make an on-call schedule (id absent, 0 or negative), or change one; answers its id.',
  permission: 'admin',
  body: z.strictObject({
    id: z.int32().default(0),
    name: nameValue(LONGEST_SCHEDULE_NAME),
    /** The customer of an existing schedule cannot change. */
    customerId: customerIdValue.nullable().default(null),
    timeZone: timeZoneValue,
    /** The first member begins on this day, at the hand-over time. */
    firstDay: z.iso.date(),
    handOver: localTimeValue,
    everyDays: z.int32().min(1).max(LONGEST_TURN_DAYS),
    /** Members take over in this order; a person may be listed twice. */
    members: z.array(member).min(1).max(MOST_MEMBERS),
  }),
  answer: z.number().int(),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Rota' },
})

export const deleteOnCallSchedule = call({
  method: 'POST',
  path: 'Rota/DelRota',
  summary: 'Delete an on-call schedule. Routes that use it notify nobody in its place.',
  permission: 'admin',
  body: z.strictObject({ id: scheduleIdValue }),
  answer: z.object({}),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Rota' },
})

export const setOnCallOverride = call({
  method: 'POST',
  path: 'Rota/SetRotaOverride',
  summary: 'Put somebody on call for a while, in the place of whoever it would be; or take that back. Answers its id.',
  permission: 'admin',
  body: z.strictObject({
    rotaId: scheduleIdValue,
    /** Removes this replacement; without it, one is added. */
    removesId: z.int32().positive().optional(),
    userId: userIdValue.optional(),
    from: momentValue.optional(),
    to: momentValue.optional(),
  }),
  answer: z.number().int(),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Rota' },
})
