import { IconCircleCheckFilled, IconCircleDashed, IconCircleDot, IconCircleFilled, IconTool } from '@tabler/icons-react'
import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS, ALERT_STATUSES, CONDITION_STATE, CONDITION_STATES, nameOf } from '#domain/alerts/alertLabels.ts'

export function AlertStatusBadge({ statusId }: { readonly statusId: number }) {
  const isOpened = statusId === ALERT_STATUS.opened
  const Icon = isOpened ? IconCircleDot : IconCircleCheckFilled
  return (
    <Badge tone={isOpened ? 'off' : 'ok'} icon={Icon}>
      {nameOf(ALERT_STATUSES, statusId)}
    </Badge>
  )
}

/** Somebody already knows of an alert that was raised in a current maintenance window. */
const isQuiet = ({ maintenance }: Pick<Alert, 'maintenance'>): boolean =>
  maintenance !== null && Date.parse(maintenance.to) > serverNowMs()

type Judged = Pick<Alert, 'severityId' | 'statusId' | 'conditionStateId' | 'maintenance'>

/** It is active while the condition is met; in a maintenance window somebody works on it. */
export const isActiveNow = ({ statusId, conditionStateId, maintenance }: Judged): boolean =>
  statusId === ALERT_STATUS.opened && conditionStateId === CONDITION_STATE.active && !isQuiet({ maintenance })

/** The shape is filled only while the condition is met and nobody works on the device. */
export const AlertSeverityBadge = ({ alert }: { readonly alert: Judged }) => (
  <SeverityBadge severityId={alert.severityId} isActive={isActiveNow(alert)} />
)

/** The state is a filled or a hollow shape in the colour of the severity. */
export function ConditionStateBadge({ alert }: { readonly alert: Judged }) {
  const isActive = alert.conditionStateId === CONDITION_STATE.active
  const isCalm = isQuiet(alert)
  const Icon = isActive ? (isCalm ? IconTool : IconCircleFilled) : IconCircleDashed
  return (
    <Badge tone={isActive && !isCalm ? severityTone(alert.severityId) : 'off'} icon={Icon}>
      {nameOf(CONDITION_STATES, alert.conditionStateId)}
    </Badge>
  )
}
