import { detailsOf } from '#console/lib/audit/auditChanges.ts'
import { isRefused } from '#console/lib/audit/settingLabels.ts'
import type { CsvColumn } from '#console/lib/csv.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { AuditDetails } from '#console/ui/records/AuditDetails.tsx'
import { EntityLink } from '#console/ui/records/EntityLink.tsx'
import type { Column, StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** The columns follow rules/lists 5. */
export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'inserted', header: 'Timestamp', widthPx: 140, cell: ({ inserted }) => formatDateTime(inserted) },
  { id: 'action', header: 'Action', widthPx: 112, cell: (entry) => <Action entry={entry} /> },
  textColumn('entity', 'Entity', ({ entityTypeName }) => entityTypeName, { widthPx: 130, leaves: 1, isDim: true }),
  {
    id: 'name',
    header: 'Name',
    widthPx: 190,
    isStrong: true,
    cell: (entry) => <EntityLink entry={entry} />,
    title: ({ entityName }) => entityName,
  },
  {
    id: 'user',
    header: 'User',
    widthPx: 200,
    leaves: 2,
    cell: ({ username }) => username || UNKNOWN_TEXT,
    title: ({ username, address }) => (address ? `${username} from ${address}`.trim() : username),
  },
  {
    id: 'details',
    header: 'Details',
    isDim: true,
    cell: (entry) => <AuditDetails entry={entry} />,
    title: detailsOf,
  },
]

export const STACKED_AUDIT: StackedCell<AuditEntry> = {
  header: 'Entry',
  cell: (entry) => (
    <>
      <span>
        <Action entry={entry} /> <span className="is-dim">{entry.entityTypeName}</span>
      </span>
      <b>
        <EntityLink entry={entry} />
      </b>
      <span className="is-dim">
        {formatDateTime(entry.inserted)} · {entry.username || UNKNOWN_TEXT}
      </span>
      {(detailsOf(entry) || isRefused(entry)) && (
        <span className="is-dim">
          <AuditDetails entry={entry} />
        </span>
      )}
    </>
  ),
}

/** Colours distinguish what was created, changed and deleted at a glance. */
function Action({ entry: { actionName } }: { readonly entry: AuditEntry }) {
  return (
    <span className="audit-action" data-action={actionName}>
      {actionName}
    </span>
  )
}

const outcomeOf = ({ outcome, settingOutcome }: AuditEntry) =>
  settingOutcome === null || settingOutcome === 'applied' ? outcome : settingOutcome

const json = (value: unknown) => (value === null || value === undefined ? '' : JSON.stringify(value))

export const AUDIT_CSV_COLUMNS: readonly CsvColumn<AuditEntry>[] = [
  { header: 'Timestamp', cell: ({ inserted }) => inserted },
  { header: 'Action', cell: ({ actionName }) => actionName },
  { header: 'Entity', cell: ({ entityTypeName }) => entityTypeName },
  { header: 'Entity id', cell: ({ entityId }) => entityId },
  { header: 'Name', cell: ({ entityName }) => entityName },
  { header: 'User', cell: ({ username }) => username },
  { header: 'Details', cell: detailsOf },
  { header: 'Outcome', cell: outcomeOf },
  { header: 'Before', cell: ({ before }) => json(before) },
  { header: 'After', cell: ({ after }) => json(after) },
  { header: 'Address', cell: ({ address }) => address },
  { header: 'Call', cell: ({ call }) => call },
]
