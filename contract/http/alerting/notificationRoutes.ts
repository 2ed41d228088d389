import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { customerIdValue, nameValue, tagOrNoneValue } from '#contract/call/values.ts'
import { channelIdValue } from './channels.ts'
import { weekHours } from './weekHours.ts'

export const LONGEST_ROUTE_NAME = 100
export const MOST_ROUTE_STEPS = 10
export const LATEST_STEP_MINUTES = 1440

const routeIdValue = z.int32().positive()

/** A step notifies a channel, whoever is on call, or everybody who may see the incident and receives alert e-mails. */
const routeStep = z.strictObject({
  /** The step runs this long after the incident matched the route, unless somebody has acknowledged it. */
  afterMinutes: z.int32().min(0).max(LATEST_STEP_MINUTES),
  channelId: channelIdValue.optional(),
  rotaId: z.int32().positive().optional(),
  readers: z.literal(true).optional(),
})

export const notifyRoute = z.object({
  id: routeIdValue,
  name: z.string(),
  isOn: z.boolean(),
  /** Null for a route of staff. */
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  /** The route matches this severity or worse: 1 critical, 2 warning, 3 information. */
  severityId: z.number().int(),
  /** A route of staff can be limited to this customer's incidents; null means all. */
  ofCustomerId: customerIdValue.nullable(),
  ofCustomerName: z.string(),
  /** The route can be limited to devices with this tag; empty means any. */
  tag: z.string(),
  hours: weekHours.nullable(),
  steps: z.array(
    routeStep.extend({
      targetName: z.string(),
      /** How many people receive alert e-mails by a step to the readers of e-mails. */
      readerCount: z.number().int().optional(),
    }),
  ),
  /** The route of alert e-mails, which exists from the start, cannot be deleted, only switched off. */
  isDefault: z.boolean(),
  /** A customer sees the default of staff, which notifies their people too, but cannot change it. */
  mayChange: z.boolean(),
})
export type NotifyRoute = z.output<typeof notifyRoute>

export const listNotifyRoutes = call({
  method: 'GET',
  path: 'NotifyRoute/GetNotifyRouteList',
  summary:
    'Which incidents are told where: the default first, then in the order in which they were made. Staff see all; a customer their own, and the default where it notifies their people.',
  permission: 'admin',
  shows: ['Route', 'Channel', 'Rota', 'Customer'],
  answer: z.array(notifyRoute),
})

export const setNotifyRoute = call({
  method: 'POST',
  path: 'NotifyRoute/SetNotifyRoute',
  summary: 'Make a route (id absent, 0 or negative), or change one; answers its id. What has begun goes on by it.',
  permission: 'admin',
  body: z.strictObject({
    id: z.int32().default(0),
    name: nameValue(LONGEST_ROUTE_NAME),
    isOn: z.boolean().default(true),
    /** The customer of an existing route cannot change. */
    customerId: customerIdValue.nullable().default(null),
    severityId: z.int32().min(1).max(3),
    ofCustomerId: customerIdValue.nullable().default(null),
    tag: tagOrNoneValue,
    hours: weekHours.nullable().default(null),
    /**
     * Steps are in order of minutes; each names a channel, an on-call schedule or, for staff, the readers of e-mails.
     */
    steps: z.array(routeStep).min(1).max(MOST_ROUTE_STEPS),
    /** If true, active incidents that match are notified at once; otherwise only when they change. */
    tellsActive: z.boolean().default(false),
  }),
  answer: z.number().int(),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Route' },
})

export const previewNotifyRoute = call({
  method: 'GET',
  path: 'NotifyRoute/PreviewNotifyRoute',
  summary:
    'How many incidents that are active now would be told at once by a route as it is about to be saved: not acknowledged, not snoozed, and not told by it before. Its hours are not looked at.',
  permission: 'admin',
  shows: ['Incident', 'Route'],
  query: z.strictObject({
    /** The id of an existing route; 0 for a new one. */
    id: z.int32().default(0),
    customerId: customerIdValue.optional(),
    severityId: z.int32().min(1).max(3),
    ofCustomerId: customerIdValue.optional(),
    tag: tagOrNoneValue,
  }),
  answer: z.object({ activeIncidents: z.number().int() }),
  errors: ['not_found'],
})

export const deleteNotifyRoute = call({
  method: 'POST',
  path: 'NotifyRoute/DelNotifyRoute',
  summary: 'Delete a route. Its remaining steps notify nobody. The default cannot be deleted, only switched off.',
  permission: 'admin',
  body: z.strictObject({ id: routeIdValue }),
  answer: z.object({}),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Route' },
})
