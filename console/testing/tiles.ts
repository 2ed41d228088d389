import { type DashboardItem, dashboardItem } from '#contract/http/devices/status.ts'

export const BACKLIGHT = 4113
const TOUCH = 4126

export const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

export function backlight(changes: Partial<DashboardItem> = {}): DashboardItem {
  return dashboardItem.parse({
    field_id: BACKLIGHT,
    field_name: 'Backlight level',
    field_db_name: 'd_backlight_level',
    field_value: 80,
    group_name: 'Display',
    alert_id: null,
    alert_severity_id: changes.alert_id ? 2 : null,
    icon: 'brightness',
    measurement_id: BACKLIGHT,
    measurement_name: 'Backlight level (%)',
    measurement_event_type_id: 4,
    data_points_24h: Array.from({ length: 24 }, (_, hour) => hour),
    value_dt: secondsAgo(5),
    ...changes,
  })
}

export const touch = () =>
  backlight({
    field_id: TOUCH as DashboardItem['field_id'],
    field_name: 'Touch screen',
    field_value: null,
    value_dt: null,
    measurement_id: null,
    icon: 'touch',
  })
