import { type Alert, type AlertDetails, alert, alertDetails } from '#contract/http/alerting/alerts.ts'
import { alertTitle } from '#domain/alerts/conditionTitle.ts'
import { DEVICE_GUID } from './deviceOf.ts'

const CONDITION = 'Display: Internal temperature (°C) > 60'

const titleOf = (text: unknown) =>
  alertTitle({ conditionText: typeof text === 'string' ? text : CONDITION, value: 61.5 })

/** It builds an open, active alert of the device of `deviceOf`, with `changes`. */
export function alertOf(changes: Readonly<Record<string, unknown>> = {}): Alert {
  return alert.parse({
    id: 41,
    statusId: 1,
    conditionStateId: 1,
    deviceId: 1,
    deviceGuid: DEVICE_GUID,
    deviceName: 'Praha 0001',
    deviceModelId: 1,
    deviceAddress: 'Dlouhá 1',
    deviceHasLeft: false,
    conditionText: CONDITION,
    title: titleOf(changes.conditionText),
    created: '2026-11-20T10:00:00.000Z',
    found: '2026-11-20T10:00:00.100Z',
    openMinutes: 12,
    activeCount: 1,
    ownerName: '',
    closed: null,
    lastActive: null,
    lastChanged: '2026-11-20T10:00:00.000Z',
    fieldId: 4101,
    conditionOrigin: { of: 'device', customerName: '', tag: '' },
    severityId: 2,
    eventTypeIdAnalytics: 4,
    measurementId: 4101,
    measurementName: 'Internal temperature (°C)',
    maintenance: null,
    incident: null,
    ...changes,
  })
}

export function alertDetailsOf(changes: Readonly<Record<string, unknown>> = {}): AlertDetails {
  return alertDetails.parse({
    id: 41,
    created: '2026-11-20T10:00:00.000Z',
    status_name: 'Opened',
    alert_open_minutes: 12,
    device_name: 'Praha 0001',
    et_field_group_name: 'Display',
    action_type_name: 'Send notification',
    condition_state_name: 'Active',
    et_field_name: 'Internal temperature (°C)',
    metric_value_dec: 61.5,
    metric_value_text: null,
    value_dec: 60,
    value_text: null,
    condition_text: CONDITION,
    title: titleOf(changes.condition_text),
    close_resolution_name: null,
    close_comment: '',
    deviceId: 1,
    deviceGuid: DEVICE_GUID,
    deviceModelId: 1,
    deviceHasLeft: false,
    statusId: 1,
    conditionStateId: 1,
    found: '2026-11-20T10:00:00.100Z',
    closed: null,
    closedBy: null,
    activeCount: 1,
    field_id: 4101,
    operatorCode: 'GT',
    measurementId: 4101,
    acknowledged: null,
    customerName: 'City of Prague',
    deviceAddress: 'Dlouhá 1',
    kind: 'level',
    conditionOrigin: { of: 'device', customerName: '', tag: '' },
    severityId: 2,
    lastChanged: '2026-11-20T10:00:00.000Z',
    olderHistory: null,
    history: [{ id: 1, kind: 'opened', at: '2026-11-20T10:00:00.000Z', username: '', text: '' }],
    neighbours: [],
    maintenanceIds: [],
    maintenance: null,
    incident: null,
    ...changes,
  })
}
