import { Fragment, type ReactNode } from 'react'
import { dayText } from '#console/lib/time/time.ts'

export const DAY_WIDTH = 1440
const HOUR_MARKS = [0, 6, 12, 18, 24]

export interface DrawnDay {
  readonly date: string
  readonly group: string
  readonly holiday: string | undefined
  readonly from: Date
  readonly to: Date
}

/** A day lasts 23 or 25 hours when the clocks change, and is as wide as the others. */
export const xOf = ({ from, to }: Pick<DrawnDay, 'from' | 'to'>, at: Date): number =>
  ((at.getTime() - from.getTime()) / (to.getTime() - from.getTime())) * DAY_WIDTH

interface Props<Day extends DrawnDay> {
  readonly className?: string
  readonly label: string
  /** The first of them is today. */
  readonly days: readonly Day[]
  readonly now: Date
  readonly rowHeight: number
  readonly row: (day: Day, index: number) => ReactNode
  readonly children: ReactNode
}

/** Each of the next days is a row, drawn from midnight to midnight. */
export function WeekStrip<Day extends DrawnDay>({
  className = '',
  label,
  days,
  now,
  rowHeight,
  row,
  children,
}: Props<Day>) {
  const height = days.length * rowHeight
  const [today] = days
  return (
    <figure className={`preview strip ${className}`}>
      <ol className="strip-days" aria-hidden>
        {days.map(({ date, group, holiday }) => (
          <li key={date} data-group={group} title={holiday}>
            {dayText(date)}
            {holiday && <span className="strip-holiday">{holiday}</span>}
          </li>
        ))}
      </ol>
      <svg viewBox={`0 0 ${DAY_WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {days.map((day, index) => (
          <Fragment key={day.date}>{row(day, index)}</Fragment>
        ))}
        {HOUR_MARKS.slice(1, -1).map((hour) => (
          <line key={hour} className="curve-grid" x1={hour * 60} x2={hour * 60} y1={0} y2={height} />
        ))}
        {today && <line className="curve-now" x1={xOf(today, now)} x2={xOf(today, now)} y1={0} y2={rowHeight} />}
      </svg>
      <div className="strip-hours" aria-hidden>
        {HOUR_MARKS.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <figcaption>{children}</figcaption>
    </figure>
  )
}
