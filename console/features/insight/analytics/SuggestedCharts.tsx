import { IconChartLine } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { getDashboardTable, type TemperatureRow } from '#contract/http/insight/overview.ts'
import { DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { fieldsOfComponent } from '#domain/catalogue/fieldId.ts'
import { displayTitle } from '#domain/devices/displayTitle.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { WantedMetric } from './read/metricChoice.ts'

const HOTTEST = 3

interface Suggestion {
  readonly title: string
  readonly about: string
  readonly days: number
  readonly metric: readonly WantedMetric[]
}

/** It suggests charts of devices that need attention while no metric is chosen, to users who may know of these. */
export function SuggestedCharts() {
  const mayAsk = useMay('deviceManager')
  const [now] = useState(() => Date.now())
  const [dateFrom, dateTo] = periodOf(1, now)
  const hottest = useCall(
    getDashboardTable,
    { table: 'INTERNAL_TEMPERATURE', dateFrom, dateTo },
    { enabled: mayAsk, freshMs: Number.POSITIVE_INFINITY },
  )
  const rows = (hottest.data ?? []).filter((row): row is TemperatureRow => 'device_id' in row && 'intake_temp' in row)
  const suggestions = suggestionsFor(rows)
  if (suggestions.length === 0)
    return <EmptyNote title={messages.noData}>Add a metric to see its readings over time.</EmptyNote>
  return (
    <>
      <p className="suggested-note">
        <strong>{messages.noData}</strong> <span>Add a metric, or start with one of these charts.</span>
      </p>
      <ul className="suggested-charts" aria-label="Suggested charts">
        {suggestions.map(({ title, about, days, metric }) => {
          const [from, to] = periodOf(days, now)
          return (
            <li key={title}>
              <Link to={address('/analytics', { data: { metric, dateFrom: from, dateTo: to, removeExisting: true } })}>
                <IconChartLine size={18} aria-hidden />
                <span>
                  <strong>{title}</strong>
                  <small>{about}</small>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}

const periodOf = (days: number, nowMs: number) =>
  [nowMs - days * DAY_MS, nowMs].map((ms) => new Date(ms).toISOString()) as [string, string]

function metricOf(row: TemperatureRow, name: string, yAxis: 1 | 2 = 1): WantedMetric[] {
  const found = fieldsOfComponent(DISPLAY_EVENT_TYPE_ID, row.display_number).find(({ field }) => field.name === name)
  return found ? [{ deviceId: row.device_id, metricId: found.id, yAxis }] : []
}

function suggestionsFor(rows: readonly TemperatureRow[]): readonly Suggestion[] {
  const [first] = rows
  if (!first) return []
  const titleOf = (row: TemperatureRow) => displayTitle(row.device, row.display_number)
  const hottest = rows.slice(0, HOTTEST)
  return [
    {
      title:
        hottest.length === 1 ? 'Temperature of the hottest device' : `Temperature of the ${hottest.length} hottest`,
      about: `${hottest.map(titleOf).join(', ')} · 24 hours`,
      days: 1,
      metric: hottest.flatMap((row) => metricOf(row, 'internal_temp')),
    },
    {
      title: 'How the hottest is cooled',
      about: `${titleOf(first)}: inside, intake, fan · 24 hours`,
      days: 1,
      metric: [
        ...metricOf(first, 'internal_temp'),
        ...metricOf(first, 'intake_temp'),
        ...metricOf(first, 'fan1_speed', 2),
      ],
    },
    {
      title: 'How light follows the day',
      about: `${titleOf(first)}: backlight, ambient light · 7 days`,
      days: 7,
      metric: [...metricOf(first, 'backlight_level'), ...metricOf(first, 'ambient_light', 2)],
    },
  ]
}
