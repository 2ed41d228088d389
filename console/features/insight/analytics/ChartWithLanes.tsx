import { type ReactNode, type RefObject, useRef } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { Select } from '#console/ui/kit/laterFields.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { getDeviceById } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'

const TimelineBelow = lazyPart(
  () => import('#console/deviceParts/timeline/TimelineBelow.tsx').then((part) => part.TimelineBelow),
  { meanwhile: () => null },
)

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
  readonly children: ReactNode
}

export function ChartWithLanes({ devices, lanesOf, onLanesOf, period, shown, children }: Props) {
  const chart = useRef<HTMLDivElement>(null)
  const wanted = lanesOf === undefined ? undefined : (devices.find(({ id }) => id === lanesOf) ?? devices[0])
  return (
    <div ref={chart}>
      {children}
      {wanted && (
        <div className="analytics-lanes">
          {devices.length > 1 && (
            <div className="analytics-lanes-bar">
              <Select
                size="xs"
                aria-label="What happened with"
                data={devices.map(({ id, name }) => ({ value: String(id), label: name }))}
                value={String(wanted.id)}
                allowDeselect={false}
                onChange={(value) => onLanesOf(devices.find(({ id }) => String(id) === value)?.id)}
              />
            </div>
          )}
          <Lanes key={wanted.id} id={wanted.id} period={period} shown={shown} chart={chart} />
        </div>
      )}
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
