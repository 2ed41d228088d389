import { Select } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { wholeNumber } from '#console/router/addressFields.ts'
import type { Way } from '#console/router/Router.tsx'
import { FilterWord } from '#console/ui/FilterWord.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import type { AlertFilter } from '#contract/call/listOptions.ts'
import {
  ALERT_STATUSES,
  type AlertStatusId,
  CONDITION_STATES,
  type ConditionStateId,
} from '#domain/alerts/alertLabels.ts'
import { SEVERITIES, type SeverityId } from '#domain/alerts/conditionKinds.ts'
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
      <Select
        aria-label="Maintenance"
        placeholder="Maintenance"
        clearable
        data={[
          { value: 'yes', label: 'Raised in maintenance' },
          { value: 'no', label: 'Not in maintenance' },
        ]}
        value={filter.maintenance ?? null}
        onChange={(chosen) => onChange({ maintenance: (chosen ?? undefined) as AlertListFilter['maintenance'] })}
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
        onChange={(text) =>
          // A text that is still being typed is one step of the history, not one for each pause.
          onChange({ alertText: text }, { replace: Boolean(filter.alertText) && text !== '' })
        }
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
      <Select
        aria-label="Severity"
        placeholder="Any severity"
        clearable
        data={choicesOf(SEVERITIES)}
        value={filter.severityId === undefined ? null : String(filter.severityId)}
        onChange={(chosen) => onChange({ severityId: chosen === null ? undefined : (Number(chosen) as SeverityId) })}
      />
      <Select
        aria-label="Condition state"
        placeholder="Condition state"
        clearable
        data={choicesOf(CONDITION_STATES)}
        value={filter.conditionStateId === undefined ? null : String(filter.conditionStateId)}
        onChange={(chosen) =>
          onChange({ conditionStateId: chosen === null ? undefined : (Number(chosen) as ConditionStateId) })
        }
      />
    </>
  )
}

const choicesOf = (names: readonly { readonly id: number; readonly name: string }[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: name }))
