import { IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { formatMinute } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { OnCallSchedule } from '#contract/http/alerting/onCall.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly schedules: readonly OnCallSchedule[]
  readonly linkTo: (schedule: OnCallSchedule) => Address
  readonly onEdit: (schedule: OnCallSchedule) => void
  readonly onOverride: (schedule: OnCallSchedule) => void
  readonly onDelete: (schedule: OnCallSchedule) => void
}

const nowLabel = ({ onCall }: OnCallSchedule): string =>
  onCall ? `${onCall.name || 'Deleted user'}, until ${formatMinute(onCall.until)}` : UNKNOWN_TEXT
const nextLabel = ({ next }: OnCallSchedule): string => next?.name || UNKNOWN_TEXT
const shiftLabel = ({ everyDays, handOver, timeZone }: OnCallSchedule): string =>
  `${everyDays === 1 ? 'Every day' : `Every ${everyDays} days`} at ${handOver}, ${timeZone}`

const COLUMNS: readonly Column<OnCallSchedule>[] = [
  textColumn('now', 'On call now', nowLabel),
  textColumn('next', 'Next', nextLabel, { widthPx: 180, isDim: true }),
  textColumn('turns', 'Hand-over', shiftLabel, { widthPx: 250, isDim: true }),
]

const STACKED: StackedCell<OnCallSchedule> = {
  header: 'On-call schedule',
  cell: (schedule, name) => (
    <>
      <b>{name}</b>
      <span>{nowLabel(schedule)}</span>
      <span className="is-dim">Next: {nextLabel(schedule)}</span>
      <span className="is-dim">{shiftLabel(schedule)}</span>
    </>
  ),
}

export function OnCallTable({ schedules, linkTo, onEdit, onOverride, onDelete }: Props) {
  const name = textColumn('name', 'Name', (schedule: OnCallSchedule) => schedule.name, {
    widthPx: 200,
    isStrong: true,
    to: linkTo,
  })
  const buttons = buttonColumn('Override, edit and delete', 116, (schedule: OnCallSchedule) => (
    <>
      <RowButton name="Override" of={schedule.name} icon={IconUserPlus} onClick={() => onOverride(schedule)} />
      <RowButton name="Edit" of={schedule.name} icon={IconPencil} onClick={() => onEdit(schedule)} />
      <RowButton name="Delete" of={schedule.name} icon={IconTrash} onClick={() => onDelete(schedule)} />
    </>
  ))
  return (
    <DataTable
      label="On-call schedules"
      columns={[name, ...COLUMNS, buttons]}
      stacked={STACKED}
      rows={schedules}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={960}
    />
  )
}
