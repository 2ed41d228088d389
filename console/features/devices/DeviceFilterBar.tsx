import { Button } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import { StatusPicker } from '#console/pickers/StatusPicker.tsx'
import { FilterBar } from '#console/ui/FilterBar.tsx'
import { FilterText } from '#console/ui/FilterText.tsx'
import type { DeviceFilter } from '#contract/http/device.ts'
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

export function DeviceFilterBar({ filter, onChange, onReload, onReset, isLoading }: Props) {
  // A text that is being typed on is one step of the history, not one for each pause.
  const changeText = (name: 'deviceName' | 'attrSerial') => (text: string) =>
    onChange({ [name]: text || undefined }, { replace: Boolean(filter[name]) && text !== '' })
  const word = filter.filter
  const [resets, setResets] = useState(0)
  const reset = () => {
    // A text that was never asked for is no change of the filter, and would stay in its field.
    setResets(resets + 1)
    onReset()
  }

  return (
    <FilterBar onReload={onReload} onReset={reset} isLoading={isLoading}>
      <CustomerPicker
        placeholder="All customers"
        value={filter.customerId}
        onChange={(customerId) => onChange({ customerId })}
      />
      <FilterText
        key={`name ${resets}`}
        name="Name"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.deviceName ?? ''}
        onChange={changeText('deviceName')}
      />
      <ModelPicker placeholder="Model" value={filter.modelId} onChange={(modelId) => onChange({ modelId })} />
      <FilterText
        key={`serial ${resets}`}
        name="Serial number"
        value={filter.attrSerial ?? ''}
        onChange={changeText('attrSerial')}
      />
      <StatusPicker placeholder="Status" value={filter.statusId} onChange={(statusId) => onChange({ statusId })} />
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
    </FilterBar>
  )
}
