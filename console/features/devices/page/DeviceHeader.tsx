import type { ReactNode } from 'react'
import { ClientState } from '#console/deviceParts/ClientState.tsx'
import { ConnectionBadge } from '#console/deviceParts/ConnectionBadge.tsx'
import { LightBadge } from '#console/deviceParts/LightBadge.tsx'
import { ReportingMark } from '#console/deviceParts/ReportingMark.tsx'
import { useIsPast } from '#console/deviceParts/useIsPast.ts'
import { messages } from '#console/lib/call/messages.ts'
import type { ActionId } from '#console/lib/commands/actions.ts'
import { useHeldBack } from '#console/lib/commands/commands.ts'
import { Age } from '#console/ui/Age.tsx'
import { CopyButton } from '#console/ui/CopyButton.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { toShownAddress } from '#domain/devices/site.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { DeviceMenu } from './DeviceMenu.tsx'
import { DeviceTabs } from './DeviceTabs.tsx'
import { MaintenanceMenu } from './MaintenanceMenu.tsx'
import { MaintenanceNow } from './MaintenanceNow.tsx'
import { RecentDevicesMenu } from './RecentDevicesMenu.tsx'
import { StatusMenu } from './StatusMenu.tsx'
import { TwoMachines } from './TwoMachines.tsx'
import { useViewHistory } from './useViewHistory.ts'

/** A past status refuses these actions, because they would change the device as it is now. */
const isOfDevice = (actionId: ActionId) => actionId.startsWith('device.')

interface Props {
  readonly device: Device
  readonly actions: ReactNode
}

/** The header names the device, its state, and its other pages (rules/devices 4). */
export function DeviceHeader({ device, actions }: Props) {
  const recent = useViewHistory(device)
  const isPast = useIsPast()
  useHeldBack(isPast ? messages.pastIsOver : undefined, isOfDevice)
  return (
    <header className="device-header">
      <div className="device-header-top">
        <div className="device-identity">
          <div className="device-title">
            <h1 title={device.name}>{device.name}</h1>
            <CopyButton name="device ID" text={device.guid} />
          </div>
          <p className="device-address" title={device.address}>
            {toShownAddress(device.address) || 'No address'}
          </p>
        </div>
        <div className="device-actions">
          <RecentDevicesMenu devices={recent} />
          <fieldset className="past-off" disabled={isPast} title={isPast ? messages.pastIsOver : undefined}>
            {actions}
            <MaintenanceMenu device={device} />
            <DeviceMenu device={device} />
          </fieldset>
        </div>
      </div>
      <div className="device-condition">
        {isPast && <span className="device-last-event">Now:</span>}
        <fieldset className="past-off" disabled={isPast} title={isPast ? messages.pastIsOver : undefined}>
          <StatusMenu device={device} />
        </fieldset>

        {device.statusId === DEVICE_STATUS.maintenance && (
          <span className="device-last-event">{messages.maintenanceKeepsQuiet}</span>
        )}
        <MaintenanceNow device={device} />
        {device.light !== null && device.light !== 'maintenance' && <LightBadge device={device} />}
        <ConnectionBadge connStatusId={device.connStatusId} />
        <ReportingMark device={device} />
        <span className="device-last-event">
          {device.lastEvent ? (
            <>
              Last event <Age at={device.lastEvent} />
            </>
          ) : (
            'No event yet'
          )}
        </span>
        <ClientState device={device} />
      </div>
      <TwoMachines device={device} />
      <DeviceTabs device={device} />
    </header>
  )
}
