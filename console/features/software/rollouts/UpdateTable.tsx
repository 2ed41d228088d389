import { formatDateTime, formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { ClientUpdate } from '#contract/http/software/rollouts.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { countsText, devicesText } from './rolloutLabels.ts'
import { DowngradeBadge, RolloutStateBadge } from './StateBadges.tsx'
import { UpdateProgress } from './UpdateProgress.tsx'

const rolloutPage = ({ id }: ClientUpdate) => address('/device-software/rollouts/$updateId', { updateId: String(id) })

interface Props extends ShownPage {
  readonly updates: readonly ClientUpdate[]
}

const COLUMNS: readonly Column<ClientUpdate>[] = [
  { id: 'version', header: 'Target', widthPx: 150, cell: (update) => <Target update={update} />, to: rolloutPage },
  {
    id: 'state',
    header: 'State',
    widthPx: 150,
    cell: (update) => <RolloutStateBadge update={update} />,
    title: ({ stateReason }) => stateReason,
  },
  { id: 'progress', header: 'Progress', cell: (update) => <Progress update={update} /> },
  { id: 'wave', header: 'Wave', widthPx: 72, cell: ({ begunWave, waveCount }) => `${begunWave} of ${waveCount}` },
  {
    id: 'devices',
    header: 'Devices',
    widthPx: 80,
    isRight: true,
    cell: ({ deviceCount }) => formatNumber(deviceCount),
  },
  {
    id: 'begun',
    header: 'Started',
    widthPx: 280,
    leaves: 1,
    isDim: true,
    cell: ({ createdAt, createdBy }) => `${formatMinute(createdAt)} · ${createdBy}`,
    title: ({ createdAt, createdBy }) => `${formatDateTime(createdAt)} · ${createdBy}`,
  },
]

const STACKED: StackedCell<ClientUpdate> = {
  header: 'Update',
  cell: (update, target) => (
    <>
      {target}
      <RolloutStateBadge update={update} />
      <Progress update={update} />
      <span className="is-dim">
        {devicesText(update.deviceCount)} · wave {update.begunWave} of {update.waveCount}
      </span>
      <span className="is-dim">
        {formatMinute(update.createdAt)} · {update.createdBy}
      </span>
    </>
  ),
}

export function UpdateTable({ updates, ...page }: Props) {
  const navigate = useNavigate()
  return (
    <DataTable
      label="Rollouts"
      columns={COLUMNS}
      stacked={STACKED}
      rows={updates}
      rowKey={({ id }) => id}
      onOpen={(update) => navigate(rolloutPage(update))}
      opensOnClick
      minWidthPx={1040}
      {...page}
    />
  )
}

function Target({ update: { version, isDowngrade } }: { readonly update: ClientUpdate }) {
  return (
    <span className="update-target">
      <b>{version}</b>
      {isDowngrade && <DowngradeBadge />}
    </span>
  )
}

function Progress({ update: { version, counts, state, stateReason } }: { readonly update: ClientUpdate }) {
  return (
    <span className="update-cell-progress" title={countsText(counts)}>
      <UpdateProgress counts={counts} name={`Update to ${version}`} />
      <span className="dim">{countsText(counts)}</span>
      {/* An update that has halted waits for a person, who must see why. */}
      {state === 'halted' && <span className="update-halted">{stateReason}</span>}
    </span>
  )
}
