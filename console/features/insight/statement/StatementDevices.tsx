import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { FirstRows } from '#console/ui/ledger/FirstRows.tsx'
import type { Column } from '#console/ui/table/DataTable.tsx'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { evidencePeriod } from '#domain/statement/evidence.ts'
import { moneyText } from '#domain/statement/statementTerms.ts'
import { causesInOrder, clockText, percentText } from '#domain/statement/statementText.ts'

type Row = LightStatement['devices'][number]

/** The timeline of the device has the readings, states and events behind the figures of these days. */
function evidenceOf({ guid, hasLeft, timeZone }: Row, from: string, to: string) {
  if (hasLeft) return undefined
  const period = evidencePeriod(from, to, timeZone)
  return address('/devices/$guid/status', {
    ...{ guid, view: 'timeline', dateFrom: period.from.toISOString(), dateTo: period.to.toISOString() },
  })
}

const minutesColumn = (id: 'owed' | 'given' | 'unplanned' | 'unknown', header: string): Column<Row> => ({
  ...{ id, header, widthPx: 100, isRight: true },
  cell: ({ figures }) => clockText(figures[id]),
})

/** The second line of a telephone has no room for what follows from the other figures. */
const NOWHERE_ELSE = { foldsFor: () => false }

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'device',
    header: 'Device',
    isStrong: true,
    cell: ({ name }) => name,
    to: (row) => evidenceOf(row, row.from, row.to),
    title: ({ name, address: at, timeZone }) => [name, at, timeZone].filter(Boolean).join(', '),
  },
  {
    ...{ id: 'worst', header: 'Worst day · main cause', widthPx: 176, leaves: 1, isDim: true },
    foldsFor: ({ worstDay }) => worstDay !== null,
    cell: (row) => <WorstDay row={row} />,
  },
  { ...minutesColumn('owed', 'Owed'), leaves: 2, ...NOWHERE_ELSE },
  { ...minutesColumn('given', 'Given'), leaves: 3, ...NOWHERE_ELSE },
  { ...minutesColumn('unplanned', 'Unplanned'), isStrong: true, hasNoPage: true },
  { ...minutesColumn('unknown', 'Unknown'), leaves: 4, foldedName: 'unknown' },
  {
    ...{ id: 'availability', header: 'Availability', widthPx: 100, isRight: true },
    cell: ({ availabilityHundredths }) => percentText(availabilityHundredths),
  },
]

export function StatementDevices({ statement }: { readonly statement: LightStatement }) {
  const { credit, devices } = statement
  const columns: readonly Column<Row>[] = credit
    ? [
        ...COLUMNS,
        {
          ...{ id: 'credit', header: 'Credit', widthPx: 120, isRight: true },
          cell: ({ creditMinor }) => moneyText(creditMinor, credit.currency),
        },
      ]
    : COLUMNS
  return (
    <FirstRows label="Light by device" columns={columns} rows={devices} rowKey={({ id, from }) => `${id} ${from}`} />
  )
}

function WorstDay({ row }: { readonly row: Row }) {
  const { worstDay, figures } = row
  if (worstDay === null) return null
  const [cause] = causesInOrder(figures.unplannedBy)
  const to = evidenceOf(row, worstDay, worstDay)
  return (
    <>
      {to ? <Link to={to}>{Number(worstDay.slice(8))}</Link> : Number(worstDay.slice(8))}
      {cause && ` · ${cause.name}`}
    </>
  )
}
