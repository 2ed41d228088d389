import { type CsvColumn, oneBatch } from '#console/lib/csv.ts'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { PLANNED_PARTS, UNPLANNED_PARTS } from '#domain/statement/lightFigures.ts'
import { CAUSE_NAMES, FIGURE_LINES, PLAN_NAMES } from '#domain/statement/statementText.ts'

type Device = LightStatement['devices'][number]
type Energy = NonNullable<LightStatement['energy']>['devices'][number]
type Row = Device & Pick<LightStatement, 'month' | 'credit'> & { readonly energy: Energy | undefined }

/** The file has a line a device, in minutes, so that the columns add up to the totals of the statement. */
export const STATEMENT_CSV_COLUMNS: readonly CsvColumn<Row>[] = [
  { header: 'Month', cell: ({ month }) => month },
  { header: 'Device', cell: ({ name }) => name },
  { header: 'Guid', cell: ({ guid }) => guid },
  { header: 'Time zone', cell: ({ timeZone }) => timeZone },
  { header: 'From', cell: ({ from }) => from },
  { header: 'To', cell: ({ to }) => to },
  ...FIGURE_LINES.map(
    ({ key, name }): CsvColumn<Row> => ({ header: `${name} (min)`, cell: ({ figures }) => figures[key] }),
  ),
  ...UNPLANNED_PARTS.map(
    (part): CsvColumn<Row> => ({
      header: `Unplanned, ${CAUSE_NAMES[part].toLowerCase()} (min)`,
      cell: ({ figures }) => figures.unplannedBy[part],
    }),
  ),
  ...PLANNED_PARTS.map(
    (part): CsvColumn<Row> => ({
      header: `Planned, ${PLAN_NAMES[part].toLowerCase()} (min)`,
      cell: ({ figures }) => figures.plannedBy?.[part] ?? null,
    }),
  ),
  {
    header: 'Availability (%)',
    cell: ({ availabilityHundredths: value }) => (value === null ? null : value / 100),
  },
  { header: 'Credit (smallest unit)', cell: ({ credit, creditMinor }) => (credit ? creditMinor : null) },
  { header: 'Currency', cell: ({ credit }) => credit?.currency ?? null },
  { header: 'Energy used (Wh)', cell: ({ energy }) => energy?.used ?? null },
  { header: 'Energy measured (Wh)', cell: ({ energy }) => energy?.measured ?? null },
  { header: 'Energy saved, estimated (Wh)', cell: ({ energy }) => energy?.savedTotal ?? null },
]

export function statementCsvRows({ devices, month, credit, energy }: LightStatement) {
  const energies = new Map(energy?.devices.map((one) => [`${one.id} ${one.from}`, one]))
  return oneBatch(
    devices.map((device): Row => ({ ...device, month, credit, energy: energies.get(`${device.id} ${device.from}`) })),
  )
}
