import {
  IconAlertTriangle,
  IconClick,
  IconDeviceTv,
  IconFilterQuestion,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconStack2,
  IconSun,
} from '@tabler/icons-react'
import { ACCOUNT_ENTRIES, type AccountDialog } from '#console/app/account/accountEntries.ts'
import { visibleNavigation } from '#console/app/navigation/navigation.ts'
import { PAGE_PERMISSIONS } from '#console/app/navigation/pagePermissions.ts'
import { useFoundDevices } from '#console/features/devices/page/useFoundDevices.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { type ActionId, mayDo } from '#console/lib/commands/actions.ts'
import { idOf, useAvailableCommands } from '#console/lib/commands/commands.ts'
import { authorityOf, signOut, useMay, useUser } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { switchScheme, useScheme } from '#console/ui/style/scheme.ts'
import { type Device, getDevice } from '#contract/http/devices/devices.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { pageCommandItems, useDeviceItems } from './deviceItems.ts'
import { LIST_FILTERS } from './listFilters.ts'
import { PAGE_COMMANDS } from './pageCommands.ts'
import type { PaletteItem } from './paletteItems.ts'
import { type PaletteWays, paletteWays } from './paletteWays.ts'
import { SYNONYMS } from './synonyms.ts'
import { type RequestedList, useQuestion } from './useQuestion.ts'
import { useViewItems } from './viewItems.ts'
import { readWhoChanged } from './whoChanged.ts'

export type PaletteDialog = 'keys' | 'addDevice' | AccountDialog

export interface PaletteProps {
  readonly guid: DeviceGuid | undefined
  /** It closes the palette, and calls `then` when it has faded away. */
  readonly onClose: (then?: () => void) => void
  readonly onDialog: (dialog: PaletteDialog) => void
}

interface PaletteItems {
  readonly items: readonly PaletteItem[]
  readonly isSearching: boolean
  readonly hasFailed: boolean
  readonly mayOpenDevices: boolean
  readonly deviceName: string | undefined
  readonly asked: RequestedList | undefined
}

/** More recent devices would push the pages out of sight before anything is typed. */
const RECENT_AT_REST = 5

/**
 * It lists everything that this user may go to or do from here. A command that changes something asks first, as its
 * button does: the palette itself runs nothing.
 */
export function usePaletteItems(typed: string, props: PaletteProps): PaletteItems {
  const navigate = useNavigate()
  const ways = paletteWays(navigate, props.onClose)
  const authority = authorityOf(useUser())
  const may = (actionId: ActionId) => mayDo(actionId, authority)
  const mayOpenDevices = useMay(getDevice.permission)
  const { found, ...search } = useFoundDevices(typed)
  const offered = typed.trim() === '' ? found.filter(({ guid }) => guid !== props.guid).slice(0, RECENT_AT_REST) : found
  const devices = offered.map(
    ({ guid, name, address: place, isRecent }): PaletteItem => ({
      ...ways.link(address('/devices/$guid/status', { guid })),
      id: `device ${guid}`,
      group: 'Devices',
      label: name,
      detail: place || undefined,
      icon: isRecent ? IconHistory : IconDeviceTv,
    }),
  )
  const device = useKnownDevice(props.guid)
  const here = useHereItems(device, may, ways)
  const asked = useQuestion(typed)
  const items = [
    ...here,
    ...useDeviceItems(device, ways),
    ...devices,
    ...useViewItems(typed, ways),
    ...usePageItems(ways),
    ...useWhoChanged(typed, device, ways),
    ...(asked ? [questionItem(asked, ways)] : []),
    ...(mayOpenDevices ? filterItems(asked, ways) : []),
    ...useActionItems(may, props, ways),
  ]
  return { items: eachOnce(items).map(withSynonyms), ...search, mayOpenDevices, deviceName: device?.name, asked }
}

const withSynonyms = (item: PaletteItem): PaletteItem => {
  const synonyms = SYNONYMS[item.id]
  return synonyms === undefined ? item : { ...item, searchTerms: `${item.searchTerms ?? ''} ${synonyms}` }
}

/** The first of several items with the same id stays, because it acts on the page that is open. */
const eachOnce = (items: readonly PaletteItem[]) => [
  ...items
    .reduce((known, item) => (known.has(item.id) ? known : known.set(item.id, item)), new Map<string, PaletteItem>())
    .values(),
]

function useHereItems(device: Device | undefined, may: (actionId: ActionId) => boolean, ways: PaletteWays) {
  return useAvailableCommands()
    .filter(({ actionId }) => may(actionId))
    .map(
      (command): PaletteItem => ({
        id: idOf(command),
        group: command.among ?? (device ? 'This device' : 'This page'),
        label: command.label,
        detail: command.detail,
        searchTerms: command.searchTerms,
        icon: command.icon ?? IconClick,
        refused: command.refused,
        run: () => ways.leave(command.run),
      }),
    )
}

