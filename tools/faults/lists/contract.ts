import type { Fault } from './fault.ts'

export const CONTRACT_FAULTS: readonly Fault[] = [
  {
    name: 'Deleting a device leaves no audit row',
    file: 'contract/http/devices/details.ts',
    replace: "  changes: { action: 'Delete', entity: 'Device' },\n",
    by: '',
    foundBy: ['contract/http/changes.test.ts'],
  },
  {
    name: 'Whoever is signed in removes entries of the maintenance log',
    file: 'contract/http/devices/maintenance.ts',
    replace: "summary: 'Remove a maintenance entry.',\n  permission: 'deviceManager',",
    by: "summary: 'Remove a maintenance entry.',\n  permission: 'signedIn',",
    foundBy: [{ file: 'server/http/callMatrix.test.ts', title: 'DeviceMaintenance/DelDeviceMaintenance' }],
  },
  {
    name: 'Device managers who are no lab users export raw rows',
    file: 'contract/http/devices/records.ts',
    replace:
      "summary: 'All stored reports of one kind in the period, newest first, row by row.',\n  permission: 'rawExport',",
    by: "summary: 'All stored reports of one kind in the period, newest first, row by row.',\n  permission: 'deviceManager',",
    foundBy: [{ file: 'server/http/callMatrix.test.ts', title: 'Device/GetDeviceEvTypeRawDataV2Full' }],
  },
  {
    name: 'A device reports for a component that its kind cannot have',
    file: 'contract/mqtt/topics.ts',
    replace: 'number < 1 || number > type.prefixes.length',
    by: 'number < 1',
    foundBy: ['contract/mqtt/topics.test.ts'],
  },
]
