import { IconCircleCheckFilled, IconCircleDashed, IconCircleFilled, IconZzz } from '@tabler/icons-react'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import type { IncidentState } from '#contract/call/listOptions.ts'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import { snoozeText } from './incidentLabels.ts'

export const STATE_WORDS: Readonly<Record<IncidentState, string>> = {
  active: 'Active',
  over: 'Resolved',
  closed: 'Closed',
}
/** The names of the groups of the list. */
export const STATE_GROUPS: Readonly<Record<IncidentState, string>> = {
  active: 'Active',
  over: 'Resolved, not closed',
  closed: 'Closed',
}
const STATE_ICONS = { active: IconCircleFilled, over: IconCircleDashed, closed: IconCircleCheckFilled } as const
const MEANINGS: Readonly<Record<IncidentState, string>> = {
  active: 'At least one alert is active',
  over: 'No alert is active, but some are not closed',
  closed: 'All alerts are closed',
}

interface StateProps {
  readonly incident: Pick<Incident, 'state' | 'severityId'>
}

/** The state is a filled or a hollow shape in the colour of the severity. */
export function IncidentStateBadge({ incident: { state, severityId } }: StateProps) {
  const tone = state === 'active' ? severityTone(severityId) : state === 'over' ? 'off' : 'ok'
  return (
    <Badge tone={tone} icon={STATE_ICONS[state]} title={MEANINGS[state]}>
      {STATE_WORDS[state]}
    </Badge>
  )
}

export const isSnoozed = ({ snoozedUntil }: Pick<Incident, 'snoozedUntil'>): boolean =>
  snoozedUntil !== null && Date.parse(snoozedUntil) > serverNowMs()

const mailedAfter = (until: string) => `No e-mails before ${formatMinute(until)}`

/** It is absent where the incident is not snoozed. */
export function SnoozeBadge({ incident: { snoozedUntil } }: { readonly incident: Pick<Incident, 'snoozedUntil'> }) {
  if (snoozedUntil === null || Date.parse(snoozedUntil) <= serverNowMs()) return null
  return (
    <Badge tone="pending" icon={IconZzz} title={mailedAfter(snoozedUntil)}>
      {snoozeText(snoozedUntil)}
    </Badge>
  )
}
