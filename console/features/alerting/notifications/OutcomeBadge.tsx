import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { Badge } from '#console/ui/Badge.tsx'
import type { Delivery } from '#contract/http/alerting/channels.ts'

const OUTCOMES = {
  done: ['ok', 'Delivered', IconCircleCheckFilled],
  later: ['warn', 'Failed', IconAlertTriangleFilled],
  refused: ['crit', 'Refused', IconAlertTriangleFilled],
  gone: ['warn', 'No longer exists there', IconAlertTriangleFilled],
} as const

interface Props {
  readonly outcome: Delivery['outcome']
  readonly status?: Delivery['status']
  readonly reason: string
}

/** A delivery that failed looks failed wherever it is shown. */
export function OutcomeBadge({ outcome, status = null, reason }: Props) {
  const [tone, word, Icon] = outcome ? OUTCOMES[outcome] : (['pending', 'Sending', IconCircleDashed] as const)
  return (
    <Badge tone={tone} icon={Icon} title={reason}>
      {word}
      {status !== null && <span className="is-dim">{status}</span>}
    </Badge>
  )
}
