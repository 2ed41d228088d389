import { IconSearch } from '@tabler/icons-react'
import type { DeviceFields, DeviceFieldsChange } from '#console/device/deviceFields.ts'
import { FilterWord } from '#console/ui/FilterWord.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import type { DeviceFilter } from '#contract/call/listWords.ts'
import { ConnectionPicker } from './ConnectionPicker.tsx'
import { CustomerPicker } from './CustomerPicker.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import { NowPicker, type WrongFilter, wrongOf } from './NowPicker.tsx'
import { StatusPicker } from './StatusPicker.tsx'

interface Props {
  readonly filter: DeviceFields
  readonly onChange: (change: Partial<DeviceFieldsChange>, options?: { readonly replace: boolean }) => void
}

/** Words of the overview's tiles; they can only be taken away. */
const TILE_WORDS: Record<Exclude<DeviceFilter, WrongFilter>, string> = {
  activeConnected: 'Paired and synced',
  pending: 'Pending',
  maintenance: 'Maintenance',
  outOfOrder: 'Out of order',
}

const isTileWord = (word: DeviceFilter): word is keyof typeof TILE_WORDS => wrongOf(word) === undefined

/** The fields that narrow a list or a map of devices (P1 §2): the same for both; the first finds any of their words. */
export function DeviceFilterFields({ filter, onChange }: Props) {
  // A text that is being typed on is one step of the history, not one for each pause.
  const changeText = (name: 'search' | 'deviceName' | 'attrSerial') => (text: string) =>
    onChange({ [name]: text || undefined }, { replace: Boolean(filter[name]) && text !== '' })
  const { filter: word } = filter
  return (
    <>
      <FilterText
        name="Search"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.search ?? ''}
        onChange={changeText('search')}
      />
      <NowPicker value={wrongOf(word)} onChange={(chosen) => onChange({ filter: chosen })} />
      <CustomerPicker
        placeholder="All customers"
        value={filter.customerId}
        onChange={(customerId) => onChange({ customerId })}
      />
      <ModelPicker placeholder="Model" value={filter.modelId} onChange={(modelId) => onChange({ modelId })} />
      <StatusPicker placeholder="Status" value={filter.statusId} onChange={(statusId) => onChange({ statusId })} />
      <ConnectionPicker value={filter.connStatusId} onChange={(connStatusId) => onChange({ connStatusId })} />
      <FilterText name="Name" value={filter.deviceName ?? ''} onChange={changeText('deviceName')} />
      <FilterText name="Serial number" value={filter.attrSerial ?? ''} onChange={changeText('attrSerial')} />
      {word && isTileWord(word) && (
        <FilterWord word={TILE_WORDS[word]} onRemove={() => onChange({ filter: undefined })} />
      )}
    </>
  )
}
