import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { MOST_COMPARED_DEVICES } from '#contract/http/deviceSettings.ts'
import type { BulkKind } from './bulkWish.ts'
import { BULK_TITLES } from './bulkWords.ts'
import type { BulkSelection } from './useBulkSelection.ts'

interface Props {
  readonly selection: BulkSelection
  /** How many the filter shows; null: more than the server counts. */
  readonly total: number | null
  readonly onSelectPage: () => void
  readonly onSelectAll: () => void
  readonly onSet: (kind: BulkKind) => void
}

const KINDS = Object.keys(BULK_TITLES) as BulkKind[]

/** Above the list while devices are chosen: how many, which more, and what to do with them. */
export function BulkBar({ selection, total, onSelectPage, onSelectAll, onSet }: Props) {
  const count = selection.ids.size
  const set = (kind: BulkKind) => (count === 0 ? toasts.warning(messages.noDevicesSelected) : onSet(kind))
  return (
    <section className="bulk-bar" aria-label="Selection">
      <span role="status" className="bulk-count">
        <b>{count.toLocaleString('en-GB')}</b> selected
        {selection.isFull && <span className="dim"> (as many as can be set at once)</span>}
      </span>
      <Button variant="default" onClick={onSelectPage}>
        Select page
      </Button>
      <Button variant="default" loading={selection.isLoadingAll} onClick={onSelectAll}>
        {allWords(total)}
      </Button>
      <Button variant="default" disabled={count === 0} onClick={selection.clear}>
        Clear
      </Button>
      <div className="bulk-actions">
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <Button rightSection={<IconChevronDown size={14} aria-hidden />}>Set</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {KINDS.map((kind) => (
              <Menu.Item key={kind} onClick={() => set(kind)}>
                {BULK_TITLES[kind]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button variant="default" leftSection={<IconX size={14} aria-hidden />} onClick={selection.cancel}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

function allWords(total: number | null): string {
  if (total === null || total > MOST_COMPARED_DEVICES) return `Select the first ${MOST_COMPARED_DEVICES}`
  return `Select all ${total.toLocaleString('en-GB')}`
}
