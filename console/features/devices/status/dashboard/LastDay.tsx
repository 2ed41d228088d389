import { useMemo } from 'react'
import { withFills } from '#console/deviceParts/timeline/fills.ts'
import { TimelineAxis } from '#console/deviceParts/timeline/TimelineAxis.tsx'
import { TimelineLanes } from '#console/deviceParts/timeline/TimelineLanes.tsx'
import { useTimeline } from '#console/deviceParts/timeline/useTimeline.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { FailedNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'

/** A new period is a new question, so it moves on only as often as a day's picture changes. */
const STEP_MS = 5 * MINUTE_MS
const LANES = ['light', 'alerts', 'power', 'presence'] as const

interface Props {
  readonly device: Device
  readonly timelineOf: (period: Period) => Address
}

/** How the device was in the last 24 hours, by one call. */
export function LastDay({ device, timelineOf }: Props) {
  const step = useOnTime((now) => Math.ceil(now.getTime() / STEP_MS))
  const period = useMemo(() => ({ from: new Date(step * STEP_MS - DAY_MS), to: new Date(step * STEP_MS) }), [step])
  const { result, lanes } = useTimeline(device, period)
  const shown = LANES.flatMap((name) => withFills(lanes, device).find((lane) => lane.name === name) ?? [])
  return (
    <Panel title="Last 24 hours" meta={<Link to={timelineOf(period)}>Open timeline</Link>}>
      {result.isError && result.data === undefined ? (
        <FailedNote failure={result.error} onRetry={() => void result.refetch()} />
      ) : result.isPending ? (
        // Lanes without an answer are lower than with it, and what is below would move twice.
        <Skeleton lines={5} />
      ) : (
        <div className="last-day">
          <TimelineLanes lanes={shown} shown={period} />
          <TimelineAxis period={period} isDay />
        </div>
      )}
    </Panel>
  )
}
