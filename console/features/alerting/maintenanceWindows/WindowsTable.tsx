import { IconCalendarTime, IconCircleCheck, IconPencil, IconPlayerStop, IconTool, IconTrash } from '@tabler/icons-react'
import { formatMinute } from '#console/lib/time/time.ts'
import { endForGood, endLasting } from '#console/pickers/maintenance/endWindow.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { choiceColumn } from '#console/ui/table/choiceColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { MaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import { weeklyLabel } from '#domain/maintenanceWindows/scheduleLabels.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { canEnd, type WindowChoice } from './useWindowChoice.ts'

interface Props {
  readonly windows: readonly MaintenanceWindow[]
  readonly linkTo: (window: MaintenanceWindow) => Address
  /** The windows that are selected to be ended together; undefined if the user may end none. */
  readonly choice: WindowChoice | undefined
  readonly onEdit: (window: MaintenanceWindow) => void
  readonly onDelete: (window: MaintenanceWindow) => void
}

const STATES = {
  now: { icon: IconTool, tone: 'brand', word: 'Now' },
  coming: { icon: IconCalendarTime, tone: 'off', word: 'Coming' },
  past: { icon: IconCircleCheck, tone: 'off', word: 'Ended' },
} as const

function State({ window: { state } }: { readonly window: MaintenanceWindow }) {
  const { icon: Icon, tone, word } = STATES[state]
  return (
    <Badge tone={tone} icon={Icon}>
      {word}
    </Badge>
  )
}

function targetLabel({ target: { kind, deviceName, deviceIds, tag, customerName } }: MaintenanceWindow): string {
  switch (kind) {
    case 'device':
      return deviceName || 'A device that is gone'
    case 'devices':
      return deviceIds.length === 1 ? 'One chosen device' : `${formatNumber(deviceIds.length)} chosen devices`
    case 'tag':
      return customerName === '' ? `Tag ${tag}` : `Tag ${tag} of ${customerName}`
    case 'customer':
      return `All of ${customerName}`
    case 'all':
      return 'All devices'
  }
}

function TargetLink({ window }: { readonly window: MaintenanceWindow }) {
  const { deviceGuid } = window.target
  if (deviceGuid === null) return <b>{targetLabel(window)}</b>
  return <Link to={address('/devices/$guid/status', { guid: deviceGuid })}>{targetLabel(window)}</Link>
}

function whenLabel({ schedule, current, next, ended }: MaintenanceWindow): string {
  if (schedule.kind === 'once') {
    const isEarly = ended !== null && ended < schedule.to
    const [from, to] = [formatMinute(schedule.from), formatMinute(isEarly ? ended : schedule.to)]
    const [day = '', time = ''] = to.split(' ')
    return `${from} to ${from.startsWith(day) ? time : to}${isEarly ? ', ended early' : ''}`
  }
  const words = weeklyLabel({ ...schedule, weekdays: schedule.weekdays }) ?? ''
  if (current) return `${words}; now until ${formatMinute(current.to)}`
  return next ? `${words}; next ${formatMinute(next.from)}` : words
}

const STACKED: StackedCell<MaintenanceWindow> = {
  header: 'Maintenance window',
  cell: (window, reason) => (
    <>
      <TargetLink window={window} />
      <span>{reason}</span>
      <span className="is-dim">{whenLabel(window)}</span>
      <State window={window} />
    </>
  ),
}

const columnsOf = (linkTo: Props['linkTo']): readonly Column<MaintenanceWindow>[] => [
  { id: 'state', header: 'State', widthPx: 96, cell: (window) => <State window={window} /> },
  {
    id: 'target',
    header: 'For',
    widthPx: 240,
    isStrong: true,
    cell: (window) => <TargetLink window={window} />,
    title: targetLabel,
  },
  textColumn('reason', 'Reason', ({ reason }) => reason, {
    to: (window) => (isChangeable(window) ? linkTo(window) : undefined),
  }),
  textColumn('when', 'When', whenLabel, { widthPx: 330 }),
  {
    id: 'devices',
    header: 'Devices now',
    widthPx: 100,
    isRight: true,
    leaves: 2,
    cell: ({ state, deviceCount }) => (state === 'now' ? deviceCount : UNKNOWN_TEXT),
  },
  {
    id: 'tells',
    header: 'Customer notified',
    widthPx: 126,
    leaves: 3,
    cell: ({ tellsCustomer }) => (tellsCustomer ? 'Yes' : 'No'),
  },
  { id: 'by', header: 'By', widthPx: 150, isDim: true, leaves: 1, cell: ({ createdBy }) => createdBy || UNKNOWN_TEXT },
]

export const isChangeable = ({ mayChange, state }: MaintenanceWindow) => mayChange && state !== 'past'

export function WindowsTable({ windows, linkTo, choice, onEdit, onDelete }: Props) {
  const buttons = buttonColumn('Change, end and delete', 112, (window: MaintenanceWindow) => (
    <Buttons window={window} onEdit={onEdit} onDelete={onDelete} />
  ))
  return (
    <DataTable
      label="Maintenance windows"
      columns={[...(choice ? [windowChoice(windows, choice)] : []), ...columnsOf(linkTo), buttons]}
      stacked={STACKED}
      rows={windows}
      rowKey={({ id }) => id}
      minWidthPx={1330}
    />
  )
}

function windowChoice(windows: readonly MaintenanceWindow[], choice: WindowChoice) {
  const endable = windows.filter(canEnd)
  return choiceColumn({
    rows: endable,
    isChosen: ({ id }) => choice.ids.has(id),
    canChoose: canEnd,
    toggle: choice.toggle,
    nameOf: (window) => `Select maintenance of ${targetLabel(window)}`,
    all: { name: 'Select all that last now', set: (isChosen) => choice.set(isChosen ? endable : []) },
  })
}

type ButtonsProps = Omit<Props, 'windows' | 'choice' | 'linkTo'> & { readonly window: MaintenanceWindow }

function Buttons({ window, onEdit, onDelete }: ButtonsProps) {
  const { state, schedule, hasBegun } = window
  if (!isChangeable(window)) return null
  const of = `maintenance of ${targetLabel(window)}`
  return (
    <>
      <RowButton name="Change" of={of} icon={IconPencil} onClick={() => onEdit(window)} />
      {state === 'now' && (
        <RowButton name="End now" of={of} icon={IconPlayerStop} onClick={() => void endLasting(window)} />
      )}
      {hasBegun && schedule.kind === 'weekly' && (
        <RowButton name="End for good" of={of} icon={IconTrash} onClick={() => void endForGood(window)} />
      )}
      {!hasBegun && <RowButton name="Delete" of={of} icon={IconTrash} onClick={() => onDelete(window)} />}
    </>
  )
}
