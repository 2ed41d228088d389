import { useQuery } from '@tanstack/react-query'
import { detailsOf } from '#console/lib/audit/auditChanges.ts'
import { send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { AuditDetails } from '#console/ui/records/AuditDetails.tsx'
import { EntityLink } from '#console/ui/records/EntityLink.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { type AuditEntry, listAudit } from '#contract/http/insight/auditLog.ts'
import type { UserId } from '#domain/ids.ts'

/** This many rows are requested, and those that belong to the user are shown (rules/lists 6). */
const ASKED = 50
const MOST_SHOWN = 20

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: 'inserted',
    header: 'Timestamp',
    widthPx: 136,
    cell: ({ inserted }) => formatDateTime(inserted),
    title: ({ address }) => (address ? `From ${address}` : ''),
  },
  { id: 'action', header: 'Action', widthPx: 84, cell: ({ actionName }) => actionName },
  textColumn('entity', 'Entity', ({ entityTypeName }) => entityTypeName, { leaves: 1, widthPx: 120, isDim: true }),
  {
    id: 'name',
    header: 'Name',
    cell: (entry) => <EntityLink entry={entry} />,
    title: ({ entityName }) => entityName,
  },
  {
    id: 'details',
    header: 'Details',
    isDim: true,
    cell: (entry) => <AuditDetails entry={entry} />,
    title: detailsOf,
  },
]

export function UserAudit({ userId }: { readonly userId: UserId }) {
  const entries = useRecentEntries(userId)
  const mayRead = useMay(listAudit.permission)
  return (
    <Panel title="Recent activity" meta={mayRead && <Link to={address('/audit-log', { userId })}>Audit log</Link>}>
      <AsyncView query={entries} empty="This user has done nothing yet">
        {(rows) => (
          <DataTable label="Recent activity" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} minWidthPx={620} />
        )}
      </AsyncView>
    </Panel>
  )
}

function useRecentEntries(userId: UserId) {
  return useQuery<readonly AuditEntry[], CallFailed>({
    queryKey: [listAudit.path, 'of user', userId],
    queryFn: async ({ signal }) => {
      const answer = await send(listAudit, { body: { rowNum: 1, pageSize: ASKED, userId }, signal })
      const rows = Array.isArray(answer) ? answer : answer.rows
      return rows.filter((entry) => entry.userId === userId).slice(0, MOST_SHOWN)
    },
  })
}
