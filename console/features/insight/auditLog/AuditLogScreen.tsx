import { useState } from 'react'
import { useList } from '#console/lib/list/useList.ts'
import { isReversed, REVERSED_PERIOD } from '#console/router/unread.ts'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { AUDIT_PAGE_SIZE, type AuditEntry, listAudit } from '#contract/http/insight/auditLog.ts'
import { AuditTable } from './AuditTable.tsx'
import { AUDIT_CSV_COLUMNS } from './auditColumns.tsx'
import { useAuditFilters } from './useAuditFilters.tsx'
import './auditLog.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const AuditDetailsModal = lazyDialog(() => import('./AuditDetailsModal.tsx').then((part) => part.AuditDetailsModal))

/** The page `/audit-log` lists who did what, newest first (rules/lists 5). */
export function AuditLogScreen() {
  const list = useList(listAudit, {
    at: '/audit-log',
    rowsPerPage: AUDIT_PAGE_SIZE,
    pagesAsk: ({ bulkId }) => (bulkId === undefined ? { folds: true } : {}),
  })
  const [openEntry, setOpenEntry] = useState<AuditEntry>()
  const { filter, rows } = list
  const filters = useAuditFilters({
    filter,
    chosenThing: rows.find(({ entityId }) => entityId === filter.entityId)?.entityName || undefined,
    chosenUsername: rows.find(({ userId }) => userId === filter.userId)?.username,
    onChange: list.narrow,
  })
  const unread = isReversed(filter) ? [...list.unread, REVERSED_PERIOD] : list.unread
  return (
    <Screen
      title="Audit log"
      unread={unread}
      actions={<ListExportMenu name="audit" columns={AUDIT_CSV_COLUMNS} batches={list.batches} />}
    >
      <ListPanel list={list} noun={['entry', 'entries']} empty="Nothing has been done yet" filter={filters}>
        {() => <AuditTable entries={rows} filter={filter} page={list.table} onOpen={setOpenEntry} />}
      </ListPanel>
      <AuditDetailsModal entry={openEntry} isOpen={openEntry !== undefined} onClose={() => setOpenEntry(undefined)} />
    </Screen>
  )
}
