import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { DeviceFields, DeviceFieldsChange } from '#console/lib/deviceFields.ts'
import { FilterBar } from '#console/ui/FilterBar.tsx'
import { FilterText } from '#console/ui/FilterText.tsx'
import { CustomerPicker } from './CustomerPicker.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import { StatusPicker } from './StatusPicker.tsx'

interface Props {
  readonly filter: DeviceFields
  readonly onChange: (change: Partial<DeviceFieldsChange>, options?: { readonly replace: boolean }) => void
  readonly onReload: () => void
  readonly onReset: () => void
  readonly isLoading: boolean
  /** What else narrows this list. */
  readonly children?: ReactNode
}

/** The fields that narrow a list or a map of devices, with Reload and Reset (P1 §2). */
export function DeviceFieldsBar({ filter, onChange, onReload, onReset, isLoading, children }: Props) {
  // A text that is being typed on is one step of the history, not one for each pause.
  const changeText = (name: 'deviceName' | 'attrSerial') => (text: string) =>
    onChange({ [name]: text || undefined }, { replace: Boolean(filter[name]) && text !== '' })
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
      {children}
    </FilterBar>
  )
}
