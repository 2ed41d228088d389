import type { Alert } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import { yearBefore } from '#domain/alerts/heatMap.ts'
import { weekHourText } from '#domain/alerts/weekHour.ts'
import { wallClock, weekdayOf } from '#domain/units/wallClock.ts'
import { type AlertListFilter, statusOf } from './alertListAddress.ts'

const LAST_24H_MS = 24 * 60 * 60 * 1000

export function belongsTo(filter: AlertListFilter, alert: Alert, now: Date): boolean {
  const status = statusOf(filter)
  if (status !== undefined && alert.statusId !== status) return false
  if (filter.filter === 'opened' && alert.statusId !== ALERT_STATUS.opened) return false
  if (filter.deviceId !== undefined && alert.deviceId !== filter.deviceId) return false
  if (filter.id !== undefined && alert.id !== filter.id) return false
  if (filter.conditionStateId !== undefined && alert.conditionStateId !== filter.conditionStateId) return false
  if (filter.alertText !== undefined && !contains(alert, filter.alertText)) return false
  if (!isInWeekHour(filter, new Date(alert.created), now)) return false
  const { lastActive } = alert
  return filter.filter !== 'last24h' || lastActive === null || Date.parse(lastActive) >= now.getTime() - LAST_24H_MS
}

function isInWeekHour({ weekHour, timeZone = 'UTC' }: AlertListFilter, created: Date, now: Date): boolean {
  if (weekHour === undefined) return true
  const { date, time } = wallClock(created, timeZone)
  return created >= yearBefore(now) && weekHourText(weekdayOf(date) + 1, Number(time.slice(0, 2))) === weekHour
}

interface Merging {
  readonly rows: readonly Alert[]
  readonly changed: readonly Alert[]
  readonly belongs: (alert: Alert) => boolean
  /** New alerts belong on this page; otherwise the list is read again for them. */
  readonly takesNew: boolean
  readonly mostRows: number
}

/** Changed alerts stay in place, new ones are added, and those that no longer match are removed. */
export function mergedAlerts({ rows, changed, belongs, takesNew, mostRows }: Merging): Alert[] {
  const changes = new Map(changed.map((alert) => [alert.id, alert]))
  const known = new Set(rows.map(({ id }) => id))
  const kept = rows.flatMap((row) => {
    const changedRow = changes.get(row.id)
    if (!changedRow) return [row]
    return belongs(changedRow) ? [changedRow] : []
  })
  const added = takesNew ? changed.filter((alert) => !known.has(alert.id) && belongs(alert)) : []
  return [...kept, ...added].sort(newestFirst).slice(0, mostRows)
}

function contains({ title, conditionText, deviceName }: Alert, text: string): boolean {
  return [title, conditionText, deviceName].some((one) => one.toLowerCase().includes(text.toLowerCase()))
}

function newestFirst(one: Alert, other: Alert): number {
  return Date.parse(other.created) - Date.parse(one.created) || other.id - one.id
}
