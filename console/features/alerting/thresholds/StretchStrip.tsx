import { formatMinute } from '#console/lib/time/time.ts'
import type { Period } from '#console/ui/filter/period.ts'
import type { ConditionPreview } from '#contract/http/alerting/thresholds.ts'

interface Props {
  readonly stretches: ConditionPreview['stretches']
  readonly period: Period
}

export function StretchStrip({ stretches, period }: Props) {
  const fromMs = period.from.getTime()
  const lengthMs = period.to.getTime() - fromMs
  const percent = (ms: number) => `${Math.max(0, Math.min(100, (100 * (ms - fromMs)) / lengthMs))}%`
  return (
    <div className="stretch-strip" role="img" aria-label={summaryOf(stretches)}>
      {stretches.map(({ from, to }) => {
        const endMs = to === null ? period.to.getTime() : Date.parse(to)
        const style = { left: percent(Date.parse(from)), right: `calc(100% - ${percent(endMs)})` }
        return (
          <i key={from} style={style} title={`${formatMinute(from)} – ${to === null ? 'now' : formatMinute(to)}`} />
        )
      })}
    </div>
  )
}

function summaryOf(stretches: ConditionPreview['stretches']): string {
  const [last] = stretches.toSorted((one, other) => Date.parse(other.from) - Date.parse(one.from))
  if (!last) return 'Not raised in this period'
  const count = stretches.length === 1 ? 'Raised once' : `Raised ${stretches.length} times`
  return `${count}, the last time at ${formatMinute(last.from)}`
}
