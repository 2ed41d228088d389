import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { incidentIdValue, momentValue } from '#contract/call/values.ts'

export const MOST_NOTICES = 200

export const incidentNotice = z.object({
  at: momentValue,
  /** `told` when the notification was or is being sent, `waits` when it will be later, `not` when it will not be. */
  outcome: z.enum(['told', 'waits', 'not']),
  /** The recipient; empty when there was none in particular. */
  target: z.string(),
  /** The decision came from a route, from a channel that could not deliver yet or at all, or from alert e-mails. */
  by: z.enum(['route', 'channel', 'mail']),
  /** Empty when the decision came from something other than a route. */
  routeName: z.string(),
  reason: z.string(),
  /** The end of the wait, where it is known. */
  until: momentValue.nullable(),
})
export type IncidentNotice = z.output<typeof incidentNotice>

export const listIncidentNotices = call({
  method: 'GET',
  path: 'Incident/GetIncidentNotices',
  summary: `Who was told of an incident, why, or why not; the last ${MOST_NOTICES}, oldest first. A customer sees what their own routes decided, and mails to their own people.`,
  permission: 'seeDevices',
  shows: ['Incident', 'Route', 'Channel'],
  query: z.strictObject({ id: incidentIdValue }),
  answer: z.array(incidentNotice),
  errors: ['not_found'],
})

const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

export const getLinkedIncident = call({
  method: 'POST',
  path: 'Incident/GetLinkedIncident',
  summary: 'What a link in a message acknowledges, for the page that it opens. The link is not used up.',
  permission: 'public',
  body: z.strictObject({ token }),
  answer: z.object({
    id: incidentIdValue,
    title: z.string(),
    name: z.string(),
    /** The person who has acknowledged it already; empty when nobody has. */
    acknowledgedBy: z.string(),
    isOver: z.boolean(),
  }),
  errors: ['link_not_valid', 'too_many_requests'],
  shows: [],
})

export const acknowledgeByLink = call({
  method: 'POST',
  path: 'Incident/AcknowledgeByLink',
  summary:
    'Acknowledge an incident by the token of a link in a message, as whom the message was for. It works once, and not where somebody else was faster.',
  permission: 'public',
  body: z.strictObject({ token }),
  answer: z.object({}),
  errors: ['link_not_valid', 'incident_taken', 'too_many_requests'],
  changes: { action: 'Update', entity: 'Incident' },
})
