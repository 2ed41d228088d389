import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { callKey } from '#console/lib/call/useCall.ts'
import type { ListFilter } from '#console/lib/list/listAddress.ts'
import { DataTable, type ShownPage } from '#console/ui/table/DataTable.tsx'
import { AUDIT_PAGE_SIZE, type AuditEntry, listAudit } from '#contract/http/insight/auditLog.ts'
import { AUDIT_ROW_COLUMNS, STACKED_AUDIT_ROW } from './auditRowColumns.tsx'
import { type AuditRow, type OpenedFold, shownRows } from './auditRows.ts'

interface Props {
  readonly entries: readonly AuditEntry[]
  readonly filter: ListFilter<'/audit-log'>
  readonly page: ShownPage
  readonly onOpen: (entry: AuditEntry) => void
}

export function AuditTable({ entries, filter, page, onOpen }: Props) {
  const [openIds, setOpenIds] = useState<readonly string[]>([])
  const toggle = (id: string) =>
    setOpenIds(openIds.includes(id) ? openIds.filter((one) => one !== id) : [...openIds, id])
  const opened = useOpened(openIds, filter)
  const rows = shownRows(entries, opened, toggle)
  const openRow = (row: AuditRow) => {
    if (row.kind === 'fold') toggle(row.bulkId)
    else if (row.kind !== 'note') onOpen(row.entry)
  }
  return (
    <DataTable
      label="Audit log"
      columns={AUDIT_ROW_COLUMNS}
      rows={rows}
      rowKey={({ key }) => key}
      rowAttributes={({ kind }) => ({ 'data-kind': kind })}
      onOpen={openRow}
      opensOnClick
      minWidthPx={940}
      stacked={STACKED_AUDIT_ROW}
      {...page}
    />
  )
}

function useOpened(bulkIds: readonly string[], filter: Props['filter']): ReadonlyMap<string, OpenedFold> {
  const answers = useQueries({
    queries: bulkIds.map((bulkId) => {
      const body = { ...filter, bulkId, rowNum: 1, pageSize: AUDIT_PAGE_SIZE }
      return {
        queryKey: [...callKey(listAudit, {}), body],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => send(listAudit, { body, signal }),
        meta: { shows: listAudit.shows ?? [] },
      }
    }),
  })
  return new Map(
    bulkIds.map((bulkId, index) => {
      const { data, isError = false } = answers[index] ?? {}
      return [bulkId, { entries: data && ('rows' in data ? data.rows : data), hasFailed: isError }]
    }),
  )
}
