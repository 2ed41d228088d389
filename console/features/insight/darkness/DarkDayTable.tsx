import { LIGHT_PARTS } from '#console/deviceParts/lightParts.ts'
import { dayText } from '#console/lib/time/time.ts'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import type { DarkDay } from '#contract/http/insight/darkMinutes.ts'
import { availabilityText, lightText } from '#domain/darkness/minutes/lightLabels.ts'

const MIN_WIDTH_PX = 780

const COLUMNS: readonly Column<DarkDay>[] = [
  {
    id: 'day',
    header: 'Day',
    isStrong: true,
    hasNoPage: true,
    cell: ({ date }) => dayText(date),
    title: ({ date }) => date,
  },
  ...LIGHT_PARTS.toReversed().map(
    ({ kind, name, minutes }): Column<DarkDay> => ({
      id: kind,
      header: name,
      widthPx: 104,
      isRight: true,
      cell: (day) => lightText(minutes(day)),
    }),
  ),
  {
    id: 'availability',
    header: 'Availability',
    widthPx: 92,
    isRight: true,
    cell: ({ availabilityPercent }) => availabilityText(availabilityPercent),
  },
]

export function DarkDayTable({ days }: { readonly days: readonly DarkDay[] }) {
  return (
    <div className="dark-days">
      <DataTable
        label="Minutes by day"
        columns={COLUMNS}
        rows={days.toReversed()}
        rowKey={({ date }) => date}
        minWidthPx={MIN_WIDTH_PX}
        stacked={{ header: 'Day', cell: (day) => <StackedDay day={day} /> }}
      />
    </div>
  )
}

function StackedDay({ day }: { readonly day: DarkDay }) {
  return (
    <div className="dark-stacked">
      <b>{dayText(day.date)}</b>
      <span>{availabilityText(day.availabilityPercent)}</span>
      {LIGHT_PARTS.toReversed()
        .filter(({ minutes }) => minutes(day) !== 0)
        .map(({ kind, name, minutes }) => (
          <small key={kind}>
            {name} {lightText(minutes(day))}
          </small>
        ))}
    </div>
  )
}
