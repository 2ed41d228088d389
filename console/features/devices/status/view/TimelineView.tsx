import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { statusAsOf } from '#console/deviceParts/timeline/lanes.ts'
import { UnusualFields } from '#console/deviceParts/timeline/UnusualFields.tsx'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import { PeriodPicker } from '#console/ui/filter/PeriodPicker.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { LONGEST_WINDOW_MS } from '#domain/analytics/unusual.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { DeviceTimeline, type Look, SiteTimeline } from './TimelineOf.tsx'
import type { RecordsAddress, StatusAddressHook } from './useStatusAddress.ts'

interface Props {
  readonly device: Device
  readonly address: RecordsAddress
  readonly go: StatusAddressHook['go']
}

export function TimelineView({ device, address: { period, isSite = false }, go }: Props) {
  const [look, setLook] = useState<Look>('lanes')
  const [marked, setMarked] = useState<Period>()
  const [compared, setCompared] = useState<Period>()
  const window = marked ? windowOf(marked) : period
  const show = (next: Period) => {
    setMarked(undefined)
    setCompared(undefined)
    go({ period: next })
  }
  const Lanes = isSite ? SiteTimeline : DeviceTimeline
  return (
    <>
      <Panel title={isSite ? 'Timeline of the site' : 'Timeline'}>
        <search className="timeline-controls" aria-label="Timeline">
          <PeriodPicker value={period} onChange={show} />
          <div className="timeline-toggles">
            <Toggle
              label="Whose"
              options={WHOSE}
              value={isSite ? 'site' : 'device'}
              onChange={(whose) => go({ period, isSite: whose === 'site' })}
            />
            <Toggle label="Look" options={LOOKS} value={look} onChange={setLook} />
          </div>
        </search>
        <Lanes device={device} period={period} look={look} marked={marked} onMark={setMarked} />
        <MarkedBar
          guid={device.guid}
          period={period}
          marked={marked}
          onZoom={show}
          onClear={() => setMarked(undefined)}
        >
          <Button size="xs" disabled={!isComparable(window)} onClick={() => setCompared(window)}>
            Find related changes
          </Button>
        </MarkedBar>
      </Panel>
      {compared && (
        <Panel title="Find related changes" meta={`${formatMinute(compared.from)} to ${formatMinute(compared.to)}`}>
          <UnusualFields device={device} window={compared} />
        </Panel>
      )}
    </>
  )
}

const LOOKS = [
  { value: 'lanes', label: 'Lanes' },
  { value: 'list', label: 'List' },
] as const
const WHOSE = [
  { value: 'device', label: 'Device' },
  { value: 'site', label: 'Site' },
] as const

interface ToggleProps<Value extends string> {
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

function Toggle<Value extends string>({ label, options, value, onChange }: ToggleProps<Value>) {
  return (
    <SegmentedControl
      className="status-toggle"
      size="xs"
      withItemsBorders={false}
      aria-label={label}
      data={[...options]}
      value={value}
      onChange={onChange}
    />
  )
}

const windowOf = ({ from, to }: Period): Period =>
  from < to ? { from, to } : { from: new Date(from.getTime() - HOUR_MS), to: new Date(to.getTime() + HOUR_MS) }

const isComparable = ({ from, to }: Period) => to.getTime() - from.getTime() <= LONGEST_WINDOW_MS

interface MarkedBarProps {
  readonly guid: Device['guid']
  readonly period: Period
  readonly marked: Period | undefined
  readonly onZoom: (part: Period) => void
  readonly onClear: () => void
  readonly children: ReactNode
}

/** It offers actions on the marked period, or on the whole one without a mark, so that no mouse is needed. */
function MarkedBar({ guid, period, marked, onZoom, onClear, children }: MarkedBarProps) {
  const isMoment = marked && marked.from >= marked.to
  return (
    <div className="timeline-marked">
      {children}
      {marked ? (
        <>
          {marked.from.getTime() < serverNowMs() && (
            <Button size="xs" variant="default" component={Link} to={statusAsOf(guid, marked.from.toISOString())}>
              Status as of {formatMinute(marked.from)}
            </Button>
          )}
          {!isMoment && (
            <Button size="xs" variant="default" onClick={() => onZoom(marked)}>
              Zoom in
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={onClear}>
            Clear
          </Button>
          {!isMoment && (
            <span>
              {formatMinute(marked.from)} to {formatMinute(marked.to)}
            </span>
          )}
        </>
      ) : (
        <span>
          {isComparable(period) ? 'Drag to select a period' : 'Drag to select a day or less'}, or click a moment
        </span>
      )}
    </div>
  )
}
