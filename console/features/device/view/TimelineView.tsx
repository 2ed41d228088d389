import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { TimelineLanes } from '#console/device/timeline/TimelineLanes.tsx'
import { TimelineList } from '#console/device/timeline/TimelineList.tsx'
import { UnusualFields } from '#console/device/timeline/UnusualFields.tsx'
import { useTimeline } from '#console/device/timeline/useTimeline.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { PeriodPicker } from '#console/ui/filter/PeriodPicker.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { Device } from '#contract/http/device.ts'
import { LONGEST_WINDOW_MS } from '#domain/analytics/unusual.ts'
import { ReloadButton } from './ReloadButton.tsx'
import type { RecordsAddress, StatusAddressHook } from './useStatusAddress.ts'
import { useViewActions } from './viewActions.ts'

interface Props {
  readonly device: Device
  readonly address: RecordsAddress
  readonly go: StatusAddressHook['go']
}

/** Everything that happened with a device in a period, on one axis. */
export function TimelineView({ device, address: { period }, go }: Props) {
  const { result, lanes } = useTimeline(device, period)
  const { isReloading, reloadNow } = useReload(result)
  const [look, setLook] = useState('lanes')
  const [marked, setMarked] = useState<Period>()
  const [compared, setCompared] = useState<Period>()
  const window = marked ?? period
  const actions = useViewActions(<ReloadButton isReloading={isReloading} onReload={() => void reloadNow()} />)
  const show = (next: Period) => {
    setMarked(undefined)
    setCompared(undefined)
    go({ period: next })
  }
  return (
    <>
      {actions}
      <Panel title="Timeline">
        <search className="timeline-controls" aria-label="Timeline">
          <PeriodPicker value={period} onChange={show} />
          <SegmentedControl
            className="status-toggle"
            size="xs"
            withItemsBorders={false}
            aria-label="Look"
            data={[
              { value: 'lanes', label: 'Lanes' },
              { value: 'list', label: 'List' },
            ]}
            value={look}
            onChange={setLook}
          />
        </search>
        <AsyncView query={result}>
          {() =>
            look === 'list' ? (
              <TimelineList lanes={lanes} />
            ) : (
              <>
                <TimelineLanes lanes={lanes} shown={period} marked={marked} onMark={setMarked} />
                <div className="timeline-axis" aria-hidden>
                  {[period.from, new Date((period.from.getTime() + period.to.getTime()) / 2), period.to].map((at) => (
                    <span key={at.getTime()}>{formatMinute(at)}</span>
                  ))}
                </div>
              </>
            )
          }
        </AsyncView>
        <MarkedBar period={period} marked={marked} onZoom={show} onClear={() => setMarked(undefined)}>
          <Button size="xs" disabled={!isComparable(window)} onClick={() => setCompared(window)}>
            What else changed then
          </Button>
        </MarkedBar>
      </Panel>
      {compared && (
        <Panel title="What else changed then" meta={`${formatMinute(compared.from)} to ${formatMinute(compared.to)}`}>
          <UnusualFields device={device} window={compared} />
        </Panel>
      )}
    </>
  )
}

const isComparable = ({ from, to }: Period) => to.getTime() - from.getTime() <= LONGEST_WINDOW_MS

interface MarkedBarProps {
  readonly period: Period
  readonly marked: Period | undefined
  readonly onZoom: (part: Period) => void
  readonly onClear: () => void
  readonly children: ReactNode
}

/** What is marked and what can be done with it; without a mark it is the whole period, so that no mouse is needed. */
function MarkedBar({ period, marked, onZoom, onClear, children }: MarkedBarProps) {
  return (
    <div className="timeline-marked">
      {children}
      {marked ? (
        <>
          <Button size="xs" variant="default" onClick={() => onZoom(marked)}>
            Zoom in
          </Button>
          <Button size="xs" variant="subtle" onClick={onClear}>
            Clear
          </Button>
          <span>
            {formatMinute(marked.from)} to {formatMinute(marked.to)}
          </span>
        </>
      ) : (
        <span>{isComparable(period) ? 'In this period, or in a part that you mark' : 'Mark a day or less'}</span>
      )}
    </div>
  )
}
