import { IconSearch } from '@tabler/icons-react'
import type { DeviceFields, DeviceFieldsChange } from '#console/deviceParts/deviceFields.ts'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { CONNECTION_STATUSES } from '#domain/devices/status.ts'
import { NowPicker, wrongOf } from './AttentionPicker.tsx'
import { CustomerPicker } from './CustomerPicker.tsx'
import { DeviceFilterChips } from './DeviceFilterChips.tsx'
import { IdPicker } from './IdPicker.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import { StatusPicker } from './StatusPicker.tsx'
import { TagsPicker } from './TagsPicker.tsx'
import { VersionPicker } from './VersionPicker.tsx'

interface Props {
  readonly filter: DeviceFields
  readonly onChange: (change: Partial<DeviceFieldsChange>, way?: Way) => void
}

/** The list and the map share these fields (rules/lists 1); the first searches all of a device's words. */
export function DeviceFilterFields({ filter, onChange }: Props) {
  const changeText = (name: 'search' | 'place' | 'deviceName' | 'attrSerial') => (text: string, way: Way) =>
    onChange({ [name]: text || undefined }, way)
  return (
    <>
      <FilterText
        name="Search"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.search ?? ''}
        onChange={changeText('search')}
      />
      <NowPicker value={wrongOf(filter.filter)} onChange={(chosen) => onChange({ filter: chosen })} />
      <CustomerPicker
        placeholder="All customers"
        value={filter.customerId}
        onChange={(customerId) => onChange({ customerId })}
      />
      <FilterText name="Place" value={filter.place ?? ''} onChange={changeText('place')} />
      <TagsPicker
        className="field"
        placeholder="Tags"
        value={filter.tags ?? []}
        onChange={(tags) => onChange({ tags: tags.length === 0 ? undefined : tags })}
        customerId={filter.customerId}
        // Half a word that somebody left would narrow the list to nothing.
        acceptValueOnBlur={false}
      />
      <ModelPicker placeholder="Model" value={filter.modelId} onChange={(modelId) => onChange({ modelId })} />
      <StatusPicker placeholder="Status" value={filter.statusId} onChange={(statusId) => onChange({ statusId })} />
      <IdPicker
        className="field"
        name="Connection"
        choices={CONNECTION_STATUSES}
        value={filter.connStatusId}
        onChange={(connStatusId) => onChange({ connStatusId })}
      />
      <VersionPicker
        value={filter.clientVersion}
        onChange={(clientVersion) => onChange({ clientVersion })}
        customerId={filter.customerId}
      />
      <FilterText name="Name" value={filter.deviceName ?? ''} onChange={changeText('deviceName')} />
      <FilterText name="Serial number" value={filter.attrSerial ?? ''} onChange={changeText('attrSerial')} />
      <DeviceFilterChips filter={filter} onChange={onChange} />
    </>
  )
}
