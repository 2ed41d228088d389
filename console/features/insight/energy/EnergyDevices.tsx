import { address } from '#console/router/addressText.ts'
import { FirstRows } from '#console/ui/ledger/FirstRows.tsx'
import type { Column } from '#console/ui/table/DataTable.tsx'
import type { Energy } from '#contract/http/insight/energy.ts'
import { type EnergyFigures, isCounted, measuredHundredths } from '#domain/energy/energyFigures.ts'
import { costText, kwhText } from '#domain/energy/energyText.ts'
import { evidencePeriod } from '#domain/statement/evidence.ts'
import { percentText } from '#domain/statement/statementText.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

type Row = Energy['devices'][number]

/** The timeline of the device has the readings behind its figures. */
function evidenceOf({ guid, hasLeft, timeZone, from, to }: Row) {
  if (hasLeft) return undefined
  const period = evidencePeriod(from, to, timeZone)
  return address('/devices/$guid/status', {
    ...{ guid, view: 'timeline', dateFrom: period.from.toISOString(), dateTo: period.to.toISOString() },
  })
}

const counted = (figures: EnergyFigures, text: string) => (isCounted(figures) ? text : UNKNOWN_TEXT)

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'device',
    header: 'Device',
    isStrong: true,
    cell: ({ name }) => name,
    to: evidenceOf,
    title: ({ name, address: at }) => [name, at].filter(Boolean).join(', '),
  },
  {
    id: 'used',
    header: 'Used',
    widthPx: 130,
    isRight: true,
    isStrong: true,
    cell: ({ figures }) => counted(figures, kwhText(figures.used)),
  },
  {
    ...{ id: 'measured', header: 'Measured', widthPx: 110, isRight: true, leaves: 1, foldedName: 'measured' },
    cell: ({ figures }) => percentText(measuredHundredths(figures)),
  },
  {
    ...{ id: 'saved', header: 'Saved', widthPx: 130, isRight: true, leaves: 3, foldedName: 'saved' },
    cell: ({ figures }) => counted(figures, kwhText(figures.savedTotal)),
  },
  {
    ...{ id: 'unknown', header: 'Unknown', widthPx: 110, isRight: true, leaves: 2, foldedName: 'unknown' },
    cell: ({ figures }) => counted(figures, `${Math.round(figures.unknownSeconds / 3600)} h`),
  },
  {
    ...{ id: 'cost', header: 'Cost', widthPx: 140, isRight: true, leaves: 4 },
    cell: ({ cost }) => costText(cost),
  },
]

export const EnergyDevices = ({ devices }: Pick<Energy, 'devices'>) => (
  <FirstRows label="Energy by device" columns={COLUMNS} rows={devices} rowKey={({ id, from }) => `${id} ${from}`} />
)
