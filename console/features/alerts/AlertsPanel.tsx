import { Button, Modal } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { pageAfter, pageBefore, pageOf } from '#console/lib/listAddress.ts'
import { useReload } from '#console/lib/useReload.ts'
import { ROWS_PER_PAGE } from '#console/router/pages.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Pager } from '#console/ui/Pager.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Alert } from '#contract/http/alert.ts'
import type { AlertId } from '#domain/ids.ts'
import { AlertContextMenu } from './AlertContextMenu.tsx'
import { AlertDetailsModal } from './AlertDetailsModal.tsx'
import { AlertFilterBar } from './AlertFilterBar.tsx'
import { AlertTable } from './AlertTable.tsx'
import { filterOf, withFilter } from './alertListAddress.ts'
import { CloseAlertsForm } from './CloseAlertsForm.tsx'
import { NoAlerts } from './NoAlerts.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { alertPageIn, type useAlertList } from './useAlertList.ts'
import type { AlertListAddressHook } from './useAlertListAddress.ts'
import { useAlertSelection } from './useAlertSelection.ts'
import './alerts.css'

interface Props extends Omit<AlertListAddressHook, 'unread'> {
  readonly alerts: ReturnType<typeof useAlertList>
  /** False on the page of a device. */
  readonly hasDevices: boolean
  /** Stands beside the buttons above the list. */
  readonly menu?: ReactNode
}

/** Alerts with filter, selection, closing and pages: the same for the whole fleet and for one device (P2 §2). */
export function AlertsPanel({ address, go, alerts: { list, page }, hasDevices, menu }: Props) {
  const { isReloading, reloadNow } = useReload(list)
  const selection = useAlertSelection(filterOf(address), page?.rows ?? [])
  const [openId, setOpenId] = useState<AlertId>()
  const [closing, setClosing] = useState<readonly Alert[]>()
  const firstRow = (pageOf(address) - 1) * ROWS_PER_PAGE + 1
  const next = page?.next ? pageAfter(address, page.next) : undefined
  const previous = pageBefore(address)

  return (
    <Panel>
      <AlertFilterBar
        filter={address}
        hasDevices={hasDevices}
        onChange={(change, options) => go(withFilter(address, change), options)}
        onReload={() => void reloadNow()}
        onReset={() => go({})}
        isLoading={isReloading}
      />
      <SelectionBar selection={selection} total={page?.total ?? null} shownCount={page?.rows.length ?? 0} menu={menu}>
        <Button
          leftSection={<IconCircleCheck size={16} aria-hidden />}
          disabled={selection.opened.length === 0}
          onClick={() => setClosing(selection.opened)}
        >
          Close selected ({selection.opened.length})
        </Button>
      </SelectionBar>
      <AsyncView
        query={list}
        isEmpty={(answer) => alertPageIn(answer).rows.length === 0}
        empty={<NoAlerts address={address} hasDevices={hasDevices} onReset={() => go({})} />}
      >
        {(answer) => (
          <AlertContextMenu alerts={alertPageIn(answer).rows} selection={selection} onClose={setClosing}>
            <AlertTable
              alerts={alertPageIn(answer).rows}
              hasDevices={hasDevices}
              selection={selection}
              onOpen={({ id }) => setOpenId(id)}
              firstRow={firstRow}
              total={alertPageIn(answer).total}
            />
          </AlertContextMenu>
        )}
      </AsyncView>
      {page && (
        <Pager
          firstRow={firstRow}
          shownCount={page.rows.length}
          total={page.total}
          onPrevious={previous && (() => go(previous))}
          onNext={next && (() => go(next))}
        />
      )}
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
    </Panel>
  )
}
