import { type ConditionPreview, PREVIEW_DAYS } from '#contract/http/alerting/thresholds.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { DAY_MS } from '#domain/units/time.ts'

interface Props {
  readonly month: ConditionPreview
  readonly quarter: ConditionPreview | undefined
}

/** It counts the last 7, 30 and 90 days; a count is unknown where readings do not reach back. */
export function PreviewCounts({ month, quarter }: Props) {
  return (
    <dl className="preview-counts">
      {PREVIEW_DAYS.map((days) => {
        const count = countOf(month, days) ?? (quarter && countOf(quarter, days))
        return (
          <div key={days}>
            <dt>{days} days</dt>
            <dd className={typeof count === 'object' ? 'preview-times' : 'preview-times dim'}>
              {typeof count === 'object' ? `${count.timesMet}×` : UNKNOWN_TEXT}
            </dd>
            <dd className="dim">{wordsOf(count)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

type Count = ConditionPreview['counts'][number]

function countOf({ counts, since }: ConditionPreview, days: number): Count | 'unknown' | undefined {
  const count = counts.find((one) => one.days === days)
  if (!count) return undefined
  const reachesBack = since !== null && Date.parse(since) <= Date.now() - days * DAY_MS
  return reachesBack ? count : 'unknown'
}

function wordsOf(count: Count | 'unknown' | undefined): string {
  if (count === undefined) return 'Checking…'
  if (count === 'unknown') return 'Readings do not reach back'
  if (count.timesMet === 0) return 'Never'
  const lasting = formatDuration(count.activeMinutes * 60)
  return count.deviceCount > 1 ? `${lasting} on ${count.deviceCount} devices` : lasting
}
