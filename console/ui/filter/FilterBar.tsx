import { ActionIcon, Tooltip } from '@mantine/core'
import { IconFilterOff, IconRefresh } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import './FilterBar.css'

interface FilterBarProps {
  /** The fields; each reports its own changes. */
  readonly children: ReactNode
  readonly onReload: () => void
  readonly onReset: () => void
  readonly isLoading?: boolean
}

/** Fields that narrow a list, with Reload and Reset. */
export function FilterBar({ children, onReload, onReset, isLoading = false }: FilterBarProps) {
  const [resets, setResets] = useState(0)
  const reset = () => {
    // A text that was never asked for is no change of the filter, and would stay in its field.
    setResets(resets + 1)
    onReset()
  }
  return (
    <search className="filter-bar">
      <Fragment key={resets}>{children}</Fragment>
      <div className="filter-bar-buttons">
        <Tooltip label="Reload">
          <ActionIcon variant="default" size={30} aria-label="Reload" loading={isLoading} onClick={onReload}>
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Reset">
          <ActionIcon variant="default" size={30} aria-label="Reset" onClick={reset}>
            <IconFilterOff size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
    </search>
  )
}
