import type { DeviceFields, DeviceFieldsChange } from '#console/deviceParts/deviceFields.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { FilterWord } from '#console/ui/filter/FilterWord.tsx'
import type { DeviceFilter } from '#contract/call/listOptions.ts'
import { formatHours } from '#domain/units/durations.ts'
import { type WrongFilter, wrongOf } from './AttentionPicker.tsx'

export const TILE_WORDS: Record<Exclude<DeviceFilter, WrongFilter>, string> = {
  activeConnected: 'Paired and synced',
  pending: 'Pending',
  maintenance: 'Maintenance',
  outOfOrder: 'Out of order',
}

const isTileWord = (word: DeviceFilter): word is Exclude<DeviceFilter, WrongFilter> => wrongOf(word) === undefined

interface Props {
  readonly filter: DeviceFields
  readonly onChange: (change: Partial<DeviceFieldsChange>) => void
}

/** It shows the parts of a filter that have no field: tiles, and how long something has been wrong. */
export function DeviceFilterChips({ filter: { filter, forMinutes, since }, onChange }: Props) {
  return (
    <>
      {filter && isTileWord(filter) && (
        <FilterWord word={TILE_WORDS[filter]} onRemove={() => onChange({ filter: undefined })} />
      )}
      {forMinutes && (
        <FilterWord
          word={`For ${formatHours(forMinutes)} or longer`}
          onRemove={() => onChange({ forMinutes: undefined })}
        />
      )}
      {since && (
        <FilterWord word={`Since ${formatMinute(since)} or later`} onRemove={() => onChange({ since: undefined })} />
      )}
    </>
  )
}
