import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { testDeviceDriver } from '#contract/http/devices/commands.ts'
import { type DeviceDrivers, getDeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DrivenPart, isPretend, noticeOf, offeredDrivers, partTitle, wordsOfPart } from './driverLabels.ts'

const DriverModal = lazyDialog(() => import('./DriverModal.tsx').then((part) => part.DriverModal))

/** The device's answer comes with its next report, which nothing else on this page waits for. */
const READ_AGAIN_MS = 5000

export function DriversPanel({ device }: { readonly device: Device }) {
  const drivers = useCall(getDeviceDrivers, { deviceId: device.id }, { refreshEveryMs: READ_AGAIN_MS })
  return (
    <Panel title="Drivers">
      <AsyncView query={drivers}>{(answer) => <Drivers device={device} drivers={answer} />}</AsyncView>
    </Panel>
  )
}

function Drivers({ device, drivers }: { readonly device: Device; readonly drivers: DeviceDrivers }) {
  const [edited, setEdited] = useState<string>()
  const part = drivers.parts.find((one) => one.part === edited)
  return (
    <>
      <p className="feeds-note">
        What reads and switches each part. The totem's own file takes priority over what you choose here. Programs,
        paths and serial lines can only be set in that file.
      </p>
      <div className="drivers-notice">
        <FormNote kind="info" text={noticeOf(drivers)} />
      </div>
      <ul className="drivers" aria-label="Drivers">
        {drivers.parts.map((one) => (
          <DriverRow key={one.part} device={device} part={one} onEdit={() => setEdited(one.part)} />
        ))}
      </ul>
      {part && (
        <DriverModal deviceId={device.id} part={part} client={drivers.client} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}

interface DriverRowProps {
  readonly device: Device
  readonly part: DrivenPart
  readonly onEdit: () => void
}

function DriverRow({ device, part, onEdit }: DriverRowProps) {
  const test = useChange(testDeviceDriver, { showsFailure: true })
  const name = partTitle(part.part)
  const { title, details, state, note } = wordsOfPart(part)
  return (
    <li className="driver" aria-label={name}>
      <span className="driver-part">{name}</span>
      <div className="driver-words" data-state={state}>
        <strong>{title}</strong>
        {details !== '' && <span>{details}</span>}
        {note !== '' && <span className="driver-note">{note}</span>}
        <span role="status" className="driver-answer" data-failed={test.isError || undefined}>
          {test.isPending && 'The device is asked…'}
          {test.isError && failureMessage(test.error)}
          {test.isSuccess && test.data}
        </span>
      </div>
      <div className="driver-buttons">
        {state !== 'none' && (
          <ActionButton
            icon={IconPlugConnected}
            iconSize={14}
            size="compact-sm"
            loading={test.isPending}
            onClick={() => test.mutate({ query: { deviceId: device.id, part: part.part } })}
          >
            Test<span className="visually-hidden"> the driver of {name}</span>
          </ActionButton>
        )}
        {offeredDrivers(part.part).length > 0 && !isPretend(part) && (
          <Button variant="default" size="compact-sm" onClick={onEdit}>
            {part.chosen ? 'Change' : 'Choose'}
            <span className="visually-hidden"> the driver of {name}</span>
          </Button>
        )}
      </div>
    </li>
  )
}
