import type { ReactNode } from 'react'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { toShownAddress } from '#domain/devices/site.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { DeviceTabs } from './DeviceTabs.tsx'

interface Props {
  readonly guid: DeviceGuid
  /** It is empty while the name is not known yet. */
  readonly name: string
  /** It is absent while only the name is known. */
  readonly device?: Device
  readonly actions?: ReactNode
  readonly state?: ReactNode
  readonly children?: ReactNode
}

const NameLoading = () => (
  <span className="device-name-loading">
    <span className="visually-hidden">Device</span>
  </span>
)

/** The head of a device has one line of what it is and what can be done, and one of its pages and how it is. */
export function DeviceHead({ guid, name, device, actions, state, children }: Props) {
  return (
    <header className="device-header">
      <div className="device-line">
        <div className="device-title">
          <h1 title={name}>{name || <NameLoading />}</h1>
          {name && <CopyButton name="device ID" text={guid} />}
        </div>
        <p className="device-place">
          {device && (
            <>
              <span title={device.address}>{toShownAddress(device.address) || 'No address'}</span>
              <span>{deviceModelName(device.modelId)}</span>
              {device.customerName !== '' && <span>{device.customerName}</span>}
            </>
          )}
        </p>
        <div className="device-actions">{actions}</div>
      </div>
      <div className="device-pages">
        <DeviceTabs guid={guid} modelId={device?.modelId} activeAlerts={device?.activeAlerts ?? 0} />
        <div className="device-state">{state}</div>
      </div>
      {children}
    </header>
  )
}
