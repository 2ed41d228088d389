import { IconAdjustments, IconArrowRight, IconPower } from '@tabler/icons-react'
import { deviceTabsOf } from '#console/features/devices/page/deviceTabs.ts'
import { useSetupCommands } from '#console/features/devices/setup/useSetupCommands.ts'
import { type ActionId, mayDo } from '#console/lib/commands/actions.ts'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { authorityOf, useUser } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { type Led, ledOfDevice } from './led.ts'
import type { PaletteItem } from './paletteItems.ts'
import type { PaletteWays } from './paletteWays.ts'

/** Under which other words a tab is looked for. */
const TAB_WORDS: Readonly<Record<string, string>> = {
  Details: 'edit name place address serial position time zone',
  Setup: 'settings power',
  Status: 'readings raw data messages',
  Components: 'edit wiring feeds buttons',
}

/** Where a device can be looked at and changed; what its page offers now stands beside it. */
export function useDeviceItems(device: Device | undefined, ways: PaletteWays): readonly PaletteItem[] {
  const authority = authorityOf(useUser())
  const setup = useSetupCommands(device)
  if (!device) return []
  const may = (actionId: ActionId) => mayDo(actionId, authority)
  const tabs = deviceTabsOf(device.modelId, {
    set: may('device.settings'),
    editComponents: may('device.components'),
  }).map(({ label, to }): PaletteItem => {
    const at = address(to, { guid: device.guid })
    const words = TAB_WORDS[label]
    return {
      ...ways.link(at),
      id: `tab ${label}`,
      group: 'This device',
      label,
      searchTerms: words,
      icon: IconArrowRight,
    }
  })
  const sections = setup.sections.map(
    ({ title, to }): PaletteItem => ({
      ...ways.link(to),
      id: `section ${title}`,
      group: 'This device',
      label: title,
      searchTerms: 'setup settings change',
      icon: IconAdjustments,
    }),
  )
  const power = setup.power.map(
    ({ id, label, refused, to }): PaletteItem => ({
      id,
      group: 'This device',
      label,
      searchTerms: 'power',
      icon: IconPower,
      refused,
      run: () => ways.lead(to, () => runWhenAvailable(id)),
    }),
  )
  return [
    ...tabs,
    ...ledItems(ledOfDevice(device), 'This device', may, ways),
    ...(may('device.settings') ? sections : []),
    ...(may('device.power') ? power : []),
  ]
}

export function ledItems(
  led: readonly Led[],
  group: PaletteItem['group'],
  may: (actionId: ActionId) => boolean,
  ways: PaletteWays,
): readonly PaletteItem[] {
  return led
    .filter(({ actionId }) => may(actionId))
    .map(({ label, searchTerms, icon, to, offer }): PaletteItem => {
      const words = { id: offer ?? `led ${label}`, group, label, searchTerms, icon }
      if (offer === undefined) return { ...words, ...ways.link(to) }
      return { ...words, run: () => ways.lead(to, () => runWhenAvailable(offer)) }
    })
}
