import type { NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { weeklyLabel } from '#domain/maintenanceWindows/scheduleLabels.ts'
import { formatNumber } from '#domain/units/numbers.ts'

const SEVERITIES: Readonly<Record<number, string>> = {
  1: 'critical',
  2: 'warning or worse',
  3: 'any severity',
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
  noRoutes: 'No routes of your own. A route notifies a channel or whoever is on call.',
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

export interface StepLabel {
  /** Empty for a step that runs at once. */
  readonly after: string
  readonly who: string
}

export const stepLabels = ({ steps }: NotifyRoute): readonly StepLabel[] =>
  steps.map(({ afterMinutes, targetName, readerCount }) => ({
    after: afterMinutes === 0 ? '' : `after ${afterMinutes} min`,
    who: readerCount === undefined ? targetName || 'nobody' : readersLabel(readerCount),
  }))

const readersLabel = (count: number) =>
  count === 0
    ? 'nobody by e-mail, because no role with people in it receives notifications'
    : `E-mail to ${count === 1 ? '1 person' : `${formatNumber(count)} people`} whose role receives notifications`

/** The whole route as one sentence. */
export function routeSentence(route: NotifyRoute): string {
  const steps = stepLabels(route).map(({ after, who }) => [after, who].filter(Boolean).join(' '))
  return `When ${matchLabel(route)} → notify ${steps.join(', ')}`
}

/** What applies to an incident that no other route matches. */
export function defaultLabel(route: NotifyRoute): string {
  const { isOn, severityId, ofCustomerId, tag, hours } = route
  if (!isOn) return 'Switched off: an incident that no other route matches notifies nobody.'
  const isForAll = severityId === 3 && ofCustomerId === null && tag === '' && hours === null
  return isForAll
    ? 'Applies to every incident, also where no other route matches.'
    : 'An incident that no route matches notifies nobody.'
}
