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
              {HOURS.map((hour) => (
                <Cell
                  key={hour}
                  place={{ hour, day }}
                  count={countAt({ hour, day })}
                  isActive={active.hour === hour && active.day === day}
                  onActive={setActive}
                  onShow={show}
                  onOpen={open}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {bubble && <CountBubble bubble={bubble} count={countAt(bubble)} />}
    </div>
  )
}

interface CellProps {
  readonly place: Place
  readonly count: number
  readonly isActive: boolean
  readonly onActive: (place: Place) => void
  readonly onShow: (place: Place, cell: HTMLElement) => void
  readonly onOpen: (place: Place) => void
}

function Cell({ place, count, isActive, onActive, onShow, onOpen }: CellProps) {
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it takes the focus
      role="gridcell"
      tabIndex={isActive ? 0 : -1}
      data-place={`${place.hour}-${place.day}`}
      data-band={heatBandOf(count)}
      aria-label={countText(place, count)}
      onFocus={(event) => {
        onActive(place)
        onShow(place, event.currentTarget)
      }}
      onMouseEnter={(event) => onShow(place, event.currentTarget)}
      onClick={() => onOpen(place)}
      onKeyDown={({ key }) => key === 'Enter' && onOpen(place)}
    >
      {shortCount(count)}
    </td>
  )
}

function CountBubble({ bubble, count }: { readonly bubble: Bubble; readonly count: number }) {
  return (
    <div
      className="heat-bubble"
      role="tooltip"
      data-below={bubble.isBelow || undefined}
      data-edge={edgeOf(bubble)}
      style={{ left: bubble.leftPx, top: bubble.topPx }}
    >
      {countText(bubble, count)}
    </div>
  )
}

/** A bubble over the middle of an outer cell would not fit. */
const edgeOf = ({ hour }: Place) => (hour < 6 ? 'left' : hour >= HOURS_OF_DAY - 6 ? 'right' : undefined)

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

function countText({ hour, day }: Place, count: number): string {
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
