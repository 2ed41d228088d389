import type { AttentionRow, WrongNow } from '#contract/http/insight/overview.ts'
import { countAttention } from '#domain/attention/attention.ts'
import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'
import type { DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { DEVICE_GUID } from './deviceOf.ts'

const NO_COUNTS = Object.fromEntries(WRONG_KINDS.map((kind) => [kind, 0])) as WrongNow['counts']
export const NOTHING_WRONG: WrongNow = {
  ...{ counts: NO_COUNTS, devices: 0, activeDevices: 39, rowCount: 0, rows: [] },
  attention: { all: 0, dark: 0, silent: 0, alerted: 0, onBattery: 0, other: 0, rollout: 0, excused: 0 },
}

export const GRAZ = {
  deviceId: 4 as DeviceId,
  deviceGuid: DEVICE_GUID as DeviceGuid,
  deviceName: 'Graz 1',
  deviceModelId: 1 as DeviceModelId,
  customerName: 'Harbour',
  address: 'Quay 3',
}
export const attentionRow = (changes: Partial<AttentionRow>): AttentionRow => ({
  ...{ key: 'dark', group: 'dark', kind: 'dark', severityId: 1, what: 'Dark: power switch 1 is off' },
  ...{ devices: [GRAZ], deviceCount: 1, since: new Date(Date.now() - 3 * HOUR_MS).toISOString(), isAtLeast: false },
  ...{ ownerName: '', incidentId: null, alertId: null, updateId: null, step: null },
  ...changes,
})

export const wrongWith = (rows: readonly AttentionRow[]): WrongNow => ({
  ...NOTHING_WRONG,
  rows: [...rows],
  rowCount: rows.filter(({ group }) => group !== 'excused').length,
  attention: { ...countAttention(rows) },
})
