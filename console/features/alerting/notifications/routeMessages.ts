import type { NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { weeklyLabel } from '#domain/maintenanceWindows/scheduleLabels.ts'

const SEVERITIES: Readonly<Record<number, string>> = {
  1: 'critical',
  2: 'warning or worse',
  3: 'anything',
}

export const routeMessages = {
  active: (count: number | undefined) =>
    count === undefined
      ? 'Counting matching incidents'
      : count === 0
        ? 'No active incident matches'
        : `${count === 1 ? '1 incident without an owner matches' : `${count} incidents without an owner match`} now. Otherwise notifications start when an incident changes.`,
  routeSaved: 'The route is saved.',
  routeDeleted: 'The route is deleted.',
  scheduleSaved: 'The on-call schedule is saved.',
  scheduleDeleted: 'The on-call schedule is deleted.',
  overrideSaved: 'The on-call schedule is changed.',
  confirmDeleteRoute: (name: string) => `Delete the route "${name}"? Its remaining steps notify nobody.`,
  confirmDeleteSchedule: (name: string) =>
    `Delete the on-call schedule "${name}"? Routes that use it notify nobody in its place.`,
  noRoutes: 'No routes. Nobody is notified of incidents.',
  noSchedules: 'An on-call schedule rotates who is on call. Routes can notify that person.',
}

/** It completes a sentence that begins with *When*: `warning or worse, customer Nordlys, tag Station`. */
export function matchLabel({ severityId, customerName, ofCustomerName, tag, hours }: NotifyRoute): string {
  const whose = customerName || ofCustomerName
  const when = hours ? (weeklyLabel({ ...hours, kind: 'weekly', firstDay: '', lastDay: null }) ?? '') : ''
  return [SEVERITIES[severityId] ?? '', whose && `customer ${whose}`, tag && `tag ${tag}`, when]
    .filter(Boolean)
    .join(', ')
}

export const stepLabel = ({ steps }: NotifyRoute): string =>
  steps
    .map(
      ({ afterMinutes, targetName }) =>
        `${afterMinutes === 0 ? '' : `after ${afterMinutes} min `}${targetName || 'nobody'}`,
    )
    .join(', ')
