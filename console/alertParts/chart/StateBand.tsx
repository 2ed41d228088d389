import { formatClock, useOnTime } from '#console/lib/time/time.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { isClockField } from '#domain/alerts/conditionKinds.ts'
import type { Occurrence } from '#domain/alerts/fold/occurrences.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import './stateBand.css'

interface Props {
  readonly alert: AlertDetails
  readonly occurrences: readonly Occurrence[]
  readonly shown: Occurrence
}

const LONGEST_MS = 72 * HOUR_MS
const LABELS = 5

/** A state has no line: the band is filled while the condition was met. */
export function StateBand({ alert, occurrences, shown }: Props) {
  const nowMs = useOnTime((now) => Math.ceil(now.getTime() / MINUTE_MS) * MINUTE_MS)
  const beganMs = Date.parse(shown.from)
  const endMs = Math.min(nowMs, (shown.to === undefined ? nowMs : Date.parse(shown.to)) + HOUR_MS)
  const startMs = Math.max(beganMs - HOUR_MS, endMs - LONGEST_MS)
  const percentOf = (ms: number) => (100 * (Math.min(Math.max(ms, startMs), endMs) - startMs)) / (endMs - startMs)
  const labels = Array.from({ length: LABELS }, (_, index) => startMs + ((endMs - startMs) * index) / (LABELS - 1))
  const spans = occurrences
    .map(({ from, to }) => ({ from, fromMs: Date.parse(from), toMs: to === undefined ? endMs : Date.parse(to) }))
    .filter(({ fromMs, toMs }) => toMs > startMs && fromMs < endMs)
  return (
    <Panel title={isClockField(alert.field_id) ? 'Active times' : `${alert.et_field_name} over time`} isPadded>
      <div className="state-band" role="img" aria-label={bandLabel(spans)}>
        {spans.map(({ from, fromMs, toMs }) => (
          <span
            key={from}
            className={`badge-${severityTone(alert.severityId)}`}
            style={{ left: `${percentOf(fromMs)}%`, width: `${percentOf(toMs) - percentOf(fromMs)}%` }}
            title={`Active from ${formatClock(new Date(fromMs).toISOString())}`}
          />
        ))}
      </div>
      <div className="state-band-times dim" aria-hidden>
        {labels.map((atMs) => (
          <span key={atMs}>{formatClock(new Date(atMs).toISOString())}</span>
        ))}
      </div>
    </Panel>
  )
}

const bandLabel = (spans: readonly { readonly fromMs: number }[]): string =>
  spans.length === 0
    ? 'Not active in this period'
    : `Active from ${spans.map(({ fromMs }) => formatClock(new Date(fromMs).toISOString())).join(' and from ')}`
