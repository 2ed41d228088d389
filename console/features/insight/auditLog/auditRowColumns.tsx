import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { bulkAction, bulkOutcomes, bulkThings, bulkTimes, bulkTitle } from '#console/lib/audit/foldLabels.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Column, StackedCell } from '#console/ui/table/DataTable.tsx'
import { AUDIT_COLUMNS, STACKED_AUDIT } from './auditColumns.tsx'
import type { AuditRow } from './auditRows.ts'

type Fold = Extract<AuditRow, { readonly kind: 'fold' }>
type Note = Extract<AuditRow, { readonly kind: 'note' }>

const OF_FOLD: Readonly<Record<string, (fold: Fold) => ReactNode>> = {
  name: (fold) => <FoldTitle fold={fold} text={bulkThings(fold.entry)} />,
  details: (fold) => (
    <FoldDetails fold={fold}>
      <span>{bulkAction(fold.entry)}</span>
      <span className="audit-fold-times">{bulkTimes(fold.entry)}</span>
    </FoldDetails>
  ),
}
const TITLE_OF_FOLD: Readonly<Record<string, (fold: Fold) => string>> = {
  inserted: ({ entry }) => bulkTimes(entry),
  name: ({ entry }) => bulkTitle(entry),
  details: ({ entry }) => bulkTimes(entry),
}

export const AUDIT_ROW_COLUMNS: readonly Column<AuditRow>[] = AUDIT_COLUMNS.map(
  ({ cell, title, to: _, foldsFor: _folds, ...column }) => ({
    ...column,
    cell: (row) => {
      if (row.kind === 'note') return column.id === 'name' ? <FoldNote row={row} /> : null
      const ofFold = row.kind === 'fold' ? OF_FOLD[column.id] : undefined
      return ofFold && row.kind === 'fold' ? ofFold(row) : cell(row.entry)
    },
    title: (row) => {
      if (row.kind === 'note') return ''
      const ofFold = row.kind === 'fold' ? TITLE_OF_FOLD[column.id] : undefined
      return ofFold && row.kind === 'fold' ? ofFold(row) : (title?.(row.entry) ?? '')
    },
  }),
)

export const STACKED_AUDIT_ROW: StackedCell<AuditRow> = {
  header: STACKED_AUDIT.header,
  cell: (row) => {
    if (row.kind === 'note') return <FoldNote row={row} />
    if (row.kind !== 'fold') return STACKED_AUDIT.cell(row.entry, undefined)
    return (
      <>
        <FoldTitle fold={row} text={bulkTitle(row.entry)} />
        <span className="is-dim">
          {bulkTimes(row.entry)} · {row.entry.username}
        </span>
        <span className="is-dim">
          <FoldDetails fold={row} />
        </span>
      </>
    )
  },
}

interface FoldTitleProps {
  readonly fold: Fold
  readonly text: string
}

function FoldTitle({ fold: { entry, isOpen, onToggle }, text }: FoldTitleProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <button
      type="button"
      className="audit-fold"
      aria-label={bulkTitle(entry)}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <Chevron size={15} aria-hidden />
      <span>{text}</span>
    </button>
  )
}

interface FoldDetailsProps {
  readonly fold: Fold
  readonly children?: ReactNode
}

function FoldDetails({ fold: { entry, bulkId }, children }: FoldDetailsProps) {
  return (
    <span className="audit-fold-details">
      {bulkOutcomes(entry).map(([kind, text]) => (
        <span key={kind} className={kind === 'refused' ? 'audit-refused' : 'audit-fold-done'}>
          {text}
        </span>
      ))}
      {children}
      <OnlyThis bulkId={bulkId}>Only this action</OnlyThis>
    </span>
  )
}

const OnlyThis = ({ bulkId, children }: { readonly bulkId: string; readonly children: ReactNode }) => (
  <Link to={address('/audit-log', { bulkId })}>{children}</Link>
)

function FoldNote({ row: { note, bulkId } }: { readonly row: Note }) {
  if (note === 'loading') return <span className="is-dim">Loading…</span>
  if (note === 'failed') return <span className="is-dim">Its entries could not be loaded.</span>
  return <OnlyThis bulkId={bulkId}>All of its entries</OnlyThis>
}
