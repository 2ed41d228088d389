import { useCall } from '#console/lib/call/useCall.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { listDeviceComponents } from '#contract/http/devices/components.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import type { DeviceId } from '#domain/ids.ts'
import { standingRefusal } from './power/knownRefusal.ts'
import { computersOf, powerActionsOf, powerCommandId, restartCommandId, restartTitle } from './power/powerCommands.ts'
import { FIXED_SECTIONS, type SetupSections, sectionsOf } from './read/setupSections.ts'

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
    sections: titlesOf(sections).map((title) => ({ title, to: at(title) })),
    power: [
      ...computersOf(device.modelId).map((computer) => ({
        id: restartCommandId(computer),
        label: restartTitle(computer),
      })),
      ...powerActionsOf(device, sections).map((action) => ({ id: powerCommandId(action), label: action.title })),
    ].map((each) => ({ ...each, refused: standingRefusal(device), to: at('') })),
  }
}

function titlesOf({
  displays,
  ambientSensors,
  hasUps,
  networkSwitches,
  powerSwitches,
  routers,
  relays,
}: SetupSections) {
  return [
    ...(displays.length > 0 ? ['Display settings'] : []),
    ...(ambientSensors.length > 0 ? ['Ambient light sensor'] : []),
    ...(displays.length > 0 ? ['Turn display(s) off'] : []),
    ...(hasUps ? ['UPS'] : []),
    ...(networkSwitches.length > 0 ? ['Network switches'] : []),
    ...(powerSwitches.length > 0 ? ['Power switches'] : []),
    ...(routers.length > 0 ? ['Routers with relay'] : []),
    ...(relays.length > 0 ? ['Relays'] : []),
  ]
}
