import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type DeviceDrivers, getDeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { isPretend, noticeOf, offeredDrivers, partTitle, wordsOfPart } from './driverLabels.ts'
import { PartRow } from './PartRow.tsx'

const DriverModal = lazyDialog(() => import('./DriverModal.tsx').then((part) => part.DriverModal))

/** The device's answer comes with its next report, which nothing else on this page waits for. */
export const READ_AGAIN_MS = 5000

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
  const editedPart = drivers.parts.find(({ part }) => part === edited)
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
        {drivers.parts.map((one) => {
          const { part } = one
          const words = wordsOfPart(one)
          return (
            <PartRow key={part} deviceId={device.id} part={part} {...words} isTestable={words.state !== 'none'}>
              {offeredDrivers(part).length > 0 && !isPretend(one) && (
                <Button variant="default" size="compact-sm" onClick={() => setEdited(part)}>
                  {one.chosen ? 'Change' : 'Choose'}
                  <span className="visually-hidden"> the driver of {partTitle(part)}</span>
                </Button>
              )}
            </PartRow>
          )
        })}
      </ul>
      {editedPart && (
        <DriverModal
          deviceId={device.id}
          part={editedPart}
          client={drivers.client}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