function usePageItems(ways: PaletteWays): PaletteItem[] {
  const authority = authorityOf(useUser())
  const entries = visibleNavigation((permission) => isAllowed(permission, authority)).flatMap((group) => group.entries)
  const pages = entries.flatMap(({ label: section, icon, tabs }) =>
    tabs.map(
      ({ path, label }): PaletteItem => ({
        ...ways.list(address(path)),
        id: `page ${path}`,
        group: 'Pages',
        label,
        detail: label === section ? undefined : section,
        searchTerms: section,
        icon,
      }),
    ),
  )
  return pages.some(({ id }) => id === 'page /overview') ? [...pages, onTheWall(ways)] : pages
}

const onTheWall = (ways: PaletteWays): PaletteItem => ({
  ...ways.link(address('/overview', { kiosk: true })),
  id: 'page /overview kiosk',
  group: 'Pages',
  label: 'Overview in kiosk mode',
  searchTerms: 'tv kiosk mode',
  icon: IconDeviceTv,
})

/** The header of the device's page keeps the device current; here it is only read. */
function useKnownDevice(guid: DeviceGuid | undefined): Device | undefined {
  const isKnown = useMay(getDevice.permission) && guid !== undefined
  const { data } = useCall(getDevice, { guid: guid as DeviceGuid }, { enabled: isKnown, freshMs: 60_000 })
  return isKnown ? data : undefined
}

const LIST_NAMES = { devices: 'Devices', alerts: 'Alerts', incidents: 'Incidents' } as const
const LIST_ICONS = { devices: IconDeviceTv, alerts: IconAlertTriangle, incidents: IconStack2 } as const

const questionItem = ({ list, to, says, isCertain }: RequestedList, ways: PaletteWays): PaletteItem => ({
  ...ways.list(to),
  id: 'question',
  group: isCertain ? 'Question' : 'Filter',
  label: `${LIST_NAMES[list]}: ${says}`,
  detail: decodeURIComponent(to),
  icon: IconFilterQuestion,
})

function useWhoChanged(typed: string, device: Device | undefined, ways: PaletteWays): PaletteItem[] {
  const changed = readWhoChanged(typed)
  if (!useMay(PAGE_PERMISSIONS['/audit-log']) || changed === undefined) return []
  return [
    {
      ...ways.list(address('/audit-log', { changed, entityName: device?.name })),
      id: 'who changed',
      group: 'Question',
      label: `Audit log: changes of ${changed}`,
      detail: device?.name,
      icon: IconHistory,
    },
  ]
}

const filterItems = (asked: RequestedList | undefined, ways: PaletteWays): PaletteItem[] =>
  LIST_FILTERS.filter(({ to }) => to !== asked?.to).map(({ list, label, to }) => ({
    ...ways.list(to),
    id: `filter ${to}`,
    group: 'Lists',
    label,
    detail: LIST_NAMES[list],
    searchTerms: `${list} filter show`,
    icon: LIST_ICONS[list],
  }))

type Action = Omit<PaletteItem, 'id' | 'group'> & { readonly actionId: ActionId }

function useActionItems(
  may: (actionId: ActionId) => boolean,
  { onDialog }: PaletteProps,
  ways: PaletteWays,
): PaletteItem[] {
  const isDark = useScheme() === 'dark'
  const addDevice: Action = {
    actionId: 'device.add',
    label: 'Add device',
    searchTerms: 'new create',
    icon: IconPlus,
    run: () => onDialog('addDevice'),
  }
  const actions: readonly Action[] = [
    {
      actionId: 'console.theme',
      label: isDark ? 'Switch to the light theme' : 'Switch to the dark theme',
      searchTerms: isDark ? 'colours white' : 'colours black',
      icon: isDark ? IconSun : IconMoon,
      run: () => ways.leave(switchScheme),
    },
    ...ACCOUNT_ENTRIES.map(({ dialog, ...entry }) => ({ ...entry, run: () => onDialog(dialog) })),
    {
      actionId: 'console.keys',
      label: 'Keyboard shortcuts',
      searchTerms: 'keys help ?',
      icon: IconKeyboard,
      run: () => onDialog('keys'),
    },
    {
      actionId: 'account.signOut',
      label: 'Logout',
      searchTerms: 'sign out log out',
      icon: IconLogout,
      run: () => void signOut(),
    },
  ]
  const asItems = (some: readonly Action[]) =>
    some
      .filter(({ actionId }) => may(actionId))
      .map(({ actionId, ...action }): PaletteItem => ({ ...action, id: actionId, group: 'Actions' }))
  return [...asItems([addDevice]), ...pageCommandItems(PAGE_COMMANDS, 'Actions', may, ways), ...asItems(actions)]
}
