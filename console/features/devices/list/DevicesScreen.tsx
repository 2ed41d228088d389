import { IconBulbOff, IconColumns3, IconDownload, IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { withDeviceEvent } from '#console/deviceParts/deviceEvents.ts'
import { streamRows } from '#console/lib/call/rowStream.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useLiveDevices } from '#console/lib/live/live.ts'
import { useMay } from '#console/lib/session/session.ts'
import { deviceFilters } from '#console/pickers/deviceFilters.tsx'
import { ShapeSwitch } from '#console/pickers/ShapeSwitch.tsx'
import { EnterByView } from '#console/pickers/views/EnterByView.tsx'
import { useDeviceViews } from '#console/pickers/views/useDeviceViews.ts'
import { ViewNotes } from '#console/pickers/views/ViewNotes.tsx'
import { ViewTabs } from '#console/pickers/views/ViewTabs.tsx'
import { FIRST_SORT } from '#console/pickers/views/viewAddress.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import type { QueryOf } from '#contract/call/call.ts'
import type { DeviceColumn } from '#contract/call/listOptions.ts'
import { createMaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import { type Device, exportDevices, listDevices } from '#contract/http/devices/devices.ts'
import { startEmergencyDark } from '#contract/http/insight/emergencyDark.ts'
import { updateClientVersion } from '#contract/http/software/rollouts.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { AddDeviceButton } from './AddDeviceButton.tsx'
import { BulkBar } from './bulk/BulkBar.tsx'
import { BulkMaintenance } from './bulk/BulkMaintenance.tsx'
import { BulkMenu } from './bulk/BulkMenu.tsx'
import type { BulkKind } from './bulk/bulkSettings.ts'
import { DeviceTable } from './DeviceTable.tsx'
import './devices.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { UpdateClientButtons } from './bulk/UpdateClientButtons.tsx'
import { useBulkSelection } from './bulk/useBulkSelection.ts'
import { columnOf } from './deviceColumns.tsx'
import { useArrivalItems } from './useArrivalItems.tsx'
import { type ListLayout, useListLayout } from './useListLayout.ts'

const BulkModal = lazyDialog(() => import('./bulk/BulkModal.tsx').then((part) => part.BulkModal))
const EmergencyModal = lazyDialog(() =>
  import('#console/pickers/emergency/EmergencyModal.tsx').then((part) => part.EmergencyModal),
)
const LayoutModal = lazyDialog(() => import('./LayoutModal.tsx').then((part) => part.LayoutModal))

const csvColumnOf = (word: DeviceColumn) => ({ header: columnOf(word).header, cell: columnOf(word).csv })

type SelectionMode = 'set' | 'updateClient'

/** The page `/devices` lists the devices (rules/lists 2). */
export const DevicesScreen = () => (
  <EnterByView page="devices">
    <Devices />
  </EnterByView>
)

function Devices() {
  const navigate = useNavigate()
  const list = useList(listDevices, { at: '/devices', order: FIRST_SORT, remembersAs: 'devices', isLive: true })
  const selection = useBulkSelection(list)
  const { layout, setLayout } = useListLayout(list.address)
  const [mode, setMode] = useState<SelectionMode>('set')
  const [bulkKind, setBulkKind] = useState<BulkKind>()
  const { rows, filter } = list
  const views = useDeviceViews(filter, list.show)
  const wholeFleet = (signal: AbortSignal) =>
    streamRows<typeof exportDevices, Device>(exportDevices, list.wholeQuestion as QueryOf<typeof exportDevices>, signal)

  useLiveDevices(
    rows.map(({ id }) => id),
    (event) => list.changeRows((shown) => shown.map((device) => withDeviceEvent(device, event))),
  )

  const select = (next: SelectionMode) => {
    setMode(next)
    selection.start()
  }
  const open = ({ guid }: Device) => navigate(address('/devices/$guid/status', { guid }))
  return (
    <Screen
      title="Devices"
      views={<ViewTabs page="devices" fixed={views} />}
      unread={list.unread}
      subtitle={<Shapes total={list.total} map={address('/locations', { filter })} />}
      actions={
        <>
          {!selection.isOn && <UpdateClientButton onSelect={() => select('updateClient')} />}
          <AddDeviceButton />
          <ListMenu layout={layout} onChange={setLayout} batches={wholeFleet} />
        </>
      }
    >
      <ViewNotes page="devices" />
      <ListPanel
        list={list}
        noun={['device', 'devices']}
        empty="There are no devices yet"
        filter={deviceFilters(filter, list.narrow)}
        foot={!selection.isOn && <SelectButton onSelect={() => select('set')} />}
        above={
          selection.isOn && (
            <BulkBar selection={selection} total={list.total ?? null}>
              {mode === 'set' ? (
                <>
                  <BulkMaintenance deviceIds={[...selection.ids]} />
                  <BulkMenu count={selection.ids.size} onSet={setBulkKind} />
                </>
              ) : (
                <UpdateClientButtons selection={selection} />
              )}
            </BulkBar>
          )
        }
      >
        {(devices) => (
          <DeviceTable
            devices={devices}
            layout={selection.isOn && mode === 'updateClient' ? withClient(layout) : layout}
            {...list.table}
            onOpen={open}
            selection={selection}
          />
        )}
      </ListPanel>
      {bulkKind && <BulkModal kind={bulkKind} deviceIds={[...selection.ids]} onClose={() => setBulkKind(undefined)} />}
    </Screen>
  )
}

function withClient(layout: ListLayout): ListLayout {
  if (layout.columns.includes('client')) return layout
  const at = layout.columns.indexOf('name') + 1
  return { ...layout, columns: layout.columns.toSpliced(at, 0, 'client') }
}

interface ListMenuProps {
  readonly layout: ListLayout
  readonly onChange: (layout: ListLayout) => void
  readonly batches: (signal: AbortSignal) => AsyncGenerator<readonly Device[]>
}

function ListMenu({ layout, onChange, batches }: ListMenuProps) {
  const [isLayoutOpen, setIsLayoutOpen] = useState(false)
  const [isDarkening, setIsDarkening] = useState(false)
  const mayDarken = useMay(startEmergencyDark.permission)
  const arrivals = useArrivalItems()
  return (
    <>
      <ListExportMenu
        name="devices"
        columns={layout.columns.map(csvColumnOf)}
        batches={batches}
        more={
          <>
            <MenuItem icon={IconColumns3} onClick={() => setIsLayoutOpen(true)}>
              Columns and density
            </MenuItem>
            {mayDarken && (
              <MenuItem icon={IconBulbOff} onClick={() => setIsDarkening(true)}>
                Emergency dark
              </MenuItem>
            )}
            {arrivals.items}
          </>
        }
      />
      {isDarkening && <EmergencyModal onClose={() => setIsDarkening(false)} />}
      {arrivals.dialog}
      {isLayoutOpen && <LayoutModal layout={layout} onChange={onChange} onClose={() => setIsLayoutOpen(false)} />}
    </>
  )
}

interface ShapesProps {
  readonly total: number | null | undefined
  readonly map: Address
}

const Shapes = ({ total, map }: ShapesProps) => (
  <span className="devices-shapes">
    {typeof total === 'number' && <span aria-live="polite">{formatNumber(total)}</span>}
    <ShapeSwitch shown="list" other={map} />
  </span>
)

function UpdateClientButton({ onSelect }: { readonly onSelect: () => void }) {
  const mayUpdate = useMay(updateClientVersion.permission)
  usePaletteCommands([
    {
      actionId: 'devices.updateClient',
      id: 'devices.updateClient choose',
      label: 'Update client: select devices',
      icon: IconDownload,
      run: onSelect,
    },
  ])
  if (!mayUpdate) return null
  return (
    <ActionButton icon={IconDownload} onClick={onSelect}>
      Update client
    </ActionButton>
  )
}

function SelectButton({ onSelect }: { readonly onSelect: () => void }) {
  usePaletteCommands([
    {
      actionId: 'devices.choose',
      label: 'Select devices',
      searchTerms: 'choose many bulk set',
      icon: IconListCheck,
      run: onSelect,
    },
  ])
  if (!useMay(createMaintenanceWindow.permission)) return null
  return (
    <ActionButton icon={IconListCheck} iconSize={14} size="compact-sm" variant="subtle" onClick={onSelect}>
      Select
    </ActionButton>
  )
}
