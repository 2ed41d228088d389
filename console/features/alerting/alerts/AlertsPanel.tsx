import { IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { type Alert, closeAlerts } from '#contract/http/alerting/alerts.ts'
import type { AlertId } from '#domain/ids.ts'
import { AlertContextMenu } from './AlertContextMenu.tsx'
import { alertFilters } from './AlertFilterFields.tsx'
import { AlertTable } from './AlertTable.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import type { AlertList } from './useAlertList.ts'
import { type AlertSelection, useAlertSelection } from './useAlertSelection.ts'
import '#console/alertParts/alertParts.css'
import './alerts.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const CloseAlertsModal = lazyDialog(() =>
  import('#console/alertParts/CloseAlertsModal.tsx').then((part) => part.CloseAlertsModal),
)
const AlertDetailsModal = lazyDialog(() => import('./AlertDetailsModal.tsx').then((part) => part.AlertDetailsModal))

interface Props {
  readonly alerts: AlertList
  readonly hasDevices: boolean
  readonly menu?: ReactNode
}

/** The list of alerts is the same for the whole fleet and for one device (rules/lists 3). */
export function AlertsPanel({ alerts, hasDevices, menu }: Props) {
  const selection = useAlertSelection(alerts)
  const [openId, setOpenId] = useState<AlertId>()
  const [closing, setClosing] = useState<readonly Alert[]>()
  const { opened } = selection
  const mayClose = useMay(closeAlerts.permission)
  usePaletteCommands([
    {
      actionId: 'alert.close',
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
        filter={alertFilters({ filter: alerts.filter, hasDevices, onChange: alerts.narrow })}
        menu={menu}
        above={mayClose && <CloseBar alerts={alerts} selection={selection} onClose={setClosing} />}
      >
        {(rows) => (
          <AlertContextMenu alerts={rows} selection={selection} onClose={setClosing}>
            <AlertTable
              alerts={rows}
              hasDevices={hasDevices}
              selection={mayClose ? selection : undefined}
              onOpen={({ id }) => setOpenId(id)}
              {...alerts.table}
            />
          </AlertContextMenu>
        )}
      </ListPanel>
      {openId !== undefined && <AlertDetailsModal key={openId} alertId={openId} onClose={() => setOpenId(undefined)} />}
      {closing && (
        <CloseAlertsModal
          title={closing.length === 1 ? 'Close alert' : `Close alerts (${closing.length})`}
          alertIds={closing.map(({ id }) => id)}
          onClosed={() => {
            selection.remove(closing)
            setClosing(undefined)
          }}
          onClose={() => setClosing(undefined)}
        />
      )}
    </>
  )
}

interface CloseBarProps extends Pick<Props, 'alerts'> {
  readonly selection: AlertSelection
  readonly onClose: (alerts: readonly Alert[]) => void
}

function CloseBar({ alerts, selection, onClose }: CloseBarProps) {
  const { opened } = selection
  return (
    <SelectionBar selection={selection} total={alerts.total ?? null} shownCount={alerts.rows.length}>
      <ActionButton icon={IconCircleCheck} isMain disabled={opened.length === 0} onClick={() => onClose(opened)}>
        Close selected ({opened.length})
      </ActionButton>
    </SelectionBar>
  )
}
