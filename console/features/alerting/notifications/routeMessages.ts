import type { NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { weeklyLabel } from '#domain/maintenanceWindows/scheduleLabels.ts'

const SEVERITIES: Readonly<Record<number, string>> = { 1: 'Critical', 2: 'Warning and worse', 3: 'All' }

export const routeMessages = {
  active: (count: number | undefined) =>
    count === undefined
      ? 'Counting what is active and fits'
      : count === 0
        ? 'Nothing that is active fits'
        : `${count === 1 ? '1 incident that nobody has fits' : `${count} incidents that nobody has fit`} now; without this they are told when something about them changes`,
  routeSaved: 'The route is saved.',
  routeDeleted: 'The route is deleted.',
  rotaSaved: 'The rota is saved.',
  rotaDeleted: 'The rota is deleted.',
  overrideSaved: 'The rota is changed.',
  confirmDeleteRoute: (name: string) => `Delete the route "${name}"? What it began tells nobody new.`,
  confirmDeleteRota: (name: string) => `Delete the rota "${name}"? Routes that name it tell nobody in its place.`,
  noRoutes: 'No routes. Nobody is notified of incidents.',
  noRotas: 'A rota says who is on call in turn; routes can tell whoever it is.',
}

export function matchLabel({ severityId, customerName, ofCustomerName, tag, hours }: NotifyRoute): string {
  const whose = customerName || ofCustomerName
  const when = hours ? (weeklyLabel({ ...hours, kind: 'weekly', firstDay: '', lastDay: null }) ?? '') : ''
  return [SEVERITIES[severityId] ?? '', whose, tag && `Tag ${tag}`, when].filter(Boolean).join(' · ')
}

export const stepLabel = ({ steps }: NotifyRoute): string =>
  steps
    .map(
      ({ afterMinutes, targetName }) =>
        `${afterMinutes === 0 ? '' : `after ${afterMinutes} min `}${targetName || 'nobody any more'}`,
    )
    .join(', ')
