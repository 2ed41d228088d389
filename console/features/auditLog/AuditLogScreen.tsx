import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { pageAfter, pageBefore, pageOf } from '#console/lib/listAddress.ts'
import { useCsvExport } from '#console/lib/useCsvExport.ts'
import { useReload } from '#console/lib/useReload.ts'
import { isReversed, REVERSED_PERIOD, unreadParameters } from '#console/router/unread.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { DataTable } from '#console/ui/DataTable.tsx'
import { ListExportMenu } from '#console/ui/ListExportMenu.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Pager } from '#console/ui/Pager.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { AUDIT_PAGE_SIZE, type AuditEntry } from '#contract/http/audit.ts'
import { AuditDetailsModal } from './AuditDetailsModal.tsx'
import { AuditFilterBar } from './AuditFilterBar.tsx'
import {
  type AuditAddress,
  type AuditFilter,
  BARE_AUDIT_ADDRESS,
  filterOf,
  firstRowOf,
  readAuditAddress,
  withFilter,
} from './auditAddress.ts'
import { AUDIT_COLUMNS, AUDIT_CSV_COLUMNS, STACKED_AUDIT } from './auditColumns.tsx'
import { type AuditPage, auditBatches, useAuditPage } from './useAuditPage.ts'
import './auditLog.css'

/** `/audit-log`: who did what, newest first (P2 §2). */
export function AuditLogScreen() {
  const { given: search, change } = useAddress('/audit-log')
  const address = useMemo(() => readAuditAddress(search), [search])
  const go = (next: AuditAddress, options: { readonly replace?: boolean } = {}) =>
    change({ ...BARE_AUDIT_ADDRESS, ...next }, options)
  const list = useAuditPage(address)
  const { isReloading, reloadNow } = useReload(list)
  const [openEntry, setOpenEntry] = useState<AuditEntry>()
  const { userId } = address
  const unread = [
    ...unreadParameters(search, Object.keys(BARE_AUDIT_ADDRESS), address),
    ...(isReversed(search) ? [REVERSED_PERIOD] : []),
  ]

  return (
    <Screen title="Audit log" unread={unread} actions={<AuditMenu filter={filterOf(address)} />}>
      <Panel>
        <AuditFilterBar
          filter={address}
          chosenUsername={list.data?.rows.find((row) => row.userId === userId)?.username}
          onChange={(changes, options) => go(withFilter(address, changes), options)}
          onReload={() => void reloadNow()}
          onReset={() => go({})}
          isLoading={isReloading}
        />
        <AsyncView
          query={list}
          isEmpty={({ rows }) => rows.length === 0}
          empty={<NoEntries address={address} onReset={() => go({})} />}
        >
          {({ rows }) => (
            <DataTable
              label="Audit log"
              columns={AUDIT_COLUMNS}
              rows={rows}
              rowKey={({ id }) => id}
              onOpen={setOpenEntry}
              opensOnClick
              minWidthPx={940}
              stacked={STACKED_AUDIT}
              firstRow={firstRowOf(address)}
              total={null}
            />
          )}
        </AsyncView>
        {list.data && <AuditPager address={address} page={list.data} go={go} />}
      </Panel>
      <AuditDetailsModal entry={openEntry} onClose={() => setOpenEntry(undefined)} />
    </Screen>
  )
}

interface AuditPagerProps {
  readonly address: AuditAddress
  readonly page: AuditPage
  readonly go: (next: AuditAddress) => void
}

/** Back only behind the first page; no Next when fewer than a full page came (P2 §2). */
function AuditPager({ address, page, go }: AuditPagerProps) {
  const previous = pageBefore(address)
  const { next, rows } = page
  const hasNext = rows.length === AUDIT_PAGE_SIZE && next !== null
  return (
    <Pager
      firstRow={firstRowOf(address)}
      shownCount={rows.length}
      total={undefined}
      onPrevious={previous && (() => go(previous))}
      onNext={hasNext ? () => go(pageAfter(address, next)) : undefined}
    />
  )
}

function NoEntries({ address, onReset }: { readonly address: AuditAddress; readonly onReset: () => void }) {
  if (pageOf(address) > 1) return <EmptyNote title="There are no entries on this page" />
  if (Object.keys(filterOf(address)).length === 0) return <EmptyNote title="Nothing has been done yet" />
  return (
    <EmptyNote title="No entry matches this filter">
      <Button variant="default" onClick={onReset}>
        Reset the filter
      </Button>
    </EmptyNote>
  )
}

function AuditMenu({ filter }: { readonly filter: AuditFilter }) {
  const { isRunning, start } = useCsvExport({
    name: 'audit',
    columns: AUDIT_CSV_COLUMNS,
    batches: (signal) => auditBatches(filter, signal),
  })
  return <ListExportMenu isRunning={isRunning} onExport={() => void start()} />
}
