import { type Device, device } from '#contract/http/devices/devices.ts'

export const DEVICE_GUID = '00000000-0000-4000-8000-000000000001'

export function deviceOf(changes: Readonly<Record<string, unknown>> = {}): Device {
  return device.parse({
    id: 1,
    guid: DEVICE_GUID,
    name: 'Praha 0001',
    address: 'Dlouhá 1',
    statusId: 2,
    connStatusId: 1,
    lastEvent: new Date(Date.now() - 5_000).toISOString(),
    activeAlerts: 0,
    worstAlert: null,
    modelId: 1,
    customerId: 3,
    customerName: 'Harbour',
    attrSerial: 'SN-1',
    latitude: null,
    longitude: null,
    description: '',
    iotDeviceId: DEVICE_GUID,
    internalIp: '',
    externalIp: '',
    timeZone: 'Europe/Prague',
    timeZoneIsAssumed: true,
    light: 'lit',
    lightSince: null,
    lightIsAtLeast: false,
    lightCause: null,
    clockErrorMs: null,
    refusedSince: null,
    isOnBattery: null,
    identityConflictSince: null,
    wrong: null,
    clientVersion: null,
    tags: [],
    ...changes,
  })
}
