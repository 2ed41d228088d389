import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Redirect } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { listDeviceComponents } from '#contract/http/devices/components.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { FIXED_SECTIONS, sectionsOf } from './read/setupSections.ts'
import { SetupPanels } from './SetupPanels.tsx'

/** Only model 1 has fixed sections; any other model is led to its own setup (rules/addresses 9). */
export function SetupTab() {
  const { id, guid, modelId } = useOpenDevice()
  if (!hasFixedSetup(modelId)) return <Redirect to={address('/devices/$guid/generic-setup', { guid })} />
  return <SetupPanels key={id} sections={FIXED_SECTIONS} />
}

/** `/devices/{guid}/generic-setup` shows what the components of the device allow. */
export function GenericSetupTab() {
  const { id, guid, modelId } = useOpenDevice()
  const isFixed = hasFixedSetup(modelId)
  const components = useCall(listDeviceComponents, { deviceId: id }, { enabled: !isFixed })
  if (isFixed) return <Redirect to={address('/devices/$guid/setup', { guid })} />
  return (
    <AsyncView
      query={components}
      empty={
        <EmptyNote title="Nothing to set up">
          <p>This device has no components. An admin adds them on the Components tab.</p>
        </EmptyNote>
      }
    >
      {(list) => <SetupPanels key={id} sections={sectionsOf(list)} />}
    </AsyncView>
  )
}
