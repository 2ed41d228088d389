import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { MOST_COMPARED_DEVICES } from '#contract/http/devices/setup.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { BulkSelection } from './useBulkSelection.ts'

interface Props {
  readonly selection: BulkSelection
  /** The number of devices that the filter finds; null means more than the server counts. */
  readonly total: number | null
  readonly children: ReactNode
}

export function BulkBar({ selection, total, children }: Props) {
  const count = selection.ids.size
  return (
    <section className="bulk-bar" aria-label="Selection">
      <span role="status" className="bulk-count">
        <b>{formatNumber(count)}</b> selected
        {selection.isFull && <span className="dim"> (as many as can be chosen at once)</span>}
      </span>
      <Button variant="default" onClick={selection.addPage}>
        Select page
      </Button>
      <Button variant="default" loading={selection.isLoadingAll} onClick={() => void selection.addAll()}>
        {allLabel(total)}
      </Button>
      <Button variant="default" disabled={count === 0} onClick={selection.clear}>
        Clear
      </Button>
      <div className="bulk-actions">
        {children}
        <ActionButton icon={IconX} iconSize={14} onClick={selection.cancel}>
          Cancel
        </ActionButton>
      </div>
    </section>
  )
}

function allLabel(total: number | null): string {
  if (total === null || total > MOST_COMPARED_DEVICES) return `Select the first ${MOST_COMPARED_DEVICES}`
  return `Select all ${formatNumber(total)}`
}
