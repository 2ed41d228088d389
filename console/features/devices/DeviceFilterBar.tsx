import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { DeviceFieldsBar } from '#console/pickers/DeviceFieldsBar.tsx'
import type { DeviceFilter } from '#contract/http/listWords.ts'
import type { DeviceListFilter, DeviceListFilterChange } from './deviceListAddress.ts'

const FILTER_WORDS: Record<DeviceFilter, string> = {
  activeConnected: 'Paired and synced',
  pending: 'Pending',
  maintenance: 'Maintenance',
  outOfOrder: 'Out of order',
}

interface Props {
  readonly filter: DeviceListFilter
  readonly onChange: (change: Partial<DeviceListFilterChange>, options?: { readonly replace: boolean }) => void
  readonly onReload: () => void
  readonly onReset: () => void
  readonly isLoading: boolean
}

/** The fields of every list of devices, and the word of an overview tile, which can only be taken away. */
export function DeviceFilterBar({ filter: { filter: word, ...fields }, onChange, ...others }: Props) {
  return (
    <DeviceFieldsBar filter={fields} onChange={onChange} {...others}>
      {word && (
        <Button
          variant="default"
          className="filter-word"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Remove filter: ${FILTER_WORDS[word]}`}
          onClick={() => onChange({ filter: undefined })}
        >
          {FILTER_WORDS[word]}
        </Button>
      )}
    </DeviceFieldsBar>
  )
}
