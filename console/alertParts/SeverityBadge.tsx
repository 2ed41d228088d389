import { Badge } from '#console/ui/Badge.tsx'
import { severityIcon, severityTone } from '#console/ui/severityLook.ts'
import { nameOf } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'

interface Props {
  readonly severityId: number
  /** It says whether an alert's condition is met now. It is absent for a condition, which is neither. */
  readonly isActive?: boolean
}

/** Each severity has a colour, a shape and a word, because colour alone must not say it. */
export function SeverityBadge({ severityId, isActive = false }: Props) {
  return (
    <Badge tone={severityTone(severityId)} icon={severityIcon(severityId, isActive)}>
      {nameOf(SEVERITIES, severityId)}
    </Badge>
  )
}

interface IconProps extends Props {
  readonly size?: number
}

/** It stands where a row has no room for the word, which screen readers hear. */
export function SeverityIcon({ severityId, isActive = false, size = 18 }: IconProps) {
  const Icon = severityIcon(severityId, isActive)
  const name = nameOf(SEVERITIES, severityId)
  return (
    <span className={`severity-icon badge-${severityTone(severityId)}`} role="img" aria-label={name} title={name}>
      <Icon size={size} aria-hidden />
    </span>
  )
}
