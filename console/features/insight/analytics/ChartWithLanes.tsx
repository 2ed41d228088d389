import { Checkbox, Select } from '@mantine/core'
import { type ReactNode, type RefObject, useRef } from 'react'
import { TimelineBelow } from '#console/deviceParts/timeline/TimelineBelow.tsx'
import { useCall } from '#console/lib/call/useCall.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { getDeviceById } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'

export interface ChartedDevice {
  readonly id: DeviceId
  readonly name: string
}

interface Props {
  readonly devices: readonly ChartedDevice[]
  /** No lanes are drawn if it is undefined or none of these devices. */
  readonly lanesOf: DeviceId | undefined
  readonly onLanesOf: (id: DeviceId | undefined) => void
  readonly period: Period
  readonly shown: Period
  /** It is undefined where there are no limits. */
  readonly limits: boolean | undefined
  readonly onLimits: (areDrawn: boolean) => void
  readonly comparesWeek: boolean
  readonly onComparesWeek: (isCompared: boolean) => void
  readonly children: ReactNode
}

export function ChartWithLanes(props: Props) {
  const { devices, lanesOf, onLanesOf, period, shown, limits, onLimits, comparesWeek, onComparesWeek, children } = props
  const chart = useRef<HTMLDivElement>(null)
  const wanted = lanesOf === undefined ? undefined : (devices.find(({ id }) => id === lanesOf) ?? devices[0])
  return (
    <div ref={chart}>
      {children}
      <div className="analytics-lanes">
        <div className="analytics-lanes-bar">
          <Checkbox
            size="xs"
            label="A week before"
            title="The same hours seven days earlier, behind each line"
            checked={comparesWeek}
            onChange={({ currentTarget }) => onComparesWeek(currentTarget.checked)}
          />
          {limits !== undefined && (
            <Checkbox
              size="xs"
              label="Limits"
              title="What alert conditions compare these metrics with"
              checked={limits}
              onChange={({ currentTarget }) => onLimits(currentTarget.checked)}
            />
          )}
          <Checkbox
            size="xs"
            label="What happened"
            title="Alerts, light, power, commands, settings and more of a device, moment under moment"
            checked={wanted !== undefined}
            onChange={({ currentTarget }) => onLanesOf(currentTarget.checked ? devices[0]?.id : undefined)}
          />
          {wanted && devices.length > 1 && (
            <Select
              size="xs"
              aria-label="What happened with"
              data={devices.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(wanted.id)}
              allowDeselect={false}
              onChange={(value) => onLanesOf(devices.find(({ id }) => String(id) === value)?.id)}
            />
          )}
        </div>
        {wanted && <Lanes key={wanted.id} id={wanted.id} period={period} shown={shown} chart={chart} />}
      </div>
    </div>
  )
}

interface LanesProps {
  readonly id: DeviceId
  readonly period: Period
  readonly shown: Period
  readonly chart: RefObject<HTMLDivElement | null>
}

function Lanes({ id, ...below }: LanesProps) {
  // The chart's names have already read the device.
  const { data: device } = useCall(getDeviceById, { id })
  return device ? <TimelineBelow device={device} {...below} /> : null
}
