import { IconDownload, IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { withDeviceEvent } from '#console/deviceParts/deviceEvents.ts'
import { streamRows } from '#console/lib/call/rowStream.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useLiveDevices } from '#console/lib/live/live.ts'
import { useMay } from '#console/lib/session/session.ts'
import { deviceFilters } from '#console/pickers/deviceFilters.tsx'
import { OtherShape } from '#console/pickers/OtherShape.tsx'
import { EnterByView } from '#console/pickers/views/EnterByView.tsx'
import { ViewMenu } from '#console/pickers/views/ViewMenu.tsx'
import { ViewNotes } from '#console/pickers/views/ViewNotes.tsx'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import type { QueryOf } from '#contract/call/call.ts'
import type { DeviceColumn } from '#contract/call/listOptions.ts'
import { createMaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import { type Device, exportDevices, listDevices } from '#contract/http/devices/devices.ts'
import { updateClientVersion } from '#contract/http/software/rollouts.ts'
import { AddDeviceButton } from './AddDeviceButton.tsx'
import { BulkBar } from './bulk/BulkBar.tsx'
import { BulkMaintenance } from './bulk/BulkMaintenance.tsx'
import { BulkMenu } from './bulk/BulkMenu.tsx'
import { BulkModal } from './bulk/BulkModal.tsx'
import type { BulkKind } from './bulk/bulkSettings.ts'
import { DeviceTable } from './DeviceTable.tsx'
import './devices.css'
import { UpdateClientButtons } from './bulk/UpdateClientButtons.tsx'
import { useBulkSelection } from './bulk/useBulkSelection.ts'
import { columnOf } from './deviceColumns.tsx'
import { LayoutMenu } from './LayoutMenu.tsx'
import { type ListLayout, useListLayout } from './useListLayout.ts'

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
  const list = useList(listDevices, { at: '/devices', order: 'name', remembersAs: 'devices', isLive: true })
  const selection = useBulkSelection(list)
  const { layout, setLayout } = useListLayout(list.address)
  const [mode, setMode] = useState<SelectionMode>('set')
  const [bulkKind, setBulkKind] = useState<BulkKind>()
  const { rows, filter, narrow } = list
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
      unread={list.unread}
      actions={
        <>
          <ViewMenu page="devices" />
          <OtherShape kind="map" to={address('/locations', { filter })} />
          {!selection.isOn && <SelectButtons onSelect={select} />}
          <AddDeviceButton />
          <LayoutMenu layout={layout} onChange={setLayout} />
          <ListExportMenu name="devices" columns={layout.columns.map(csvColumnOf)} batches={wholeFleet} />
        </>
      }
    >
      <ViewNotes page="devices" />
      <ListPanel
        list={list}
        noun={['device', 'devices']}
        empty="There are no devices yet"
        filter={deviceFilters(filter, narrow)}
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

function SelectButtons({ onSelect }: { readonly onSelect: (mode: SelectionMode) => void }) {
  usePaletteCommands([
    {
      actionId: 'devices.choose',
      label: 'Select devices',
      searchTerms: 'choose many bulk set',
      icon: IconListCheck,
      run: () => onSelect('set'),
    },
    {
      actionId: 'devices.updateClient',
      id: 'devices.updateClient choose',
      label: 'Update client: select devices',
      icon: IconDownload,
      run: () => onSelect('updateClient'),
    },
  ])
  const mayUpdate = useMay(updateClientVersion.permission)
  if (!useMay(createMaintenanceWindow.permission)) return null
  return (
    <>
      <ActionButton icon={IconListCheck} onClick={() => onSelect('set')}>
        Select
      </ActionButton>
      {mayUpdate && (
        <ActionButton icon={IconDownload} onClick={() => onSelect('updateClient')}>
          Update client
        </ActionButton>
      )}
    </>
  )
}
