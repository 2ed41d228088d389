import { type FoldedEntry, isFolded } from '#console/lib/audit/foldLabels.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'

export type AuditRow = { readonly key: string } & (
  | { readonly kind: 'entry' | 'within'; readonly entry: AuditEntry }
  | {
      readonly kind: 'fold'
      readonly entry: FoldedEntry
      readonly bulkId: string
      readonly isOpen: boolean
      readonly onToggle: () => void
    }
  /** It stands below an open row, and says why its entries are missing or that there are more. */
  | { readonly kind: 'note'; readonly bulkId: string; readonly note: 'loading' | 'failed' | 'more' }
)

export interface OpenedFold {
  /** It holds the newest entries, and is undefined until they are loaded. */
  readonly entries: readonly AuditEntry[] | undefined
  readonly hasFailed: boolean
}

export function shownRows(
  entries: readonly AuditEntry[],
  opened: ReadonlyMap<string, OpenedFold>,
  toggle: (bulkId: string) => void,
): readonly AuditRow[] {
  return entries.flatMap((entry): readonly AuditRow[] => {
    const { bulkId } = entry
    if (!isFolded(entry) || bulkId === null) return [{ key: `${entry.id}`, kind: 'entry', entry }]
    const open = opened.get(bulkId)
    const fold: AuditRow = {
      key: bulkId,
      kind: 'fold',
      entry,
      bulkId,
      isOpen: open !== undefined,
      onToggle: () => toggle(bulkId),
    }
    return [fold, ...(open ? rowsWithin(entry, bulkId, open) : [])]
  })
}

function rowsWithin({ fold }: FoldedEntry, bulkId: string, { entries, hasFailed }: OpenedFold): readonly AuditRow[] {
  const note = (why: 'loading' | 'failed' | 'more'): AuditRow => ({
    key: `${bulkId} ${why}`,
    kind: 'note',
    bulkId,
    note: why,
  })
  if (!entries) return [note(hasFailed ? 'failed' : 'loading')]
  const rows = entries.map((entry): AuditRow => ({ key: `${entry.id} within`, kind: 'within', entry }))
  return fold.entries > rows.length ? [...rows, note('more')] : rows
}
