import { IconAdjustments, IconArrowRight, IconPower } from '@tabler/icons-react'
import { deviceTabsOf } from '#console/features/devices/page/deviceTabs.ts'
import { useSetupCommands } from '#console/features/devices/setup/useSetupCommands.ts'
import { type ActionId, mayDo } from '#console/lib/commands/actions.ts'
import { authorityOf, useUser } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { devicePageCommands, type PageCommand } from './pageCommands.ts'
import type { PaletteItem } from './paletteItems.ts'
import type { PaletteWays } from './paletteWays.ts'

const TAB_WORDS: Readonly<Record<string, string>> = {
  Details: 'edit name place address serial position time zone',
  Setup: 'settings power',
  Status: 'readings raw data messages',
  Components: 'edit wiring feeds buttons',
}

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
      run: () => ways.lead(to, id),
    }),
  )
  return [
    ...tabs,
    ...pageCommandItems(devicePageCommands(device), 'This device', may, ways),
    ...(may('device.settings') ? sections : []),
    ...(may('device.power') ? power : []),
  ]
}

export function pageCommandItems(
  commands: readonly PageCommand[],
  group: PaletteItem['group'],
  may: (actionId: ActionId) => boolean,
  ways: PaletteWays,
): readonly PaletteItem[] {
  return commands
    .filter(({ actionId }) => may(actionId))
    .map(({ label, searchTerms, icon, to, commandId }): PaletteItem => {
      const words = { id: commandId ?? `page command ${label}`, group, label, searchTerms, icon }
      if (commandId === undefined) return { ...words, ...ways.link(to) }
      return { ...words, run: () => ways.lead(to, commandId) }
    })
}
