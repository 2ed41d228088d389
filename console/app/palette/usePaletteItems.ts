import {
  IconArrowRight,
  IconBell,
  IconDeviceTv,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSettings,
  IconSun,
  IconSwitchHorizontal,
} from '@tabler/icons-react'
import { visibleNavigation } from '#console/app/navigation/navigation.ts'
import { deviceTabsOf } from '#console/features/device/deviceTabs.ts'
import { useFoundDevices } from '#console/features/device/useFoundDevices.ts'
import { authorityOf, signOut, useMay, useUser } from '#console/lib/call/session.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { switchScheme, useScheme } from '#console/ui/scheme.ts'
import { type Device, getDevice } from '#contract/http/device.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { PaletteItem } from './paletteItems.ts'

export type PaletteDialog = 'keys' | 'addDevice' | 'notifications'

export interface PaletteNeeds {
  /** The device whose page is open. */
  readonly guid: DeviceGuid | undefined
  /** Closes the palette before anything happens. */
  readonly onDone: () => void
  readonly onDialog: (dialog: PaletteDialog) => void
  /** Closes the palette and gives the focus to this part of the page. */
  readonly onPlace: (selector: string) => void
}

interface PaletteItems {
  readonly items: readonly PaletteItem[]
  readonly isSearching: boolean
  readonly hasFailed: boolean
  readonly mayOpenDevices: boolean
  /** Of the device whose page is open. */
  readonly deviceName: string | undefined
}

/** So many recent devices before anything is typed: the pages should still be in sight. */
const RECENT_AT_REST = 5

/** Everything that this user may go to or do from here. What changes a device only leads to its place. */
export function usePaletteItems(typed: string, needs: PaletteNeeds): PaletteItems {
  const navigate = useNavigate()
  const mayOpenDevices = useMay(getDevice.permission)
  const { found, ...search } = useFoundDevices(typed)
  const offered = typed.trim() === '' ? found.filter(({ guid }) => guid !== needs.guid).slice(0, RECENT_AT_REST) : found
  const devices = offered.map(
    ({ guid, name, address: place, isRecent }): PaletteItem => ({
      id: `device ${guid}`,
      group: 'Devices',
      label: name,
      ...(place ? { detail: place } : {}),
      icon: isRecent ? IconHistory : IconDeviceTv,
      run: () => {
        needs.onDone()
        navigate(address('/devices/$guid/status', { guid }))
      },
    }),
  )
  const device = useKnownDevice(needs.guid)
  const items = [...devices, ...useDeviceItems(device, needs), ...usePageItems(needs), ...useActionItems(needs)]
  return { items, ...search, mayOpenDevices, deviceName: device?.name }
}

function usePageItems({ onDone }: PaletteNeeds): PaletteItem[] {
  const navigate = useNavigate()
  const authority = authorityOf(useUser())
  return visibleNavigation((permission) => isAllowed(permission, authority))
    .flatMap(({ entries }) => entries)
    .map(({ path, label, icon }) => ({
      id: `page ${path}`,
      group: 'Pages',
      label,
      icon,
      run: () => {
        onDone()
        navigate(address(path))
      },
    }))
}

/** The header of its page keeps it current; here it is only read. */
function useKnownDevice(guid: DeviceGuid | undefined): Device | undefined {
  const isKnown = useMay(getDevice.permission) && guid !== undefined
  const { data } = useCall(getDevice, { guid: guid as DeviceGuid }, { enabled: isKnown, freshMs: 60_000 })
  return isKnown ? data : undefined
}

function useDeviceItems(device: Device | undefined, { onDone, onPlace }: PaletteNeeds): PaletteItem[] {
  const navigate = useNavigate()
  const mayEditComponents = useMay('admin')
  if (!device) return []
  const place = (id: string, label: string, otherWords: string, icon: PaletteItem['icon'], selector: string) =>
    ({ id, group: 'This device', label, otherWords, icon, run: () => onPlace(selector) }) as const
  return [
    ...deviceTabsOf(device.modelId, mayEditComponents).map(
      ({ label, to }): PaletteItem => ({
        id: `tab ${label}`,
        group: 'This device',
        label,
        icon: IconArrowRight,
        run: () => {
          onDone()
          navigate(address(to, { guid: device.guid }))
        },
      }),
    ),
    place(
      'device status',
      'Change the status',
      'set paired maintenance deactivated out of order',
      IconSwitchHorizontal,
      '.status-menu',
    ),
    place(
      'device settings',
      'Settings of this device',
      'download configuration renew key delete',
      IconSettings,
      '.device-settings',
    ),
  ]
}

function useActionItems({ onDone, onDialog }: PaletteNeeds): PaletteItem[] {
  const mayAdd = useMay('createDevice')
  const mayOpenDevices = useMay(getDevice.permission)
  const isDark = useScheme() === 'dark'
  const action = (id: string, label: string, otherWords: string, icon: PaletteItem['icon'], run: () => void) =>
    ({ id, group: 'Actions', label, otherWords, icon, run }) as const
  const inTheme = () => {
    onDone()
    switchScheme()
  }
  return [
    // Who only may add devices sees none, and no screen of them (decisions: Who may do what).
    ...(mayAdd && mayOpenDevices
      ? [action('add', 'Add device', 'new create', IconPlus, () => onDialog('addDevice'))]
      : []),
    isDark
      ? action('theme', 'Switch to the light theme', 'colours white', IconSun, inTheme)
      : action('theme', 'Switch to the dark theme', 'colours black', IconMoon, inTheme),
    action('notifications', 'Notification settings', 'alert emails mails', IconBell, () => onDialog('notifications')),
    action('keys', 'Keyboard shortcuts', 'keys help ?', IconKeyboard, () => onDialog('keys')),
    action('logout', 'Logout', 'sign out log out', IconLogout, () => void signOut()),
  ]
}
