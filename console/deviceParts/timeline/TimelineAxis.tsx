import { formatMinute, formatTime } from '#console/lib/time/time.ts'
import type { Period } from '#console/ui/filter/period.ts'

const QUARTERS = [0, 1, 2, 3, 4] as const

interface Props {
  readonly period: Period
  /** Within a day the time of day suffices. */
  readonly isDay?: boolean
}

export function TimelineAxis({ period: { from, to }, isDay = false }: Props) {
  return (
    <div className="timeline-axis" aria-hidden>
      {QUARTERS.map((quarter) => {
        const at = new Date(from.getTime() + (quarter / 4) * (to.getTime() - from.getTime()))
        return <span key={quarter}>{isDay ? formatTime(at) : formatMinute(at)}</span>
      })}
    </div>
  )
}
