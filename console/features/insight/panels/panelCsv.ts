import { type CsvColumn, oneBatch } from '#console/lib/csv.ts'
import type { Panels } from '#contract/http/insight/panelLife.ts'
import { LEVEL_BANDS, levelBandName, TEMPERATURE_BANDS, temperatureBandName } from '#domain/panels/heatBands.ts'

type Row = Panels['displays'][number]

/** The file has a line for each display, with minutes of light in each band. */
export const PANEL_CSV_COLUMNS: readonly CsvColumn<Row>[] = [
  { header: 'Device', cell: ({ name }) => name },
  { header: 'Guid', cell: ({ guid }) => guid },
  { header: 'Display', cell: ({ number }) => number },
  { header: 'Model', cell: ({ model }) => model },
  { header: 'Batch', cell: ({ batch }) => batch },
  { header: 'Installed on', cell: ({ installedOn }) => installedOn },
  { header: 'Counted from', cell: ({ firstDay }) => firstDay },
  { header: 'Counted days', cell: ({ days }) => days },
  ...LEVEL_BANDS.map(
    (_, band): CsvColumn<Row> => ({
      header: `Level ${levelBandName(band)} (min)`,
      cell: ({ byLevel }) => byLevel[band] ?? 0,
    }),
  ),
  ...Array.from(
    { length: TEMPERATURE_BANDS },
    (_, band): CsvColumn<Row> => ({
      header: `Temperature ${temperatureBandName(band)} (min)`,
      cell: ({ byTemperature }) => byTemperature[band] ?? 0,
    }),
  ),
  { header: 'Life used (%)', cell: ({ life }) => (life.kind === 'known' ? life.usedHundredths / 100 : null) },
  { header: 'Days left', cell: ({ life }) => (life.kind === 'known' ? life.daysLeft : null) },
  { header: 'Days left, earliest', cell: ({ life }) => (life.kind === 'known' ? life.earliestDaysLeft : null) },
  { header: 'Days left, latest', cell: ({ life }) => (life.kind === 'known' ? life.latestDaysLeft : null) },
]

export const panelCsvRows = ({ displays }: Panels) => oneBatch(displays)
