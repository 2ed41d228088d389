import { Button } from '@mantine/core'
import { DisplaysNow } from '#console/deviceParts/DisplaysNow.tsx'
import { useCall } from '#console/lib/call/useCall.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type DeviceDrivers, getDeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { READ_AGAIN_MS } from './DriversPanel.tsx'
import { partTitle } from './driverLabels.ts'
import { FoundRow } from './FoundRow.tsx'
import { notFoundParts } from './foundParts.ts'

interface Props {
  readonly device: Device
}

/** The first step from what the assistant of a device has found to the verdict of now (rules/components 18). */
export function FoundParts({ device }: Props) {
  const drivers = useCall(getDeviceDrivers, { deviceId: device.id }, { refreshEveryMs: READ_AGAIN_MS })
  const found = drivers.data?.found
  return (
    <Panel title="1. Parts" meta={found && `looked for ${formatMinute(found.at)}`}>
      <AsyncView query={drivers}>{(answer) => <Parts device={device} drivers={answer} />}</AsyncView>
    </Panel>
  )
}

/** The last step: whether each display is lit, and if not, why. */
export function VerdictNow({ device: { id, guid } }: Props) {
  const { data, isError } = useCall(getDarkness, { deviceId: id }, { refreshEveryMs: READ_AGAIN_MS })
  const walks = isError ? undefined : data?.walks
  return (
    <DisplaysNow
      title="3. The verdict now"
      now={walks?.map(({ displayName, verdict }) => ({ name: displayName, sentence: verdict.sentence }))}
      foot={
        <Button component={Link} to={address('/devices/$guid/status', { guid })} variant="default">
          Open status
        </Button>
      }
    />
  )
}

function Parts({ device, drivers }: Props & { readonly drivers: DeviceDrivers }) {
  const { found } = drivers
  if (!found)
    return (
      <EmptyNote title="Nobody has looked for its parts yet">
        <p>
          Run <code>sudo wayside-discover</code> on the device. What answers appears here as a draft.
        </p>
      </EmptyNote>
    )
  const missing = notFoundParts(found, drivers.parts)
  return (
    <>
      {found.parts.length === 0 && <p className="feeds-note">No part has answered.</p>}
      <ul className="drivers" aria-label="Found on the device">
        {found.parts.map((one) => (
          <FoundRow key={one.part} device={device} found={one} drivers={drivers} />
        ))}
      </ul>
      {found.seen.length > 0 && (
        <p className="feeds-note">Also present, without an answer: {found.seen.map(({ name }) => name).join(', ')}.</p>
      )}
      {missing.length > 0 && (
        <p className="feeds-note">
          Not found: {missing.map(partTitle).join(', ')}. Not every part can be looked for: remove under{' '}
          <PartLink device={device} to="Components" /> what this device does not have, and choose under{' '}
          <PartLink device={device} to="Drivers" /> what reads the others.
        </p>
      )}
    </>
  )
}

const PartLink = ({ device: { guid }, to }: Props & { readonly to: string }) => (
  <Link to={address('/devices/$guid/device-components', { guid }, sectionAnchor(to))}>{to}</Link>
)
