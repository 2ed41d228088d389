import { type KeyboardEvent, useRef, useState } from 'react'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import type { HeatMapRow } from '#contract/http/insight/overview.ts'
import { DAYS_OF_WEEK, HOURS_OF_DAY, heatBandOf } from '#domain/alerts/heatMap.ts'
import { weekHourText } from '#domain/alerts/weekHour.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const HOURS = Array.from({ length: HOURS_OF_DAY }, (_, hour) => hour)

interface Place {
  readonly hour: number
  readonly day: number
}

interface Bubble extends Place {
  readonly leftPx: number
  readonly topPx: number
  /** Near the upper edge there is only room below. */
  readonly isBelow: boolean
}

interface Props {
  readonly rows: readonly HeatMapRow[]
  readonly timeZone: string
  readonly customerId: CustomerId | undefined
}

/** All cells are one Tab stop; arrows, Home and End move through them, and Enter opens the alerts. */
export function HeatMap({ rows, timeZone, customerId }: Props) {
  const navigate = useNavigate()
  const counts = new Map(rows.map(({ hn, dwn, count_alerts }) => [hn * DAYS_OF_WEEK + dwn - 1, count_alerts]))
  const countAt = ({ hour, day }: Place) => counts.get(hour * DAYS_OF_WEEK + day) ?? 0
  const [active, setActive] = useState<Place>({ hour: 0, day: 0 })
  const [bubble, setBubble] = useState<Bubble>()
  const grid = useRef<HTMLTableElement>(null)

  const show = (place: Place, cell: HTMLElement) =>
    setBubble({
      ...place,
      leftPx: cell.offsetLeft + cell.offsetWidth / 2,
      topPx: place.day === 0 ? cell.offsetTop + cell.offsetHeight : cell.offsetTop,
      isBelow: place.day === 0,
    })
  const open = ({ hour, day }: Place) => {
    if (countAt({ hour, day }) === 0) return
    navigate(address('/alerts', { weekHour: weekHourText(day + 1, hour), timeZone, customerId }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setBubble(undefined)
    const next = placeAfter(event.key, active)
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    setActive(next)
    grid.current?.querySelector<HTMLElement>(`[data-place="${next.hour}-${next.day}"]`)?.focus()
  }

  return (
    <div className="heat-map">
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are walked by key
        role="grid"
        ref={grid}
        aria-label={`Alerts by hour and weekday, in the time of ${timeZone}`}
        onKeyDown={onKeyDown}
        onBlur={() => setBubble(undefined)}
        onMouseLeave={() => setBubble(undefined)}
      >
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col" abbr={hourText(hour)}>
                {hourText(hour).slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAYS.map((name, day) => (
            <tr key={name}>
              <th scope="row" abbr={name}>
                {name.slice(0, 3)}
              </th>
              {HOURS.map((hour) => {
                const count = countAt({ hour, day })
                const isActive = active.hour === hour && active.day === day
                return (
                  <td
                    key={hour}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it takes the focus
                    role="gridcell"
                    tabIndex={isActive ? 0 : -1}
                    data-place={`${hour}-${day}`}
                    data-band={heatBandOf(count)}
                    aria-label={wordsOf({ hour, day }, count)}
                    onFocus={(event) => {
                      setActive({ hour, day })
                      show({ hour, day }, event.currentTarget)
                    }}
                    onMouseEnter={(event) => show({ hour, day }, event.currentTarget)}
                    onClick={() => open({ hour, day })}
                    onKeyDown={({ key }) => key === 'Enter' && open({ hour, day })}
                  >
                    {shortCount(count)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {bubble && (
        <div
          className="heat-bubble"
          role="tooltip"
          data-below={bubble.isBelow || undefined}
          data-edge={edgeOf(bubble)}
          style={{ left: bubble.leftPx, top: bubble.topPx }}
        >
          {wordsOf(bubble, countAt(bubble))}
        </div>
      )}
    </div>
  )
}

/** A bubble over the middle of an outer cell would not fit. */
const edgeOf = ({ hour }: Place) => (hour < 6 ? 'left' : hour >= HOURS_OF_DAY - 6 ? 'right' : undefined)

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

function wordsOf({ hour, day }: Place, count: number): string {
  const alerts = `${formatNumber(count)} alert${count === 1 ? '' : 's'}`
  return `${DAYS[day]} ${hourText(hour)}–${hourText((hour + 1) % HOURS_OF_DAY)}: ${alerts}`
}

/** Cells are narrow, and most are empty; hover and focus show the exact number. */
const shortCount = (count: number) =>
  count === 0 ? '' : count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`

function placeAfter(key: string, { hour, day }: Place): Place | undefined {
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value))
  if (key === 'ArrowRight') return { hour: within(hour + 1, HOURS_OF_DAY), day }
  if (key === 'ArrowLeft') return { hour: within(hour - 1, HOURS_OF_DAY), day }
  if (key === 'ArrowDown') return { hour, day: within(day + 1, DAYS_OF_WEEK) }
  if (key === 'ArrowUp') return { hour, day: within(day - 1, DAYS_OF_WEEK) }
  if (key === 'Home') return { hour: 0, day }
  if (key === 'End') return { hour: HOURS_OF_DAY - 1, day }
  if (key === 'PageUp') return { hour, day: 0 }
  if (key === 'PageDown') return { hour, day: DAYS_OF_WEEK - 1 }
  return undefined
}
