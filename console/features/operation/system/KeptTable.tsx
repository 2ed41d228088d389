import { formatDate } from '#console/lib/time/time.ts'
import { Age } from '#console/ui/Age.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { SystemState } from '#contract/http/operation/system.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'

type Kept = SystemState['kept'][number]

const NAMES: Readonly<Record<Kept['kind'], string>> = {
  open: 'Readings, open days',
  closed: 'Readings, closed days',
  messages: 'Messages',
  means: 'Hourly means',
  light: 'Minutes of light',
  alerts: 'Alerts',
}

const day = (at: string | null) => (at === null ? UNKNOWN_TEXT : formatDate(at))
const goes = ({ kind, goesAt }: Kept) =>
  goesAt === null ? UNKNOWN_TEXT : `${day(goesAt)}${kind === 'open' ? ', closed' : ''}`
const kept = ({ keptDays }: Kept) => `${formatNumber(keptDays)} days`

const COLUMNS: readonly Column<Kept>[] = [
  textColumn('kind', 'Data', ({ kind }) => NAMES[kind], { widthPx: 240, isStrong: true, hasNoPage: true }),
  textColumn('from', 'From', ({ from }) => day(from), { widthPx: 130 }),
  textColumn('size', 'Size', ({ bytes }) => formatBytes(bytes), { widthPx: 110, isRight: true }),
  textColumn('kept', 'Kept for', kept, { widthPx: 130, isRight: true }),
  textColumn('goes', 'Oldest goes', goes),
]

const STACKED: StackedCell<Kept> = {
  header: 'Data',
  cell: (one) => (
    <>
      <b>{NAMES[one.kind]}</b>
      <span className="is-dim">
        from {day(one.from)} · {formatBytes(one.bytes)} · {kept(one)}
      </span>
      <span className="is-dim">oldest goes {goes(one)}</span>
    </>
  ),
}

/** What is kept since when, and when the oldest of it goes. Single customers may have less (rules/limits 11). */
export const KeptTable = ({ kept: kinds, closing }: Pick<SystemState, 'kept' | 'closing'>) => (
  <>
    <DataTable label="Data kept" columns={COLUMNS} stacked={STACKED} rows={kinds} rowKey={({ kind }) => kind} />
    <p className="system-closing dim">
      {leftText(closing.daysLeft)}
      {closing.ranAt !== null && (
        <>
          {' '}
          Last closing: <Age at={closing.ranAt} />
          {closing.share !== null && `, with ${formatNumber(Math.round(closing.share * 100))}% of a processor core`}.
        </>
      )}
    </p>
  </>
)

function leftText(days: number): string {
  if (days > 1) return `${formatNumber(days)} days wait to be closed.`
  return `${days === 1 ? '1' : 'No'} day waits to be closed.`
}
