import { IconAdjustmentsHorizontal, IconFilterOff, IconRefresh } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import './FilterBar.css'

interface FilterBarProps {
  readonly children: ReactNode
  readonly onReload: () => void
  readonly onReset: () => void
  readonly isLoading?: boolean
  /** Some of the fields narrow the list, even where there is no room to show them. */
  readonly isFiltered?: boolean
}

/** The fields narrow a list, beside Reload and Reset. A phone shows the first one, and the others on request. */
export function FilterBar({ children, onReload, onReset, isLoading = false, isFiltered = false }: FilterBarProps) {
  const [isWhole, setIsWhole] = useState(false)
  const [resets, setResets] = useState(0)
  const reset = () => {
    // A text that has not been applied yet is no change of the filter, and would stay in its field.
    setResets(resets + 1)
    onReset()
  }
  return (
    <search className="filter-bar" data-whole={isWhole || undefined}>
      <Fragment key={resets}>{children}</Fragment>
      <div className="filter-bar-buttons">
        <IconButton
          icon={IconAdjustmentsHorizontal}
          tip={isWhole ? 'Fewer filters' : 'More filters'}
          variant={isFiltered ? 'light' : 'default'}
          size={30}
          className="filter-bar-more"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        />
        <IconButton icon={IconRefresh} tip="Reload" hasFrame loading={isLoading} onClick={onReload} />
        <IconButton icon={IconFilterOff} tip="Reset" hasFrame onClick={reset} />
      </div>
    </search>
  )
}
