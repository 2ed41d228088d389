import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Age } from '#console/ui/Age.tsx'
import { choiceColumn } from '#console/ui/table/choiceColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { WaitingDevice } from '#contract/http/devices/claims.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { macOf, nameOfFacts, serialOf } from './claimText.ts'

interface Props {
  readonly devices: readonly WaitingDevice[]
  readonly chosen: ReadonlySet<number>
  readonly onChoose: (chosen: ReadonlySet<number>) => void
}

const COLUMNS: readonly Column<WaitingDevice>[] = [
  {
    id: 'serial',
    header: 'Serial number',
    isStrong: true,
    hasNoPage: true,
    cell: ({ facts }) => serialOf(facts),
    title: ({ facts }) => serialOf(facts),
  },
  { id: 'mac', header: 'MAC address', cell: ({ facts }) => macOf(facts), title: ({ facts }) => macOf(facts) },
  { id: 'computer', header: 'Computer', leaves: 3, isDim: true, cell: ({ facts }) => facts.model || UNKNOWN_TEXT },
  { id: 'client', header: 'Client', widthPx: 90, leaves: 2, cell: ({ facts }) => facts.clientVersion || UNKNOWN_TEXT },
  { id: 'address', header: 'Asks from', widthPx: 140, leaves: 1, cell: ({ address }) => address },
  { id: 'key', header: 'Claim key', widthPx: 140, cell: ({ keyName }) => keyName, title: ({ keyName }) => keyName },
  { id: 'customer', header: 'Customer', widthPx: 140, cell: ({ customerName }) => customerName || UNKNOWN_TEXT },
  { id: 'seen', header: 'Seen', widthPx: 110, cell: ({ seenAt }) => <Age at={seenAt} /> },
]

/** Staff alone are told what a box is already, so others have no such column. */
const KNOWN: Column<WaitingDevice> = {
  id: 'known',
  header: 'Looks like',
  widthPx: 180,
  cell: ({ knownAs }) => (knownAs ? <KnownLink {...knownAs} /> : UNKNOWN_TEXT),
  title: ({ knownAs }) => (knownAs ? `${knownAs.name} of ${knownAs.customerName}` : ''),
}

const KnownLink = ({ guid, name }: NonNullable<WaitingDevice['knownAs']>) => (
  <Link to={address('/devices/$guid/status', { guid })}>{name}</Link>
)

const STACKED: StackedCell<WaitingDevice> = {
  header: 'Device',
  cell: ({ facts, keyName, customerName, address: from, seenAt, knownAs }) => (
    <>
      <b>{nameOfFacts(facts)}</b>
      <span className="is-dim">{macOf(facts)}</span>
      {knownAs && (
        <span>
          Looks like <KnownLink {...knownAs} />
        </span>
      )}
      <span className="is-dim">
        {[keyName, customerName, from].filter(Boolean).join(' · ')} · <Age at={seenAt} />
      </span>
    </>
  ),
}

export function WaitingTable({ devices, chosen, onChoose }: Props) {
  const toggle = ({ id }: WaitingDevice) =>
    onChoose(new Set(chosen.has(id) ? [...chosen].filter((other) => other !== id) : [...chosen, id]))
  const choice = choiceColumn<WaitingDevice>({
    rows: devices,
    isChosen: ({ id }) => chosen.has(id),
    toggle,
    nameOf: ({ facts }) => `Select ${nameOfFacts(facts)}`,
    all: {
      name: 'Select all',
      set: (isChosen) => onChoose(new Set(isChosen ? devices.map(({ id }) => id) : [])),
    },
  })
  return (
    <DataTable
      label="Waiting devices"
      columns={[choice, ...COLUMNS, ...(devices.some(({ knownAs }) => knownAs) ? [KNOWN] : [])]}
      stacked={STACKED}
      rows={devices}
      rowKey={({ id }) => id}
    />
  )
}
