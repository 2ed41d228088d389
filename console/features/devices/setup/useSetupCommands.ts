import { useCall } from '#console/lib/call/useCall.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { listDeviceComponents } from '#contract/http/devices/components.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import type { DeviceId } from '#domain/ids.ts'
import { listedSections } from './columns/setupList.ts'
import { standingRefusal } from './power/knownRefusal.ts'
import { computersOf, powerActionsOf, powerCommandId, restartCommandId, restartTitle } from './power/powerCommands.ts'
import { FIXED_SECTIONS, sectionsOf } from './read/setupSections.ts'

interface LedPower {
  readonly id: string
  readonly label: string
  readonly refused: string | undefined
  readonly to: Address
}

interface SetupCommands {
  readonly sections: readonly { readonly title: string; readonly to: Address }[]
  readonly power: readonly LedPower[]
}

const NOTHING: SetupCommands = { sections: [], power: [] }

/** The palette offers the sections of a device's setup and its power actions on other pages. */
export function useSetupCommands(device: Device | undefined): SetupCommands {
  const isFixed = device !== undefined && hasFixedSetup(device.modelId)
  const components = useCall(
    listDeviceComponents,
    { deviceId: device?.id as DeviceId },
    { enabled: device !== undefined && !isFixed, freshMs: 60_000 },
  )
  const sections = isFixed ? FIXED_SECTIONS : components.data && sectionsOf(components.data)
  if (device === undefined || sections === undefined) return NOTHING
  const { guid } = device
  const at = (title: string) =>
    address(isFixed ? '/devices/$guid/setup' : '/devices/$guid/generic-setup', { guid }, sectionAnchor(title))
  return {
    sections: listedSections(sections).map(({ title }) => ({ title, to: at(title) })),
    power: [
      ...computersOf(device.modelId).map((computer) => ({
        id: restartCommandId(computer),
        label: restartTitle(computer),
      })),
      ...powerActionsOf(device, sections).map((action) => ({ id: powerCommandId(action), label: action.title })),
    ].map((each) => ({ ...each, refused: standingRefusal(device), to: at('') })),
  }
}
