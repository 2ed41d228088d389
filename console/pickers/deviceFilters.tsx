import { IconSearch } from '@tabler/icons-react'
import { attentionLabel, type WrongFilter, wrongOf } from '#console/deviceParts/attentionLabels.ts'
import type { DeviceFields, DeviceFieldsChange } from '#console/deviceParts/deviceFields.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import type { Filters, MoreFilter } from '#console/ui/filter/filters.ts'
import type { DeviceFilter } from '#contract/call/listOptions.ts'
import { CONNECTION_STATUSES, connectionStatusName } from '#domain/devices/status.ts'
import { versionFilterLabel } from '#domain/releases/versionFilter.ts'
import { formatHours } from '#domain/units/durations.ts'
import { NowPicker } from './AttentionPicker.tsx'
import { CustomerPicker } from './CustomerPicker.tsx'
import { IdPicker } from './IdPicker.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import { StatusPicker } from './StatusPicker.tsx'
import { TagsPicker } from './TagsPicker.tsx'
import { VersionPicker } from './VersionPicker.tsx'

export const TILE_WORDS: Record<Exclude<DeviceFilter, WrongFilter>, string> = {
  activeConnected: 'Paired and synced',
  pending: 'Pending',
  maintenance: 'Maintenance',
  outOfOrder: 'Out of order',
}

const isTileWord = (word: DeviceFilter): word is Exclude<DeviceFilter, WrongFilter> => wrongOf(word) === undefined

type Change = (change: Partial<DeviceFieldsChange>, way?: Way) => void

/** The list and the map share these filters (rules/lists 1): the specified fields are the row. */
export function deviceFilters(filter: DeviceFields, onChange: Change): Filters {
  return {
    primary: [
      <Text key="name" name="Name" of="deviceName" filter={filter} onChange={onChange} />,
      <Text key="serial" name="Serial number" of="attrSerial" filter={filter} onChange={onChange} />,
      <CustomerPicker
        key="customer"
        placeholder="All customers"
        value={filter.customerId}
        onChange={(customerId) => onChange({ customerId })}
      />,
      <ModelPicker
        key="model"
        placeholder="Model"
        value={filter.modelId}
        onChange={(modelId) => onChange({ modelId })}
      />,
      <StatusPicker
        key="status"
        placeholder="Status"
        value={filter.statusId}
        onChange={(statusId) => onChange({ statusId })}
      />,
    ],
    more: [...moreTexts(filter, onChange), ...morePickers(filter, onChange), ...chipsOnly(filter, onChange)],
  }
}

const moreTexts = (filter: DeviceFields, onChange: Change): readonly MoreFilter[] => [
  {
    label: 'Search in all',
    field: <Text name="Search" placeholder="Search in all" of="search" filter={filter} onChange={onChange} />,
    chip: chipOf('Search', filter.search),
    onRemove: () => onChange({ search: undefined }),
  },
  {
    label: 'Place',
    field: <Text name="Place" of="place" filter={filter} onChange={onChange} />,
    chip: chipOf('Place', filter.place),
    onRemove: () => onChange({ place: undefined }),
  },
]

function morePickers(filter: DeviceFields, onChange: Change): readonly MoreFilter[] {
  const { tags = [], connStatusId, clientVersion, customerId } = filter
  const wrong = wrongOf(filter.filter)
  return [
    {
      label: 'Needs attention',
      field: <NowPicker value={wrong} onChange={(chosen) => onChange({ filter: chosen })} />,
      chip: chipOf('Needs attention', wrong && attentionLabel(wrong)),
      onRemove: () => onChange({ filter: undefined }),
    },
    {
      label: 'Tags',
      field: (
        <TagsPicker
          className="field"
          placeholder="Tags"
          value={tags}
          onChange={(chosen) => onChange({ tags: chosen.length === 0 ? undefined : chosen })}
          customerId={customerId}
          // Half a word that somebody left would narrow the list to nothing.
          acceptValueOnBlur={false}
        />
      ),
      chip: chipOf(tags.length > 1 ? 'Tags' : 'Tag', tags.join(', ')),
      onRemove: () => onChange({ tags: undefined }),
    },
    {
      label: 'Connection',
      field: (
        <IdPicker
          name="Connection"
          choices={CONNECTION_STATUSES}
          value={connStatusId}
          onChange={(chosen) => onChange({ connStatusId: chosen })}
        />
      ),
      chip: chipOf('Connection', connStatusId === undefined ? undefined : connectionStatusName(connStatusId)),
      onRemove: () => onChange({ connStatusId: undefined }),
    },
    {
      label: 'Client version',
      field: (
        <VersionPicker
          value={clientVersion}
          onChange={(chosen) => onChange({ clientVersion: chosen })}
          customerId={customerId}
        />
      ),
      chip: chipOf('Client', clientVersion && versionFilterLabel(clientVersion)),
      onRemove: () => onChange({ clientVersion: undefined }),
    },
  ]
}

/** Tiles and links bring these parts of a filter, and no field sets them. */
const chipsOnly = ({ filter, forMinutes, since }: DeviceFields, onChange: Change): readonly MoreFilter[] => [
  {
    label: 'Tile',
    chip: filter && isTileWord(filter) ? TILE_WORDS[filter] : undefined,
    onRemove: () => onChange({ filter: undefined }),
  },
  {
    label: 'Duration',
    chip: forMinutes ? `For ${formatHours(forMinutes)} or longer` : undefined,
    onRemove: () => onChange({ forMinutes: undefined }),
  },
  {
    label: 'Since',
    chip: since ? `Since ${formatMinute(since)} or later` : undefined,
    onRemove: () => onChange({ since: undefined }),
  },
]

const chipOf = (label: string, text: string | undefined) => (text ? `${label}: ${text}` : undefined)

interface TextProps {
  readonly name: string
  readonly placeholder?: string
  readonly of: 'search' | 'place' | 'deviceName' | 'attrSerial'
  readonly filter: DeviceFields
  readonly onChange: Change
}

function Text({ name, placeholder, of, filter, onChange }: TextProps) {
  return (
    <FilterText
      name={name}
      {...(placeholder && { placeholder, leftSection: <IconSearch size={14} aria-hidden /> })}
      value={filter[of] ?? ''}
      onChange={(text, way) => onChange({ [of]: text || undefined }, way)}
    />
  )
}
