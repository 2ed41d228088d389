import { Button } from '@mantine/core'
import { IconDownload, IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { withDeviceEvent } from '#console/lib/deviceEvents.ts'
import { pageAfter, pageBefore, pageOf } from '#console/lib/listAddress.ts'
import { useLiveDevices, useOnLiveAgain } from '#console/lib/live.ts'
import { useMay } from '#console/lib/session.ts'
import { callKey, queryClient, useCall } from '#console/lib/useCall.ts'
import { useReload } from '#console/lib/useReload.ts'
import { address as addressOf } from '#console/router/addressText.ts'
import { ROWS_PER_PAGE } from '#console/router/pages.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Pager } from '#console/ui/Pager.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import type { AnswerOf } from '#contract/http/call.ts'
import { updateClientVersion } from '#contract/http/clientUpdate.ts'
import { type Device, listDevices } from '#contract/http/device.ts'
import type { DeviceSortColumn } from '#contract/http/listWords.ts'
import { AddDeviceButton } from './AddDeviceButton.tsx'
import { BulkBar } from './BulkBar.tsx'
import { BulkMenu } from './BulkMenu.tsx'
import { BulkModal } from './BulkModal.tsx'
import type { BulkKind } from './bulkWish.ts'
import { DeviceFilterBar } from './DeviceFilterBar.tsx'
import { DeviceTable } from './DeviceTable.tsx'
import { deviceListQueryOf, isFiltered, sortOf, withFilter, withSort } from './deviceListAddress.ts'
import './devices.css'
import { NoDevices } from './NoDevices.tsx'
import { UpdateClientButtons } from './UpdateClientButtons.tsx'
import { useBulkSelection } from './useBulkSelection.ts'
import { useDeviceListAddress } from './useDeviceListAddress.ts'

/** The fallback beside live events: it also brings rows that a filter now takes in. */
const REFRESH_EVERY_MS = 59_000

type Answer = AnswerOf<typeof listDevices>

export function DevicesScreen() {
  const navigate = useNavigate()
  const { address, unread, go } = useDeviceListAddress()
  const query = deviceListQueryOf(address)
  const devices = useCall(listDevices, query, { refreshEveryMs: REFRESH_EVERY_MS, keepsPrevious: true })
  const { isReloading, reloadNow } = useReload(devices)
  const selection = useBulkSelection()
  const [mode, setMode] = useState<'set' | 'updateClient'>('set')
  const mayUpdateClient = useMay(updateClientVersion.permission)
  const [bulkKind, setBulkKind] = useState<BulkKind>()
  const page = devices.data && pageIn(devices.data)
  const firstRow = (pageOf(address) - 1) * ROWS_PER_PAGE + 1

  useLiveDevices(
    (page?.rows ?? []).map(({ id }) => id),
    (event) =>
      queryClient.setQueryData<Answer>(
        callKey(listDevices, query),
        (answer) => answer && withRows(answer, (device) => withDeviceEvent(device, event)),
      ),
  )
  useOnLiveAgain(() => void devices.refetch())

  const select = (next: typeof mode) => {
    setMode(next)
    selection.start()
  }
  const open = ({ guid }: Device) => navigate(addressOf('/devices/$guid/status', { guid }))
  const sort = (column: DeviceSortColumn, descending: boolean) => go(withSort(address, column, descending))
  const next = page?.next ? pageAfter(address, page.next) : undefined
  const previous = pageBefore(address)

  return (
    <Screen
      title="Devices"
      unread={unread}
      actions={
        <>
          {!selection.isOn && (
            <Button
              variant="default"
              leftSection={<IconListCheck size={16} aria-hidden />}
              onClick={() => select('set')}
            >
              Select
            </Button>
          )}
          {!selection.isOn && mayUpdateClient && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => select('updateClient')}
            >
              Update client
            </Button>
          )}
          <AddDeviceButton />
        </>
      }
    >
      <Panel>
        <DeviceFilterBar
          filter={address}
          onChange={(change, options) => go(withFilter(address, change), options)}
          onReload={() => void reloadNow()}
          onReset={() => go({})}
          isLoading={isReloading}
        />
        {selection.isOn && (
          <BulkBar
            selection={selection}
            total={page?.total ?? null}
            onSelectPage={() => selection.add((page?.rows ?? []).map(({ id }) => id))}
            onSelectAll={() => void selection.addAll(address)}
          >
            {mode === 'set' ? (
              <BulkMenu count={selection.ids.size} onSet={setBulkKind} />
            ) : (
              <UpdateClientButtons selection={selection} />
            )}
          </BulkBar>
        )}
        <AsyncView
          query={devices}
          isEmpty={(answer) => pageIn(answer).rows.length === 0}
          empty={<NoDevices isFiltered={isFiltered(address)} page={pageOf(address)} onReset={() => go({})} />}
        >
          {(answer) => (
            <DeviceTable
              devices={pageIn(answer).rows}
              sort={sortOf(address)}
              onSort={sort}
              onOpen={open}
              selection={selection}
              firstRow={firstRow}
              total={pageIn(answer).total}
            />
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
      </Panel>
      {bulkKind && <BulkModal kind={bulkKind} deviceIds={[...selection.ids]} onClose={() => setBulkKind(undefined)} />}
    </Screen>
  )
}

/** Without paging parameters the call answers a plain list, with them a page. */
function pageIn(answer: Answer) {
  return Array.isArray(answer) ? { rows: answer, total: answer.length, next: null } : answer
}

function withRows(answer: Answer, change: (device: Device) => Device): Answer {
  return Array.isArray(answer) ? answer.map(change) : { ...answer, rows: answer.rows.map(change) }
}
