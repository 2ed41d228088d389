import {
  type Icon,
  IconAlertOctagon,
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconAlertTriangleFilled,
  IconInfoCircle,
  IconInfoCircleFilled,
} from '@tabler/icons-react'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'

export type SeverityTone = 'crit' | 'warn' | 'brand'

const [CRITICAL, WARNING] = SEVERITIES

/** A severity has the same colour everywhere, and nothing else about an alert has these colours. */
export function severityTone(severityId: number): SeverityTone {
  if (severityId === CRITICAL.id) return 'crit'
  return severityId === WARNING.id ? 'warn' : 'brand'
}

const ICONS: Readonly<Record<SeverityTone, { readonly filled: Icon; readonly hollow: Icon }>> = {
  crit: { filled: IconAlertOctagonFilled, hollow: IconAlertOctagon },
  warn: { filled: IconAlertTriangleFilled, hollow: IconAlertTriangle },
  brand: { filled: IconInfoCircleFilled, hollow: IconInfoCircle },
}

/** The shape is filled while the condition is met, so that colour does not have to say it. */
export const severityIcon = (severityId: number, isActive: boolean): Icon =>
  ICONS[severityTone(severityId)][isActive ? 'filled' : 'hollow']
