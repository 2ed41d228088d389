import { address } from '#console/router/addressText.ts'
import { FirstRows } from '#console/ui/ledger/FirstRows.tsx'
import type { Column } from '#console/ui/table/DataTable.tsx'
import type { Panels } from '#contract/http/insight/panelLife.ts'
import { levelBandName, temperatureBandName } from '#domain/panels/heatBands.ts'
import { lifeText, monthIn } from '#domain/panels/panelText.ts'
import { shortMonthText } from '#domain/statement/statementText.ts'

type Row = Panels['displays'][number]

const displayName = ({ name, number }: Row) => (number === 1 ? name : `${name}, display ${number}`)
const litHours = ({ byLevel }: Row) => Math.round(byLevel.reduce((sum, minutes) => sum + minutes, 0) / 60)

function spreadText({ life }: Row, now: Date): string {
  if (life.kind !== 'known') return '–'
  if (life.daysLeft === 0) return 'now'
  const [from, to] = [life.earliestDaysLeft, life.latestDaysLeft].map((days) => shortMonthText(monthIn(now, days)))
  return `${from} – ${to}`
}

const columnsAt = (now: Date): readonly Column<Row>[] => [
  {
    id: 'display',
    header: 'Display',
    isStrong: true,
    cell: displayName,
    to: ({ guid }) => address('/devices/$guid/status', { guid }),
    title: ({ name, address: at }) => [name, at].filter(Boolean).join(', '),
  },
  { id: 'life', header: 'Replace', widthPx: 250, cell: ({ life }) => lifeText(life, now, shortMonthText) },
  {
    ...{ id: 'spread', header: 'Earliest – latest', widthPx: 150, leaves: 3, foldedName: 'between' },
    foldsFor: ({ life }) => life.kind === 'known',
    cell: (row) => spreadText(row, now),
  },
  {
    ...{ id: 'used', header: 'Life used', widthPx: 90, isRight: true, leaves: 4, foldedName: 'used' },
    foldsFor: ({ life }) => life.kind === 'known',
    cell: ({ life }) => (life.kind === 'known' ? `${(life.usedHundredths / 100).toFixed(1)} %` : '–'),
  },
  {
    ...{ id: 'lit', header: 'Hours of light', widthPx: 120, isRight: true, leaves: 5, foldsFor: () => false },
    cell: (row) => litHours(row).toLocaleString('en'),
  },
  {
    ...{ id: 'level', header: 'By level', widthPx: 120, leaves: 2, foldsFor: () => false },
    cell: ({ byLevel }) => <Bands minutes={byLevel} nameOf={levelBandName} kind="level" />,
  },
  {
    ...{ id: 'heat', header: 'By temperature', widthPx: 130, leaves: 1, foldsFor: () => false },
    cell: ({ byTemperature }) => <Bands minutes={byTemperature} nameOf={temperatureBandName} kind="heat" />,
  },
  {
    ...{ id: 'model', header: 'Model · batch', widthPx: 190, leaves: 1, isDim: true },
    cell: ({ model, batch }) => (batch ? `${model} · ${batch}` : model),
  },
]

interface Props extends Pick<Panels, 'displays'> {
  readonly now: Date
}

export const DisplayLives = ({ displays, now }: Props) => (
  <FirstRows
    label="Life of displays"
    columns={columnsAt(now)}
    rows={displays}
    rowKey={({ id, number }) => `${id} ${number}`}
  />
)

interface BandsProps {
  readonly minutes: readonly number[]
  readonly nameOf: (band: number) => string
  readonly kind: 'level' | 'heat'
}

/** Hours of light by band, side by side; the words of it are the title. */
function Bands({ minutes, nameOf, kind }: BandsProps) {
  const all = minutes.reduce((sum, one) => sum + one, 0)
  if (all === 0) return '–'
  const words = minutes
    .map((one, band) => ({ name: nameOf(band), hours: Math.round(one / 60) }))
    .filter(({ hours }) => hours > 0)
    .map(({ name, hours }) => `${name}: ${hours.toLocaleString('en')} h`)
    .join('\n')
  return (
    <span className="panels-bands" role="img" aria-label={words} title={words}>
      {minutes.map((one, band) =>
        one > 0 ? <i key={nameOf(band)} data-band={`${kind}${band}`} style={{ flexGrow: one / all }} /> : null,
      )}
    </span>
  )
}
