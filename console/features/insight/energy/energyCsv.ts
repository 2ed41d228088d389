import { type CsvColumn, oneBatch } from '#console/lib/csv.ts'
import type { Energy } from '#contract/http/insight/energy.ts'
import type { EnergySum } from '#contract/http/insight/energySum.ts'
import { SAVED_BY } from '#domain/energy/energyFigures.ts'
import { SAVED_NAMES } from '#domain/energy/energyText.ts'

interface Row extends EnergySum {
  readonly period: string
  readonly device: string
  readonly guid: string
}

const moneyOf = (money: EnergySum['cost']) => money.map(({ minor, currency }) => `${minor} ${currency}`).join(' + ')

/** The file has a line for each month or day of all devices, then a line for each device, in watt-hours. */
export const ENERGY_CSV_COLUMNS: readonly CsvColumn<Row>[] = [
  { header: 'Period', cell: ({ period }) => period },
  { header: 'Device', cell: ({ device }) => device },
  { header: 'Guid', cell: ({ guid }) => guid },
  { header: 'Used (Wh)', cell: ({ figures }) => figures.used },
  { header: 'Measured (Wh)', cell: ({ figures }) => figures.measured },
  { header: 'Estimated (Wh)', cell: ({ figures }) => figures.estimated },
  ...SAVED_BY.map(
    (rule): CsvColumn<Row> => ({
      header: `Saved, ${SAVED_NAMES[rule].toLowerCase()} (Wh)`,
      cell: ({ figures }) => figures.saved[rule],
    }),
  ),
  { header: 'Not drawn while dark (Wh)', cell: ({ figures }) => figures.notDrawn },
  { header: 'Always full (Wh)', cell: ({ figures }) => figures.alwaysFull },
  { header: 'Unknown (s)', cell: ({ figures }) => figures.unknownSeconds },
  { header: 'Cost (smallest unit)', cell: ({ cost }) => moneyOf(cost) },
  { header: 'Saved cost (smallest unit)', cell: ({ savedCost }) => moneyOf(savedCost) },
  { header: 'CO₂ (g)', cell: ({ grams }) => grams },
]

export const energyCsvRows = ({ period, parts, devices }: Energy) =>
  oneBatch([
    ...parts.map(({ part, ...sum }): Row => ({ ...sum, period: part, device: 'All devices', guid: '' })),
    ...devices.map(({ name, guid, ...sum }): Row => ({ ...sum, period, device: name, guid })),
  ])
