import { SegmentedControl, Select } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { MomentField } from '#console/ui/form/MomentField.tsx'
import { INCIDENT_STATES, type IncidentState } from '#contract/call/listOptions.ts'
import { SEVERITIES, type SeverityId } from '#domain/alerts/conditionKinds.ts'
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
      <Select
        aria-label="Severity"
        placeholder="Any severity"
        clearable
        data={SEVERITIES.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={filter.severityId === undefined ? null : String(filter.severityId)}
        onChange={(chosen) => onChange({ severityId: chosen === null ? undefined : (Number(chosen) as SeverityId) })}
      />
      <YesNo
        name="Owner"
        yes="Has an owner"
        no="No owner"
        value={filter.taken}
        onChange={(taken) => onChange({ taken })}
      />
      <YesNo
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
        onChange={(text) =>
          // A text that is still being typed is one step of the history, not one for each pause.
          onChange({ text }, { replace: Boolean(filter.text) && text !== '' })
        }
      />
      <PeriodFields filter={filter} onChange={onChange} />
    </>
  )
}

type Answer = 'yes' | 'no'

interface YesNoProps {
  readonly name: string
  readonly yes: string
  readonly no: string
  readonly value: Answer | undefined
  readonly onChange: (value: Answer | undefined) => void
}

const YesNo = ({ name, yes, no, value, onChange }: YesNoProps) => (
  <Select
    aria-label={name}
    placeholder={name}
    clearable
    data={[
      { value: 'yes', label: yes },
      { value: 'no', label: no },
    ]}
    value={value ?? null}
    onChange={(chosen) => onChange((chosen ?? undefined) as Answer | undefined)}
  />
)

function PeriodFields({ filter: { dateFrom, dateTo }, onChange }: Props) {
  const moment = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
  return (
    <>
      <MomentField
        className="incident-moment"
        name="Began from"
        isClearable
        leftSection="From"
        leftSectionWidth={44}
        leftSectionPointerEvents="none"
        value={moment(dateFrom)}
        onChange={(at) => onChange({ dateFrom: at?.toISOString() })}
      />
      <MomentField
        className="incident-moment"
        name="Began before"
        isClearable
        leftSection="To"
        leftSectionWidth={30}
        leftSectionPointerEvents="none"
        value={moment(dateTo)}
        onChange={(at) => onChange({ dateTo: at?.toISOString() })}
      />
    </>
  )
}
