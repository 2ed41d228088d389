import { type Device, device } from '#contract/http/device.ts'
import { type DashboardItem, dashboardItem } from '#contract/http/deviceState.ts'

/** A device and its tiles, for the tests of its screens. */
export const GUID = '00000000-0000-4000-8000-000000000001'
export const BACKLIGHT = 4113
const TOUCH = 4126

export const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

/** A kiosk in Prague that is connected and well, or what `changes` makes of it. */
export function deviceOf(changes: Partial<Device> = {}): Device {
  return device.parse({
    id: 1,
    guid: GUID,
    name: 'Praha 0001',
    address: 'Dlouhá 1',
    statusId: 2,
    connStatusId: 1,
    lastEvent: secondsAgo(5),
    activeAlerts: 0,
    modelId: 1,
    customerId: 3,
    attrSerial: 'SN-1',
    latitude: null,
    longitude: null,
    description: '',
    iotDeviceId: GUID,
    internalIp: '',
    externalIp: '',
    timeZone: 'Europe/Prague',
    timeZoneIsAssumed: true,
    ...changes,
  })
}

/** A tile with a value, a measurement and a past. */
export function backlight(changes: Partial<DashboardItem> = {}): DashboardItem {
  return dashboardItem.parse({
    field_id: BACKLIGHT,
    field_name: 'Backlight level',
    field_db_name: 'd_backlight_level',
    field_value: 80,
    group_name: 'Display',
    alert_id: null,
    icon: 'brightness',
    measurement_id: BACKLIGHT,
    measurement_name: 'Backlight level (%)',
    measurement_event_type_id: 4,
    data_points_24h: Array.from({ length: 24 }, (_, hour) => hour),
    value_dt: secondsAgo(5),
    ...changes,
  })
}

/** A tile that nobody ever reported, and that cannot be drawn. */
export const touch = () =>
  backlight({
    field_id: TOUCH as DashboardItem['field_id'],
    field_name: 'Touch screen',
    field_value: null,
    value_dt: null,
    measurement_id: null,
    icon: 'touch',
  })
