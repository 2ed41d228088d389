import { LIGHT_PARTS } from '#console/deviceParts/lightParts.ts'
import { dayText } from '#console/lib/time/time.ts'
import type { DarkDay } from '#contract/http/insight/darkMinutes.ts'
import { lightText } from '#domain/darkness/minutes/lightLabels.ts'

/** More labels would run into each other. */
const MOST_LABELS = 7

export function DarkDayBars({ days }: { readonly days: readonly DarkDay[] }) {
  const longest = Math.max(...days.map(({ lengthMinutes }) => lengthMinutes))
  const every = Math.ceil(days.length / MOST_LABELS)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div
      className="dark-bars"
      role="img"
      aria-label={`Light by day, ${first ? dayText(first.date) : ''} to ${last ? dayText(last.date) : ''}`}
      data-dense={days.length > 31 || undefined}
    >
      {days.map((day, index) => (
        <div key={day.date} className="dark-bar" title={wordsOf(day)}>
          <div className="dark-stack">
            {LIGHT_PARTS.map(({ kind, minutes }) => {
              const height = (100 * (minutes(day) ?? 0)) / longest
              return height === 0 ? null : <i key={kind} data-light={kind} style={{ height: `${height}%` }} />
            })}
          </div>
          {(days.length - 1 - index) % every === 0 && <span>{dayText(day.date).slice(-6)}</span>}
        </div>
      ))}
    </div>
  )
}

function wordsOf(day: DarkDay): string {
  const parts = LIGHT_PARTS.filter(({ minutes }) => minutes(day) !== 0)
  return [dayText(day.date), ...parts.map(({ name, minutes }) => `${name}: ${lightText(minutes(day))}`)].join('\n')
}
