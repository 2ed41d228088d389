import { useState } from 'react'
import { LightLegend } from '#console/deviceParts/LightLegend.tsx'
import { LIGHT_CSV_COLUMNS, unknownShare } from '#console/deviceParts/lightParts.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { type CsvColumn, oneBatch } from '#console/lib/csv.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Select } from '#console/ui/kit/laterFields.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DarkDay, type DarkMinutes, getDarkMinutes } from '#contract/http/insight/darkMinutes.ts'
import { availabilityText, lightText, notToldApartText } from '#domain/darkness/minutes/lightLabels.ts'
import type { DeviceId } from '#domain/ids.ts'
import { formatHours } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, wallClock } from '#domain/units/wallClock.ts'
import { DarkDayBars } from './DarkDayBars.tsx'
import { DarkDayTable } from './DarkDayTable.tsx'
import './darkMinutes.css'

const PERIODS = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
] as const

export function DarkMinutesPanel({ device }: { readonly device: Device }) {
  const [days, setDays] = useState('7')
  const zone = isTimeZone(device.timeZone) ? device.timeZone : 'UTC'
  const dateTo = wallClock(new Date(), zone).date
  const dateFrom = addDays(dateTo, 1 - Number(days))
  const minutes = useCall(
    getDarkMinutes,
    { deviceId: device.id, dateFrom, dateTo },
    { refreshEveryMs: REFRESH_EVERY_MS.byTheMinute, keepsPrevious: true },
  )
  return (
    <>
      <div className="dark-head">
        <Select
          label="Period"
          className="dark-period"
          data={PERIODS}
          value={days}
          onChange={(value) => setDays(value ?? days)}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
        />
        <DaysMenu deviceId={device.id} days={minutes.data?.days ?? []} />
      </div>
      <AsyncView
        query={minutes}
        isEmpty={(answer) => answer.days.length === 0}
        empty={<EmptyNote title={minutes.data?.hasDisplay === false ? 'This device has no display' : 'No data'} />}
      >
        {(answer) => <Minutes {...answer} />}
      </AsyncView>
    </>
  )
}

const DAY_CSV_COLUMNS: readonly CsvColumn<DarkDay>[] = [
  { header: 'Day', cell: ({ date }) => date },
  { header: 'Length (min)', cell: ({ lengthMinutes }) => lengthMinutes },
  ...LIGHT_CSV_COLUMNS,
  { header: 'Measured at the panel (min)', cell: ({ measuredMinutes }) => measuredMinutes },
]

function DaysMenu({ deviceId, days }: { readonly deviceId: DeviceId; readonly days: readonly DarkDay[] }) {
  return <ListExportMenu name={`darkMinutes_${deviceId}`} columns={DAY_CSV_COLUMNS} batches={() => oneBatch(days)} />
}

function Minutes({ days, total, timeZone }: DarkMinutes) {
  return (
    <>
      <Figure total={total} />
      <DarkDayBars days={days} />
      <LightLegend />
      <DarkDayTable days={days} />
      <p className="dark-note">Days in the time of the device ({timeZone}); today up to now.</p>
    </>
  )
}

function Figure({ total }: { readonly total: DarkMinutes['total'] }) {
  const { unplannedDarkMinutes, unknownMinutes, litInOffTimesMinutes, notToldApartBefore, availabilityPercent } = total
  const { measuredMinutes } = total
  return (
    <dl className="light-figure">
      <div data-main>
        <dt>Availability</dt>
        <dd>{availabilityText(availabilityPercent)}</dd>
      </div>
      <div>
        <dt>Unplanned dark</dt>
        <dd>{formatHours(unplannedDarkMinutes)}</dd>
      </div>
      <div>
        <dt>Unknown</dt>
        <dd>
          {formatHours(unknownMinutes)} <small>{unknownShare(total)} of the time</small>
        </dd>
      </div>
      <div>
        <dt>Lit in off times</dt>
        <dd>
          {litInOffTimesMinutes === null ? UNKNOWN_TEXT : lightText(litInOffTimesMinutes)}{' '}
          {notToldApartBefore && <small>{notToldApartText(notToldApartBefore)}</small>}
        </dd>
      </div>
      {measuredMinutes > 0 && (
        <div>
          <dt>Measured at the panel</dt>
          <dd>
            {formatHours(measuredMinutes)} <small>otherwise by what displays report</small>
          </dd>
        </div>
      )}
    </dl>
  )
}
