import { SegmentedControl } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { formatMinute } from '#console/lib/time/time.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { IdPicker } from '#console/pickers/IdPicker.tsx'
import { YesNoPicker } from '#console/pickers/YesNoPicker.tsx'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import type { Filters, MoreFilter } from '#console/ui/filter/filters.ts'
import { momentFields } from '#console/ui/filter/momentFields.tsx'
import { INCIDENT_STATES, type IncidentState } from '#contract/call/listOptions.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { STATE_WORDS } from '../IncidentBadges.tsx'
import type { IncidentFilter, IncidentFilterChange } from './useIncidentList.ts'

interface Props {
  readonly filter: IncidentFilter
  /** The name of the device that the filter names. */
  readonly deviceName: string | undefined
  readonly onChange: (change: IncidentFilterChange, way?: Way) => void
}

/** The fields of the list's one row of filters, and the others behind "More filters". */
export function incidentFilters({ filter, deviceName, onChange }: Props): Filters {
  return {
    lead: <StateSwitch filter={filter} onChange={onChange} />,
    primary: [
      <FilterText
        key="text"
        name="Root cause or place"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.text ?? ''}
        onChange={(text, way) => onChange({ text }, way)}
      />,
      <CustomerPicker
        key="customer"
        placeholder="All customers"
        value={filter.customerId}
        onChange={(customerId) => onChange({ customerId })}
      />,
      <IdPicker
        key="severity"
        name="Severity"
        placeholder="Any severity"
        choices={SEVERITIES}
        value={filter.severityId}
        onChange={(severityId) => onChange({ severityId })}
      />,
      <YesNoPicker
        key="owner"
        name="Owner"
        yes="Has an owner"
        no="No owner"
        value={filter.taken}
        onChange={(taken) => onChange({ taken })}
      />,
    ],
    more: moreFilters({ filter, deviceName, onChange }),
  }
}

function StateSwitch({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="State"
      data={[
        { value: '', label: 'Not closed' },
        ...INCIDENT_STATES.map((state) => ({ value: state, label: STATE_WORDS[state] })),
      ]}
      value={filter.state ?? ''}
      onChange={(state) => onChange({ state: state === '' ? undefined : (state as IncidentState) })}
    />
  )
}

function moreFilters({ filter, deviceName, onChange }: Props): readonly MoreFilter[] {
  const { deviceId, snoozed, dateFrom, dateTo, newFrom, overFrom } = filter
  return [
    {
      label: 'Device',
      field: (
        <DevicePicker
          placeholder="All devices"
          clearable
          value={deviceId}
          onChange={(chosen) => onChange({ deviceId: chosen })}
        />
      ),
      chip: deviceName,
      onRemove: () => onChange({ deviceId: undefined }),
    },
    {
      label: 'Snoozed',
      field: (
        <YesNoPicker
          name="Snoozed"
          yes="Snoozed now"
          no="Not snoozed"
          value={snoozed}
          onChange={(chosen) => onChange({ snoozed: chosen })}
        />
      ),
      chip: snoozed === undefined ? undefined : snoozed === 'yes' ? 'Snoozed now' : 'Not snoozed',
      onRemove: () => onChange({ snoozed: undefined }),
    },
    {
      label: 'Began',
      field: momentFields({ fromName: 'Began from', toName: 'Began before', filter, onChange }),
      chip: periodChip('Began', dateFrom, dateTo),
      onRemove: () => onChange({ dateFrom: undefined, dateTo: undefined }),
    },
    // The Overview leads here with these, and no field sets them.
    {
      label: 'New',
      chip: newFrom && `New since ${formatMinute(newFrom)}`,
      onRemove: () => onChange({ newFrom: undefined }),
    },
    {
      label: 'Resolved',
      chip: overFrom && `Resolved since ${formatMinute(overFrom)}`,
      onRemove: () => onChange({ overFrom: undefined }),
    },
  ]
}

function periodChip(word: string, from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined && to === undefined) return undefined
  return [word, from && `from ${formatMinute(from)}`, to && `before ${formatMinute(to)}`].filter(Boolean).join(' ')
}
