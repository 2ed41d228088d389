import { IconFilter, IconFilterOff, IconRefresh } from '@tabler/icons-react'
import { Fragment, type ReactNode, useId, useRef, useState } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { useWidth } from '#console/ui/useWidth.ts'
import { FilterWord } from './FilterWord.tsx'
import { type Filters, fittingFields, type MoreFilter } from './filters.ts'
import './FilterBar.css'

interface FilterBarProps extends Filters {
  readonly onReload: () => void
  readonly onReset: () => void
  readonly isLoading?: boolean
  /** So many filters are chosen. The button says it where not all of their fields are in sight. */
  readonly chosenCount?: number
  /** The settings menu of the list, where no header has it. */
  readonly menu?: ReactNode
}

const NO_FILTERS: readonly MoreFilter[] = []

/**
 * The fields narrow a list: one row of them, and the others behind a button. A chosen one of those is a chip in the
 * row, so that nothing narrows the list unseen.
 */
export function FilterBar({
  primary,
  lead,
  more = NO_FILTERS,
  onReload,
  onReset,
  isLoading = false,
  ...bar
}: FilterBarProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [resets, setResets] = useState(0)
  const bars = useRef<HTMLElement>(null)
  const moreId = useId()
  const fields = primary.filter((field) => field !== null && field !== false && field !== undefined)
  const moreFields = more.filter(({ field }) => field !== undefined)
  const row = { count: fields.length, hasLead: lead !== undefined, hasMore: moreFields.length > 0 }
  const fitCount = fittingFields(row, useWidth(bars))
  const hidden = fields.slice(fitCount)
  const reset = () => {
    // A text that has not been applied yet is no change of the filter, and would stay in its field.
    setResets(resets + 1)
    onReset()
  }
  return (
    <search className="filter-bar" ref={bars}>
      <div className="filter-row">
        {lead}
        <Keyed fields={fields.slice(0, fitCount)} resets={resets} />
        {(hidden.length > 0 || moreFields.length > 0) && (
          <MoreButton
            label={hidden.length > 0 ? 'Filters' : 'More filters'}
            count={hidden.length > 0 ? (bar.chosenCount ?? 0) : 0}
            isOpen={isOpen}
            controls={moreId}
            onToggle={() => setIsOpen(!isOpen)}
          />
        )}
        {more.map(
          ({ label, chip, onRemove }) =>
            chip !== undefined && <FilterWord key={label} word={chip} onRemove={onRemove} />,
        )}
      </div>
      <div className="filter-bar-buttons">
        <IconButton icon={IconRefresh} tip="Reload" hasFrame loading={isLoading} onClick={onReload} />
        <IconButton icon={IconFilterOff} tip="Reset filters" aria-label="Reset" hasFrame onClick={reset} />
        {bar.menu}
      </div>
      {isOpen && (hidden.length > 0 || moreFields.length > 0) && (
        <div className="filter-more" id={moreId}>
          <Keyed fields={[...hidden, ...moreFields.map(({ field }) => field)]} resets={resets} />
        </div>
      )}
    </search>
  )
}

/** After each reset the fields are new, and what was typed in them is gone. */
function Keyed({ fields, resets }: { readonly fields: readonly ReactNode[]; readonly resets: number }) {
  return fields.map((field, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a list keep their order
    <Fragment key={`${resets} ${index}`}>{field}</Fragment>
  ))
}

interface MoreButtonProps {
  readonly label: string
  readonly count: number
  readonly isOpen: boolean
  readonly controls: string
  readonly onToggle: () => void
}

function MoreButton({ label, count, isOpen, controls, onToggle }: MoreButtonProps) {
  return (
    <ActionButton
      icon={IconFilter}
      variant="subtle"
      className="filter-more-button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      rightSection={count > 0 && <span className="filter-count">{count}</span>}
      onClick={onToggle}
    >
      {label}
    </ActionButton>
  )
}
