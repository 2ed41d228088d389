import { IconSearch } from '@tabler/icons-react'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { IdPicker } from '#console/pickers/IdPicker.tsx'
import { YesNoPicker } from '#console/pickers/YesNoPicker.tsx'
import { wholeNumber } from '#console/router/addressFields.ts'
import type { Way } from '#console/router/Router.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import type { Filters, MoreFilter } from '#console/ui/filter/filters.ts'
import { Select } from '#console/ui/kit/laterFields.ts'
import type { AlertFilter } from '#contract/call/listOptions.ts'
import { ALERT_STATUSES, type AlertStatusId, CONDITION_STATES, nameOf } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { HOURS_OF_DAY } from '#domain/alerts/heatMap.ts'
import type { AlertId } from '#domain/ids.ts'
import { type AlertListFilter, type AlertListFilterChange, statusInAddress, statusOf } from './alertListAddress.ts'

const FILTER_WORDS: Record<AlertFilter, string> = { last24h: 'Last 24 hours', opened: 'Opened' }
const MAINTENANCE = { yes: 'Raised in maintenance', no: 'Not in maintenance' } as const
const ANY = 'any'

interface Props {
  readonly filter: AlertListFilter
  /** It is false on the page of a device. */
  readonly hasDevices: boolean
  readonly onChange: (change: AlertListFilterChange, way?: Way) => void
}

/** The fields of the specification are the row, and what came since is behind "More filters". */
export function alertFilters({ filter, hasDevices, onChange }: Props): Filters {
  return {
    primary: [
      hasDevices && (
        <CustomerPicker
          key="customer"
          placeholder="All customers"
          value={filter.customerId}
          onChange={(customerId) => onChange({ customerId })}
        />
      ),
      hasDevices && (
        <DevicePicker
          key="device"
          placeholder="All devices"
          clearable
          value={filter.deviceId}
          onChange={(deviceId) => onChange({ deviceId })}
        />
      ),
      <StatusSelect key="status" filter={filter} onChange={onChange} />,
      <IdPicker
        key="state"
        name="Condition state"
        choices={CONDITION_STATES}
        value={filter.conditionStateId}
        onChange={(conditionStateId) => onChange({ conditionStateId })}
      />,
      <FilterText
        key="id"
        name="Alert id"
        value={filter.id === undefined ? '' : String(filter.id)}
        onChange={(text) => onChange({ id: wholeNumber(text, Number.MAX_SAFE_INTEGER) as AlertId | undefined })}
      />,
      <FilterText
        key="text"
        name="Alert text"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.alertText ?? ''}
        onChange={(text, way) => onChange({ alertText: text }, way)}
      />,
    ],
    more: moreFilters({ filter, onChange }),
  }
}

function moreFilters({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>): readonly MoreFilter[] {
  const { severityId, maintenance, weekHour } = filter
  return [
    {
      label: 'Severity',
      field: (
        <IdPicker
          name="Severity"
          placeholder="Any severity"
          choices={SEVERITIES}
          value={severityId}
          onChange={(chosen) => onChange({ severityId: chosen })}
        />
      ),
      chip: severityId === undefined ? undefined : nameOf(SEVERITIES, severityId),
      onRemove: () => onChange({ severityId: undefined }),
    },
    {
      label: 'Maintenance',
      field: (
        <YesNoPicker
          name="Maintenance"
          yes={MAINTENANCE.yes}
          no={MAINTENANCE.no}
          value={maintenance}
          onChange={(chosen) => onChange({ maintenance: chosen })}
        />
      ),
      chip: maintenance && MAINTENANCE[maintenance],
      onRemove: () => onChange({ maintenance: undefined }),
    },
    {
      label: 'Tile',
      chip: filter.filter && FILTER_WORDS[filter.filter],
      onRemove: () => onChange({ filter: undefined }),
    },
    {
      label: 'Hour of the week',
      chip: weekHour && weekHourLabel(weekHour, filter.timeZone ?? 'UTC'),
      onRemove: () => onChange({ weekHour: undefined, timeZone: undefined }),
    },
  ]
}

const DAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'] as const

/** It reads `Mondays 09:00–10:00, last year`, with the zone where it is not the viewer's. */
function weekHourLabel(weekHour: string, timeZone: string): string {
  const [weekday = 1, hour = 0] = weekHour.split('-').map(Number)
  const clock = (at: number) => `${String(at % HOURS_OF_DAY).padStart(2, '0')}:00`
  const zone = timeZone === viewerTimeZone() ? '' : ` (${timeZone})`
  return `${DAYS[weekday - 1]} ${clock(hour)}–${clock(hour + 1)}${zone}, last year`
}

function StatusSelect({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const status = statusOf(filter)
  const setStatus = (chosen: string | null) => {
    const wanted = chosen === null || chosen === ANY ? undefined : (Number(chosen) as AlertStatusId)
    onChange(statusInAddress(wanted, filter))
  }
  return (
    <Select
      aria-label="Alert status"
      data={[{ value: ANY, label: 'Any status' }, ...choicesOf(ALERT_STATUSES)]}
      value={status === undefined ? ANY : String(status)}
      onChange={setStatus}
      allowDeselect={false}
    />
  )
}

const choicesOf = (names: readonly { readonly id: number; readonly name: string }[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: name }))
