import { Group } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { messages } from '#console/lib/call/messages.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { useRemoval } from '#console/lib/list/useRemoval.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import {
  deleteMaintenance,
  listMaintenance,
  type MaintenanceEntry,
  setMaintenance,
} from '#contract/http/devices/maintenance.ts'
import { FirstMaintenance } from './FirstMaintenance.tsx'
import { MaintenanceTable } from './MaintenanceTable.tsx'
import { useEntryAddress } from './useEntryAddress.ts'
import { PlannedVisits } from './visits/PlannedVisits.tsx'
import './maintenance.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const PlanVisitModal = lazyDialog(() => import('./visits/PlanVisitModal.tsx').then((part) => part.PlanVisitModal))
const MaintenanceModal = lazyDialog(() => import('./MaintenanceModal.tsx').then((part) => part.MaintenanceModal))

export function MaintenanceTab() {
  const device = useOpenDevice()
  const entries = useCall(listMaintenance, { deviceId: device.id })
  const { isReloading, reloadNow } = useReload(entries)
  const { entry, open, close, linkTo, visit, incidentId, openVisit, closeVisit } = useEntryAddress()
  const mayWrite = useMay(setMaintenance.permission)
  const { remove, isGone } = useRemoval(deleteMaintenance, {
    title: 'Remove maintenance',
    question: ({ startDt }: MaintenanceEntry) => messages.confirmRemoveMaintenance(formatMinute(startDt)),
  })
  return (
    <Panel
      title="Maintenance"
      meta={
        <Group gap={8} wrap="nowrap">
          <ActionButton icon={IconRefresh} loading={isReloading} onClick={() => void reloadNow()}>
            Reload
          </ActionButton>
          {mayWrite && (
            <AddButton
              actionId="maintenance.add"
              label="Add a maintenance entry"
              searchTerms="note new visit"
              onClick={() => open('new')}
            >
              Add new
            </AddButton>
          )}
        </Group>
      }
    >
      <PlannedVisits device={device} onOpen={mayWrite ? openVisit : undefined} />
      <AsyncView
        query={entries}
        isEmpty={(rows) => rows.every(isGone)}
        empty={<FirstMaintenance deviceId={device.id} mayWrite={mayWrite} />}
      >
        {(rows) => (
          <MaintenanceTable
            rows={rows.filter((row) => !isGone(row))}
            {...(mayWrite && {
              linkTo: ({ id }: MaintenanceEntry) => linkTo(id),
              onOpen: ({ id }: MaintenanceEntry) => open(id),
              onRemove: remove,
            })}
          />
        )}
      </AsyncView>
      {mayWrite && visit !== undefined && (
        <PlanVisitModal device={device} visit={visit} incidentId={incidentId} onClose={closeVisit} />
      )}
      {mayWrite && <MaintenanceModal key={entry} device={device} entry={entry} onClose={close} />}
    </Panel>
  )
}
