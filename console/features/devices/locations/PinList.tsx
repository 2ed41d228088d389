import { AlertCount } from '#console/alertParts/AlertCount.tsx'
import { NowBadge, nowText } from '#console/deviceParts/NowBadge.tsx'
import { StatusBadge } from '#console/deviceParts/StatusBadge.tsx'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import type { MapPin } from '#console/ui/map/mapPin.ts'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { useVirtualRows } from '#console/ui/table/useVirtualRows.ts'
import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'
import { connectionStatusName } from '#domain/devices/status.ts'

/** The map does not know what alerts are called. */
const nowOf = ({ wrong, light, cause }: MapPin) => ({ wrong, light, lightCause: cause, worstAlert: null })

/** What is wrong has the room that is left, and without the status enough beside a map of 1024 px. */
const MIN_WIDTH_PX = 432

const COLUMNS: readonly Column<MapPin>[] = [
  textColumn('name', 'Name', ({ name }) => name, {
    widthPx: 130,
    isStrong: true,
    to: ({ guid }) => address('/devices/$guid/status', { guid }),
  }),
  {
    id: 'now',
    header: 'Now',
    cell: (pin) => (
      <span className="device-now">
        <NowBadge device={nowOf(pin)} />
      </span>
    ),
    title: (pin) => pin.cause ?? nowText(nowOf(pin)),
  },
  {
    id: 'status',
    header: 'Status',
    widthPx: 112,
    leaves: 1,
    cell: ({ statusId }) => <StatusBadge statusId={statusId} />,
    title: ({ connStatusId }) => connectionStatusName(connStatusId),
  },
  {
    id: 'alerts',
    header: 'Alerts',
    widthPx: 60,
    isRight: true,
    cell: ({ activeAlerts }) => <AlertCount count={activeAlerts} />,
  },
]

/** What needs attention stands first, as on the list of devices; within one kind the names keep their order. */
const byWorst = (one: MapPin, other: MapPin): number => rankOf(one) - rankOf(other)
const rankOf = ({ wrong }: MapPin): number => (wrong === null ? WRONG_KINDS.length : WRONG_KINDS.indexOf(wrong))

interface Props {
  readonly label: string
  readonly pins: readonly MapPin[]
}

/** The list makes the map's devices reachable by keyboard: arrows move, Enter or a click opens one. */
export function PinList({ label, pins }: Props) {
  const navigate = useNavigate()
  return (
    <DataTable
      label={label}
      columns={COLUMNS}
      rows={pins.toSorted(byWorst)}
      rowKey={({ id }) => id}
      onOpen={({ guid }) => navigate(address('/devices/$guid/status', { guid }))}
      opensOnClick
      minWidthPx={MIN_WIDTH_PX}
      useDrawnRows={useVirtualRows}
    />
  )
}
