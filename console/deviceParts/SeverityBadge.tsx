import { IconAlertOctagon, IconAlertOctagonFilled, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { Badge } from '#console/ui/Badge.tsx'
import { nameOf } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'

interface Props {
  readonly severityId: number
  /** It says whether an alert's condition is met now. It is absent for a condition, which is neither. */
  readonly isActive?: boolean
}

const [CRITICAL, WARNING] = SEVERITIES

/** Each severity has a shape and a word, because colour alone must not say it; red is only what is critical now. */
export function SeverityBadge({ severityId, isActive = false }: Props) {
  const isCritical = severityId === CRITICAL.id
  const Icon = isCritical
    ? isActive
      ? IconAlertOctagonFilled
      : IconAlertOctagon
    : severityId === WARNING.id
      ? IconAlertTriangle
      : IconInfoCircle
  const colour = isCritical ? (isActive ? 'crit' : 'off') : severityId === WARNING.id ? 'warn' : 'brand'
  return (
    <Badge tone={colour} icon={Icon}>
      {nameOf(SEVERITIES, severityId)}
    </Badge>
  )
}
