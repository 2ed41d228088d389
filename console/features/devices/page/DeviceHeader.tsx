import type { ReactNode } from 'react'
import { ClientState } from '#console/deviceParts/ClientState.tsx'
import { ConnectionBadge } from '#console/deviceParts/ConnectionBadge.tsx'
import { ReportingMark } from '#console/deviceParts/ReportingMark.tsx'
import { useIsPast } from '#console/deviceParts/useIsPast.ts'
import { messages } from '#console/lib/call/messages.ts'
import type { ActionId } from '#console/lib/commands/actions.ts'
import { useHeldBack } from '#console/lib/commands/commands.ts'
import { Age } from '#console/ui/Age.tsx'
import { Later } from '#console/ui/Later.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { DeviceHead } from './DeviceHead.tsx'
import { DeviceMenu } from './DeviceMenu.tsx'
import { EmergencyNow } from './EmergencyNow.tsx'
import { MaintenanceMenu } from './MaintenanceMenu.tsx'
import { MaintenanceNow } from './MaintenanceNow.tsx'
import { StatusMenu } from './StatusMenu.tsx'
import { TwoMachines } from './TwoMachines.tsx'

/** A past status refuses these actions, because they would change the device as it is now. */
const isOfDevice = (actionId: ActionId) => actionId.startsWith('device.')

interface Props {
  readonly guid: DeviceGuid
  readonly name: string
  /** It is undefined while only the name is known. */
  readonly device: Device | undefined
  readonly actions: ReactNode
}

/** The header names the device, its state, and its other pages (rules/devices 4). */
export function DeviceHeader({ guid, name, device, actions }: Props) {
  const isPast = useIsPast()
  useHeldBack(isPast ? messages.pastIsOver : undefined, isOfDevice)
  if (!device) return <DeviceHead guid={guid} name={name} />
  return (
    <DeviceHead
      guid={guid}
      name={name}
      device={device}
      actions={
        <Later>
          <fieldset className="past-off" disabled={isPast} title={isPast ? messages.pastIsOver : undefined}>
            <StatusMenu device={device} />
            {actions}
            <MaintenanceMenu device={device} />
            <DeviceMenu device={device} />
          </fieldset>
        </Later>
      }
      state={<DeviceState device={device} isPast={isPast} />}
    >
      <MaintenanceNow device={device} />
      <EmergencyNow device={device} />
      <TwoMachines device={device} />
    </DeviceHead>
  )
}

function DeviceState({ device, isPast }: { readonly device: Device; readonly isPast: boolean }) {
  return (
    <>
      {isPast && <span>Now:</span>}
      {device.statusId === DEVICE_STATUS.maintenance && <span>{messages.maintenanceKeepsQuiet}</span>}
      <ConnectionBadge connStatusId={device.connStatusId} />
      <ReportingMark device={device} />
      <span>
        {device.lastEvent ? (
          <>
            Last event <Age at={device.lastEvent} />
          </>
        ) : (
          'No event yet'
        )}
      </span>
      <ClientState device={device} />
    </>
  )
}
