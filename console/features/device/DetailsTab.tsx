import type { ReactNode } from 'react'
import { useCall } from '#console/lib/useCall.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { Device } from '#contract/http/device.ts'
import { listCustomers } from '#contract/http/lookups.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { CopyButton } from './CopyButton.tsx'
import { useOpenDevice } from './openDevice.ts'

/** The record of a device, to read. */
export function DetailsTab() {
  const device = useOpenDevice()
  const customers = useCall(listCustomers, {}, { freshMs: 5 * 60_000 })
  const customerName = customers.data?.find(({ id }) => id === device.customerId)?.name

  return (
    <Panel isPadded>
      <dl className="device-details">
        <Entry name="Name">{device.name}</Entry>
        <Entry name="Address">{device.address}</Entry>
        <Entry name="Model">{deviceModelName(device.modelId)}</Entry>
        <Entry name="Customer">{customerName}</Entry>
        <Entry name="Serial number" isCode>
          {device.attrSerial}
        </Entry>
        <Entry name="Device ID" isCode>
          {device.iotDeviceId}
          {device.iotDeviceId && <CopyButton name="device ID" text={device.iotDeviceId} />}
        </Entry>
        <Entry name="Internal IP" isCode>
          {device.internalIp}
        </Entry>
        <Entry name="External IP" isCode>
          {device.externalIp}
        </Entry>
        <Entry name="Position">{positionText(device)}</Entry>
        <Entry name="Time zone">
          {device.timeZone}
          {device.timeZoneIsAssumed && <span className="dim"> (assumed)</span>}
        </Entry>
        <Entry name="Description">{device.description}</Entry>
      </dl>
    </Panel>
  )
}

interface EntryProps {
  readonly name: string
  readonly isCode?: boolean
  readonly children: ReactNode
}

function Entry({ name, isCode = false, children }: EntryProps) {
  const isEmpty = children === '' || children === undefined
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isCode && !isEmpty ? 'mono' : undefined}>{isEmpty ? UNKNOWN_TEXT : children}</dd>
    </div>
  )
}

function positionText({ latitude, longitude }: Device): string | undefined {
  return latitude === null || longitude === null ? undefined : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}
