import {
  type IncidentAlert,
  type IncidentDetails,
  incidentDetails,
  listIncidentAlerts,
} from '#contract/http/alerting/incidents.ts'
import { DEVICE_GUID } from './deviceOf.ts'

/** It builds an active incident of thirteen alerts whose root cause is the alert of `alertOf`, with `changes`. */
export function incidentOf(changes: Readonly<Record<string, unknown>> = {}): IncidentDetails {
  return incidentDetails.parse({
    id: 7,
    title: 'Am Ring 12: Router off',
    isWhole: true,
    state: 'active',
    severityId: 1,
    began: '2026-11-20T09:58:00.000Z',
    over: null,
    cause: {
      alertId: 41,
      text: 'Router off',
      fieldId: 4101,
      deviceId: 1,
      deviceGuid: DEVICE_GUID,
      deviceName: 'Praha 0001',
      deviceAddress: 'Am Ring 12',
      deviceHasLeft: false,
    },
    alertCount: 13,
    activeCount: 12,
    openCount: 13,
    deviceCount: 13,
    placeCount: 1,
    customerId: 3,
    customerName: 'City Media',
    ownerName: '',
    ownerId: null,
    acknowledged: null,
    snoozedUntil: null,
    entries: [
      {
        at: '2026-11-20T09:58:00.000Z',
        kind: 'raised',
        text: 'Router off',
        count: 1,
        alertId: 41,
        deviceName: 'Praha 0001',
        username: '',
        isCause: true,
      },
      {
        at: '2026-11-20T10:03:00.000Z',
        kind: 'raised',
        text: 'Not reporting for 5 minutes',
        count: 12,
        alertId: 42,
        deviceName: 'Praha 0002',
        username: '',
        isCause: false,
      },
    ],
    olderEntries: 0,
    wasJoined: false,
    mayChange: true,
    ...changes,
  })
}

export function incidentAlertOf(changes: Readonly<Record<string, unknown>> = {}): IncidentAlert {
  const row = {
    alertId: 41,
    text: 'Router off',
    severityId: 1,
    deviceId: 1,
    deviceGuid: DEVICE_GUID,
    deviceName: 'Praha 0001',
    deviceAddress: 'Am Ring 12',
    deviceHasLeft: false,
    customerName: 'City Media',
    began: '2026-11-20T09:58:00.000Z',
    over: null,
    times: 1,
    isOpen: true,
    isCause: true,
    ...changes,
  }
  return listIncidentAlerts.answer.shape.rows.element.parse(row)
}
