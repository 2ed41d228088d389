import { counted } from '#console/alertParts/incidentCounts.ts'
import { formatClock } from '#console/lib/time/time.ts'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'

export const snoozeText = (until: string) => `Snoozed until ${formatClock(until)}`

/** It returns why the user cannot change an incident, or undefined if they can. */
export function whyNotChanged({ isWhole, mayChange }: IncidentDetails): string | undefined {
  if (!isWhole) {
    return 'This incident reaches beyond the devices of your customer. You see your part of it; only the operator of the system can change it.'
  }
  return mayChange ? undefined : 'You can view this incident but not change it.'
}

function named(titles: readonly string[]): string {
  const quoted = titles.map((title) => `“${title}”`)
  return [...quoted.slice(0, -2), quoted.slice(-2).join(' and ')].join(', ')
}

export const incidentMessages = {
  noneShown: 'Choose an incident to see what happened.',
  taken: 'You own this incident.',
  assigned: 'The owner is recorded in the audit log.',
  noted: 'The note is saved.',
  snoozed: (until: string) => `No e-mails about this incident before ${formatClock(until)}.`,
  woken: 'The snooze has ended.',
  merges: (titles: readonly string[]) =>
    `${named(titles)} become one incident. What belongs to any of them later joins it; splitting takes alerts out again.`,
  merged: (titles: readonly string[]) => `${named(titles)} are one incident now.`,
  splits: (count: number, title: string) =>
    `Take ${counted(count, 'alert')} out of “${title}”, into an incident of ${count === 1 ? 'its' : 'their'} own?`,
  split: (title: string) => `“${title}” is now a separate incident.`,
  wasJoined: 'The incident that was asked for was folded into this one.',
  nothingSelected: 'No alerts of the incident are selected',
  allSelected: 'All of its alerts are selected; at least one has to stay',
  isNotSnoozed: 'It is not snoozed.',
  isYours: 'You already own it.',
  nothingOpen: 'None of its alerts is open.',
  snoozePast: 'Choose a moment that is still to come.',
} as const
