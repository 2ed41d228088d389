import { Button, Modal } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { CloseAlertsForm } from '#console/alert/CloseAlertsForm.tsx'
import { messages } from '#console/lib/call/messages.ts'
import { useOffers } from '#console/lib/offers/offers.ts'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import type { Alert } from '#contract/http/alert.ts'
import type { AlertId } from '#domain/ids.ts'
import { AlertContextMenu } from './AlertContextMenu.tsx'
import { AlertDetailsModal } from './AlertDetailsModal.tsx'
import { AlertFilterFields } from './AlertFilterFields.tsx'
import { AlertTable } from './AlertTable.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import type { AlertList } from './useAlertList.ts'
import { useAlertSelection } from './useAlertSelection.ts'
import '#console/alert/alertParts.css'
import './alerts.css'

interface Props {
  readonly alerts: AlertList
  /** False on the page of a device. */
  readonly hasDevices: boolean
  /** Stands beside the buttons above the list. */
  readonly menu?: ReactNode
}

/** Alerts with filter, selection, closing and pages: the same for the whole fleet and for one device (P2 §2). */
export function AlertsPanel({ alerts, hasDevices, menu }: Props) {
  const selection = useAlertSelection(alerts)
  const [openId, setOpenId] = useState<AlertId>()
  const [closing, setClosing] = useState<readonly Alert[]>()
  const { opened } = selection
  useOffers([
    {
      deed: 'alert.close',
      label: opened.length === 1 ? 'Close the selected alert' : `Close ${opened.length} selected alerts`,
      icon: IconCircleCheck,
      refused: opened.length === 0 ? messages.noAlertsSelected : undefined,
      run: () => setClosing(opened),
    },
  ])
  return (
    <>
      <ListPanel
        list={alerts}
        noun={['alert', 'alerts']}
        empty="There are no opened alerts"
        filter={<AlertFilterFields filter={alerts.filter} hasDevices={hasDevices} onChange={alerts.narrow} />}
        above={
          <SelectionBar selection={selection} total={alerts.total ?? null} shownCount={alerts.rows.length} menu={menu}>
            <Button
              leftSection={<IconCircleCheck size={16} aria-hidden />}
              disabled={opened.length === 0}
              onClick={() => setClosing(opened)}
            >
              Close selected ({opened.length})
            </Button>
          </SelectionBar>
        }
      >
        {(rows) => (
          <AlertContextMenu alerts={rows} selection={selection} onClose={setClosing}>
            <AlertTable
              alerts={rows}
              hasDevices={hasDevices}
              selection={selection}
              onOpen={({ id }) => setOpenId(id)}
              {...alerts.table}
            />
          </AlertContextMenu>
        )}
      </ListPanel>
      <AlertDetailsModal alertId={openId} onClose={() => setOpenId(undefined)} />
      {closing && (
        <Modal
          opened
          onClose={() => setClosing(undefined)}
          title={closing.length === 1 ? 'Close alert' : `Close alerts (${closing.length})`}
          size={380}
        >
          <CloseAlertsForm
            alertIds={closing.map(({ id }) => id)}
            onClosed={() => {
              selection.remove(closing)
              setClosing(undefined)
            }}
            onCancel={() => setClosing(undefined)}
          />
        </Modal>
      )}
    </>
  )
}
