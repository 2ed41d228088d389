import { ActionIcon, Tooltip } from '@mantine/core'
import { IconFilterOff, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
  return (
    <search className="filter-bar">
      {children}
      <div className="filter-bar-buttons">
        <Tooltip label="Reload">
          <ActionIcon variant="default" size={30} aria-label="Reload" loading={isLoading} onClick={onReload}>
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Reset">
          <ActionIcon variant="default" size={30} aria-label="Reset" onClick={onReset}>
            <IconFilterOff size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
    </search>
  )
}
