import { Select } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { IdPicker } from '#console/pickers/IdPicker.tsx'
import { YesNoPicker } from '#console/pickers/YesNoPicker.tsx'
import { wholeNumber } from '#console/router/addressFields.ts'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { FilterWord } from '#console/ui/filter/FilterWord.tsx'
import type { AlertFilter } from '#contract/call/listOptions.ts'
import { ALERT_STATUSES, type AlertStatusId, CONDITION_STATES } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { HOURS_OF_DAY } from '#domain/alerts/heatMap.ts'
import type { AlertId } from '#domain/ids.ts'
import { type AlertListFilter, type AlertListFilterChange, statusInAddress, statusOf } from './alertListAddress.ts'

const FILTER_WORDS: Record<AlertFilter, string> = { last24h: 'Last 24 hours', opened: 'Opened' }
const ANY = 'any'

interface Props {
  readonly filter: AlertListFilter
  /** It is false on the page of a device. */
  readonly hasDevices: boolean
  readonly onChange: (change: AlertListFilterChange, way?: Way) => void
}

export function AlertFilterFields({ filter, hasDevices, onChange }: Props) {
  return (
    <>
      {hasDevices && (
        <>
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
        </>
      )}
      <StatusSelects filter={filter} onChange={onChange} />
      <YesNoPicker
        name="Maintenance"
        yes="Raised in maintenance"
        no="Not in maintenance"
        value={filter.maintenance}
        onChange={(maintenance) => onChange({ maintenance })}
      />
      <FilterText
        name="Alert id"
        value={filter.id === undefined ? '' : String(filter.id)}
        onChange={(text) => onChange({ id: wholeNumber(text, Number.MAX_SAFE_INTEGER) as AlertId | undefined })}
      />
      <FilterText
        name="Alert text"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.alertText ?? ''}
        onChange={(text, way) => onChange({ alertText: text }, way)}
      />
      {filter.filter && (
        <FilterWord word={FILTER_WORDS[filter.filter]} onRemove={() => onChange({ filter: undefined })} />
      )}
      {filter.weekHour && (
        <FilterWord
          word={weekHourLabel(filter.weekHour, filter.timeZone ?? 'UTC')}
          onRemove={() => onChange({ weekHour: undefined, timeZone: undefined })}
        />
      )}
    </>
  )
}

const DAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'] as const

/** It reads `Mondays 09:00–10:00, last year`, with the zone where it is not the viewer's. */
function weekHourLabel(weekHour: string, timeZone: string): string {
  const [weekday = 1, hour = 0] = weekHour.split('-').map(Number)
  const clock = (at: number) => `${String(at % HOURS_OF_DAY).padStart(2, '0')}:00`
  const zone = timeZone === viewerTimeZone() ? '' : ` (${timeZone})`
  return `${DAYS[weekday - 1]} ${clock(hour)}–${clock(hour + 1)}${zone}, last year`
}

function StatusSelects({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const status = statusOf(filter)
  const setStatus = (chosen: string | null) => {
    const wanted = chosen === null || chosen === ANY ? undefined : (Number(chosen) as AlertStatusId)
    onChange(statusInAddress(wanted, filter))
  }
  return (
    <>
      <Select
        aria-label="Alert status"
        data={[{ value: ANY, label: 'Any status' }, ...choicesOf(ALERT_STATUSES)]}
        value={status === undefined ? ANY : String(status)}
        onChange={setStatus}
        allowDeselect={false}
      />
      <IdPicker
        name="Severity"
        placeholder="Any severity"
        choices={SEVERITIES}
        value={filter.severityId}
        onChange={(severityId) => onChange({ severityId })}
      />
      <IdPicker
        name="Condition state"
        choices={CONDITION_STATES}
        value={filter.conditionStateId}
        onChange={(conditionStateId) => onChange({ conditionStateId })}
      />
    </>
  )
}

const choicesOf = (names: readonly { readonly id: number; readonly name: string }[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: name }))
