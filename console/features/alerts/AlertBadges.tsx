import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCircleDashed, IconCircleDot } from '@tabler/icons-react'
import { ALERT_STATUS, ALERT_STATUSES, CONDITION_STATE, CONDITION_STATES, nameOf } from '#domain/alerts/alertWords.ts'
import '#console/ui/Badge.css'

/** Opened or Closed, as icon and word. */
export function AlertStatusBadge({ statusId }: { readonly statusId: number }) {
  const isOpened = statusId === ALERT_STATUS.opened
  const Icon = isOpened ? IconCircleDot : IconCircleCheckFilled
  return (
    <span className={`badge badge-${isOpened ? 'warn' : 'ok'}`}>
      <Icon size={15} aria-hidden />
      {nameOf(ALERT_STATUSES, statusId)}
    </span>
  )
}

/** Whether the condition is met now. */
export function ConditionStateBadge({ conditionStateId }: { readonly conditionStateId: number }) {
  const isActive = conditionStateId === CONDITION_STATE.active
  const Icon = isActive ? IconAlertTriangleFilled : IconCircleDashed
  return (
    <span className={`badge badge-${isActive ? 'crit' : 'off'}`}>
      <Icon size={15} aria-hidden />
      {nameOf(CONDITION_STATES, conditionStateId)}
    </span>
  )
}
