import { SegmentedControl } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { IdPicker } from '#console/pickers/IdPicker.tsx'
import { YesNoPicker } from '#console/pickers/YesNoPicker.tsx'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { MomentFields } from '#console/ui/filter/MomentFields.tsx'
import { INCIDENT_STATES, type IncidentState } from '#contract/call/listOptions.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { STATE_WORDS } from './IncidentBadges.tsx'
import type { IncidentFilter, IncidentFilterChange } from './useIncidentList.ts'

interface Props {
  readonly filter: IncidentFilter
  readonly onChange: (change: IncidentFilterChange, way?: Way) => void
}

export function IncidentFilterFields({ filter, onChange }: Props) {
  return (
    <>
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
      <CustomerPicker
        placeholder="All customers"
        value={filter.customerId}
        onChange={(customerId) => onChange({ customerId })}
      />
      <DevicePicker
        placeholder="All devices"
        clearable
        value={filter.deviceId}
        onChange={(deviceId) => onChange({ deviceId })}
      />
      <IdPicker
        name="Severity"
        placeholder="Any severity"
        choices={SEVERITIES}
        value={filter.severityId}
        onChange={(severityId) => onChange({ severityId })}
      />
      <YesNoPicker
        name="Owner"
        yes="Has an owner"
        no="No owner"
        value={filter.taken}
        onChange={(taken) => onChange({ taken })}
      />
      <YesNoPicker
        name="Snoozed"
        yes="Snoozed now"
        no="Not snoozed"
        value={filter.snoozed}
        onChange={(snoozed) => onChange({ snoozed })}
      />
      <FilterText
        name="Root cause or place"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.text ?? ''}
        onChange={(text, way) => onChange({ text }, way)}
      />
      <MomentFields fromName="Began from" toName="Began before" filter={filter} onChange={onChange} />
    </>
  )
}
