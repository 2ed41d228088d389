import { AUDIT_FAULTS } from './auditFaults.ts'
import { BACKUP_FAULTS } from './backupFaults.ts'
import { CONDITION_FAULTS } from './conditionFaults.ts'
import { CONSOLE_FAULTS } from './consoleFaults.ts'
import { CONTRACT_FAULTS } from './contractFaults.ts'
import { DATABASE_FAULTS } from './databaseFaults.ts'
import { DEVICE_FAULTS } from './deviceFaults.ts'
import { DOMAIN_FAULTS } from './domainFaults.ts'
import { DRIVER_FAULTS } from './driverFaults.ts'
import type { Fault } from './fault.ts'
import { GATEWAY_FAULTS } from './gatewayFaults.ts'
import { INCIDENT_FAULTS } from './incidentFaults.ts'
import { MAIL_FAULTS } from './mailFaults.ts'
import { MAINTENANCE_FAULTS } from './maintenanceFaults.ts'
import { METRIC_FAULTS } from './metricFaults.ts'
import { NOTIFYING_FAULTS } from './notifyingFaults.ts'
import { OVERVIEW_FAULTS } from './overviewFaults.ts'
import { PROCESS_FAULTS } from './processFaults.ts'
import { SERVER_FAULTS } from './serverFaults.ts'
import { SETTING_FAULTS } from './settingFaults.ts'
import { SIGN_IN_FAULTS } from './signInFaults.ts'
import { TLS_FAULTS } from './tlsFaults.ts'
import { TOOL_FAULTS } from './toolFaults.ts'
import { UPGRADE_FAULTS } from './upgradeFaults.ts'
import { VERDICT_FAULTS } from './verdictFaults.ts'
import { TAG_FAULTS, VIEW_FAULTS } from './viewFaults.ts'

/** The suite must always find these faults; they are spread in proportion to what is at stake. */
export const FAULTS: readonly Fault[] = [
  ...CONTRACT_FAULTS,
  ...DOMAIN_FAULTS,
  ...SERVER_FAULTS,
  ...DATABASE_FAULTS,
  ...SETTING_FAULTS,
  ...SIGN_IN_FAULTS,
  ...TAG_FAULTS,
  ...AUDIT_FAULTS,
  ...BACKUP_FAULTS,
  ...PROCESS_FAULTS,
  ...TLS_FAULTS,
  ...UPGRADE_FAULTS,
  ...GATEWAY_FAULTS,
  ...MAIL_FAULTS,
  ...INCIDENT_FAULTS,
  ...MAINTENANCE_FAULTS,
  ...METRIC_FAULTS,
  ...NOTIFYING_FAULTS,
  ...OVERVIEW_FAULTS,
  ...CONDITION_FAULTS,
  ...VERDICT_FAULTS,
  ...VIEW_FAULTS,
  ...DEVICE_FAULTS,
  ...DRIVER_FAULTS,
  ...CONSOLE_FAULTS,
  ...TOOL_FAULTS,
]
