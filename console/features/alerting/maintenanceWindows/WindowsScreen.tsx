import { SegmentedControl } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { send } from '#console/lib/call/api.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { useMay } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { createWindow } from '#console/pickers/maintenance/createWindow.ts'
import { endAll } from '#console/pickers/maintenance/endWindow.ts'
import { windowMessages } from '#console/pickers/maintenance/windowMessages.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import type { Filters } from '#console/ui/filter/filters.ts'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import type { WindowState } from '#contract/call/listOptions.ts'
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  listMaintenanceWindows,
  type MaintenanceWindow,
} from '#contract/http/alerting/maintenanceWindows.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { useWindowChoice } from './useWindowChoice.ts'
import { isChangeable, WindowsTable } from './WindowsTable.tsx'

const WindowModal = lazyDialog(() =>
  import('#console/pickers/maintenance/WindowModal.tsx').then((part) => part.WindowModal),
)

interface WindowsFilter {
  readonly state?: WindowState | undefined
  readonly customerId?: CustomerId | undefined
  readonly deviceId?: DeviceId | undefined
}

export function WindowsScreen() {
  const list = useList(listMaintenanceWindows, {
    at: '/maintenance-windows',
    isUncounted: true,
    refreshEveryMs: REFRESH_EVERY_MS.besideLive,
  })
  const { open, add, show, close, linkTo } = useRecordDialog('/maintenance-windows', list.rows, ({ id }) => id)
  const choice = useWindowChoice(list.rows)
  const mayPlan = useMay(createMaintenanceWindow.permission)
  return (
    <Screen
      title="Maintenance windows"
      unread={list.unread}
      actions={
        mayPlan && (
          <>
            {choice.chosen.length > 0 && (
              <ActionButton icon={IconPlayerStop} onClick={() => void endAll(choice.chosen)}>
                End selected ({choice.chosen.length})
              </ActionButton>
            )}
            <AddButton
              actionId="maintenance.plan"
              id="maintenance.plan any"
              label="Plan maintenance"
              searchTerms="new add window weekly"
              onClick={add}
            />
          </>
        )
      }
    >
      <ListPanel
        list={list}
        noun={['maintenance window', 'maintenance windows']}
        empty={
          <EmptyNote title="No maintenance is active or planned">
            <p>{windowMessages.whatItDoes}</p>
          </EmptyNote>
        }
        filter={windowFilters({ filter: list.filter, narrow: list.narrow })}
      >
        {(windows) => (
          <WindowsTable
            windows={windows}
            choice={mayPlan ? choice : undefined}
            linkTo={linkTo}
            onEdit={show}
            onDelete={(one) => void remove(one)}
          />
        )}
      </ListPanel>
      {open && !open.record && (
        <WindowModal title="Plan maintenance" target={null} onSubmit={createWindow} onClose={close} />
      )}
      {open?.record && isChangeable(open.record) && <ChangeModal window={open.record} onClose={close} />}
    </Screen>
  )
}

interface FilterProps {
  readonly filter: WindowsFilter
  readonly narrow: (changes: WindowsFilter) => void
}

function windowFilters({ filter: { state, customerId, deviceId }, narrow }: FilterProps): Filters {
  return {
    lead: (
      <SegmentedControl
        size="xs"
        aria-label="Which"
        data={[
          { value: '', label: 'Now and coming' },
          { value: 'now', label: 'Now' },
          { value: 'coming', label: 'Coming' },
          { value: 'past', label: 'Past' },
        ]}
        value={state ?? ''}
        onChange={(value) => narrow({ state: value === '' ? undefined : (value as WindowState) })}
      />
    ),
    primary: [
      <CustomerPicker
        key="customer"
        placeholder="All customers"
        value={customerId}
        onChange={(next) => narrow({ customerId: next })}
      />,
      <DevicePicker key="device" value={deviceId} onChange={(next) => narrow({ deviceId: next })} clearable />,
    ],
  }
}

interface ChangeProps {
  readonly window: MaintenanceWindow
  readonly onClose: () => void
}

function ChangeModal({ window, onClose }: ChangeProps) {
  return (
    <WindowModal
      title="Change maintenance"
      target={targetOfWindow(window)}
      window={window}
      onSubmit={(_, draft) => change(window.id, draft)}
      onClose={onClose}
    />
  )
}

/** The preview needs the target to count the alerts that the window would hold now. */
function targetOfWindow({ target: { kind, deviceId, deviceIds, tag, customerId } }: MaintenanceWindow) {
  if (kind === 'device' && deviceId !== null) return { kind, deviceId }
  if (kind === 'devices' && deviceIds.length > 0) return { kind, deviceIds }
  if (kind === 'tag') return { kind, tag, ...(customerId !== null && { customerId }) }
  if (kind === 'customer' && customerId !== null) return { kind, customerId }
  return { kind: 'all' as const }
}

async function change(id: number, draft: Parameters<typeof createWindow>[1]) {
  await send(changeMaintenanceWindow, { body: { id, ...draft } })
  toasts.success(windowMessages.saved)
  await refreshAfter(changeMaintenanceWindow)
}

const remove = ({ id, reason }: MaintenanceWindow) =>
  confirmAndChange(
    deleteMaintenanceWindow,
    { body: { id } },
    {
      title: 'Delete maintenance',
      text: windowMessages.confirmDelete(reason),
      isDangerous: true,
      done: windowMessages.deleted,
    },
  )
