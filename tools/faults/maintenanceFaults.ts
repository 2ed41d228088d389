import type { Fault } from './fault.ts'

export const MAINTENANCE_FAULTS: readonly Fault[] = [
  {
    name: 'An alert that is raised under maintenance is mailed at once',
    file: 'server/mail/alerts/alertNotices.ts',
    replace: 'select device_id, alert_id, is_late from raised where is_held',
    by: 'select device_id, alert_id, is_late from raised where false',
    foundBy: [{ file: 'server/mail/maintenanceMails.test.ts', title: 'raised under maintenance' }],
  },
  {
    name: 'A dark minute of a maintenance window counts against availability',
    file: 'domain/darkness/minutes/darkMinutes.ts',
    replace: "isMaintained(second) ? 'maintenance' : light",
    by: 'light',
    foundBy: [
      { file: 'server/features/insight/darkness/darkMinutes.test.ts', title: 'minutes of a maintenance window' },
    ],
  },
  {
    name: 'A device under maintenance counts as dark',
    file: 'server/darkness/now/verdictRows.ts',
    replace: 'isExcused ? underMaintenance(maintenance.since) : wrong',
    by: 'wrong',
    foundBy: [{ file: 'server/darkness/now/verdictJob.test.ts', title: 'under maintenance' }],
  },
  {
    name: 'People of a customer end maintenance of the staff',
    file: 'server/features/alerting/maintenanceWindows/windowChanges.ts',
    replace: "if (scope.kind === 'customer' && row.customer_id !== scope.customerId) throw new CallError('forbidden')",
    by: '',
    foundBy: [
      {
        file: 'server/features/alerting/maintenanceWindows/maintenanceWindows.test.ts',
        title: 'nothing of another leaks',
      },
    ],
  },
]
