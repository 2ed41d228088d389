import { Badge } from '#console/ui/Badge.tsx'
import type { Delivery } from '#contract/http/alerting/channels.ts'

const OUTCOMES = {
  done: ['ok', 'Delivered'],
  later: ['warn', 'Retrying'],
  refused: ['crit', 'Refused'],
  gone: ['warn', 'No longer exists there'],
} as const

interface Props {
  readonly outcome: Delivery['outcome']
  readonly status?: Delivery['status']
  readonly reason: string
}

/** A delivery that failed looks failed wherever it is shown. */
export function OutcomeBadge({ outcome, status = null, reason }: Props) {
  const [tone, word] = outcome ? OUTCOMES[outcome] : (['pending', 'Sending'] as const)
  return (
    <Badge tone={tone} title={reason}>
      {word}
      {status !== null && <span className="is-dim">{status}</span>}
    </Badge>
  )
}
