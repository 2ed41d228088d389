import { type ReactNode, useState } from 'react'
import { commandLabels } from '#console/deviceParts/commandLabels.ts'
import { withFills } from '#console/deviceParts/timeline/fills.ts'
import { hourlyUntil, type LaneGroup, type TimelineLane } from '#console/deviceParts/timeline/lanes.ts'
import { TimelineAxis } from '#console/deviceParts/timeline/TimelineAxis.tsx'
import { type GroupHead, TimelineLanes } from '#console/deviceParts/timeline/TimelineLanes.tsx'
import { type ListedDevice, TimelineList } from '#console/deviceParts/timeline/TimelineList.tsx'
import { useSiteTimeline, useTimeline } from '#console/deviceParts/timeline/useTimeline.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { LONGEST_SITE_DAYS } from '#contract/http/devices/records.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { ReloadButton } from './ReloadButton.tsx'
import { writeStatusAddress } from './statusAddress.ts'
import { useViewActions } from './viewActions.ts'

export type Look = 'lanes' | 'list'

interface Props {
  readonly device: Device
  readonly period: Period
  readonly look: Look
  readonly marked: Period | undefined
  readonly onMark: (part: Period) => void
}

export function DeviceTimeline({ device, ...props }: Props) {
  const { result, lanes } = useTimeline(device, props.period, commandLabels)
  return <Shown {...props} result={result} lanes={withFills(lanes, device)} listed={[{ guid: device.guid, lanes }]} />
}

export function SiteTimeline({ device, ...props }: Props) {
  const { result, groups, leftOut } = useSiteTimeline(device.id, props.period, commandLabels)
  const [open, setOpen] = useState<ReadonlySet<DeviceGuid>>(new Set([device.guid]))
  const fold = (guid: DeviceGuid) =>
    setOpen((before) => new Set(before.has(guid) ? [...before].filter((one) => one !== guid) : [...before, guid]))
  const headOf = ({ guid }: LaneGroup): GroupHead => ({
    isOpen: open.has(guid),
    onFold: () => fold(guid),
    to: address('/devices/$guid/status', { guid, ...writeStatusAddress({ view: 'timeline', period: props.period }) }),
  })
  const isAlone = result.data !== undefined && groups.length + leftOut === 1
  return (
    <Shown {...props} result={result} lanes={NO_LANES} groups={groups} headOf={headOf} listed={groups}>
      {isAlone && <p>No other device of its customer is within 150 m or at the same address.</p>}
      {leftOut > 0 && <p>{leftOut} more devices of this site are not shown.</p>}
      {isLonger(props.period) && <p>For a site, only the newest {LONGEST_SITE_DAYS} days are shown.</p>}
    </Shown>
  )
}

const NO_LANES: readonly TimelineLane[] = []
const isLonger = ({ from, to }: Period) => to.getTime() - from.getTime() > LONGEST_SITE_DAYS * DAY_MS

interface ShownProps extends Omit<Props, 'device'> {
  readonly result: ReturnType<typeof useTimeline>['result'] | ReturnType<typeof useSiteTimeline>['result']
  readonly lanes: readonly TimelineLane[]
  readonly groups?: readonly LaneGroup[]
  readonly headOf?: (group: LaneGroup) => GroupHead
  readonly listed: readonly ListedDevice[]
  readonly children?: ReactNode
}

function Shown({ result, lanes, groups, headOf, listed, period, look, marked, onMark, children }: ShownProps) {
  const { isReloading, reloadNow } = useReload<unknown>(result)
  const actions = useViewActions(<ReloadButton isReloading={isReloading} onReload={() => void reloadNow()} />)
  const hoursUntil = hourlyUntil(listed.flatMap((device) => device.lanes))
  return (
    <>
      {actions}
      <AsyncView<unknown> query={result}>
        {() =>
          look === 'list' ? (
            <TimelineList devices={listed} />
          ) : (
            <div className="timeline-plot" data-site={groups !== undefined || undefined}>
              <TimelineLanes
                lanes={lanes}
                groups={groups}
                headOf={headOf}
                shown={period}
                marked={marked}
                onMark={onMark}
              />
              <TimelineAxis period={period} />
            </div>
          )
        }
      </AsyncView>
      <div className="timeline-said">
        {children}
        {hoursUntil && <p>Until {formatMinute(hoursUntil)} light and power are shown by hours.</p>}
      </div>
    </>
  )
}
