import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleDot,
  IconTool,
} from '@tabler/icons-react'
import { SeverityBadge } from '#console/deviceParts/SeverityBadge.tsx'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { Badge } from '#console/ui/Badge.tsx'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS, ALERT_STATUSES, CONDITION_STATE, CONDITION_STATES, nameOf } from '#domain/alerts/alertLabels.ts'

export function AlertStatusBadge({ statusId }: { readonly statusId: number }) {
  const isOpened = statusId === ALERT_STATUS.opened
  const Icon = isOpened ? IconCircleDot : IconCircleCheckFilled
  return (
    <Badge tone={isOpened ? 'warn' : 'ok'} icon={Icon}>
      {nameOf(ALERT_STATUSES, statusId)}
    </Badge>
  )
}

/** Somebody already knows of an alert that was raised in a current maintenance window. */
export const isQuiet = ({ maintenance }: Pick<Alert, 'maintenance'>): boolean =>
  maintenance !== null && Date.parse(maintenance.to) > serverNowMs()

type Judged = Pick<Alert, 'severityId' | 'statusId' | 'conditionStateId' | 'maintenance'>

/** The severity is red only while the condition is met and nobody works on the device. */
export function AlertSeverityBadge({ alert }: { readonly alert: Judged }) {
  const isNow = alert.statusId === ALERT_STATUS.opened && alert.conditionStateId === CONDITION_STATE.active
  return <SeverityBadge severityId={alert.severityId} isActive={isNow && !isQuiet(alert)} />
}

interface StateProps {
  readonly conditionStateId: number
  readonly isQuiet?: boolean
}

export function ConditionStateBadge({ conditionStateId, isQuiet: isCalm = false }: StateProps) {
  const isActive = conditionStateId === CONDITION_STATE.active
  const Icon = isActive ? (isCalm ? IconTool : IconAlertTriangleFilled) : IconCircleDashed
  return (
    <Badge tone={isActive && !isCalm ? 'crit' : 'off'} icon={Icon}>
      {nameOf(CONDITION_STATES, conditionStateId)}
    </Badge>
  )
}
