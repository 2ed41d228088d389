import { CONSOLE_FEATURES_FAULTS } from './lists/console/features.ts'
import { CONSOLE_FAULTS } from './lists/console.ts'
import { CONTRACT_FAULTS } from './lists/contract.ts'
import { DEPLOY_FAULTS } from './lists/deploy.ts'
import { DEVICE_FAULTS } from './lists/device.ts'
import { DOMAIN_FAULTS } from './lists/domain.ts'
import type { Fault } from './lists/fault.ts'
import { BACKUP_FAULTS } from './lists/server/backup.ts'
import { DARKNESS_FAULTS } from './lists/server/darkness.ts'
import { DB_FAULTS } from './lists/server/db.ts'
import { ALERTING_FAULTS } from './lists/server/features/alerting.ts'
import { DEVICES_FAULTS } from './lists/server/features/devices.ts'
import { INSIGHT_FAULTS } from './lists/server/features/insight.ts'
import { PEOPLE_FAULTS } from './lists/server/features/people.ts'
import { GATEWAY_FAULTS } from './lists/server/gateway.ts'
import { HTTP_FAULTS } from './lists/server/http.ts'
import { MAIL_FAULTS } from './lists/server/mail.ts'
import { TELEMETRY_FAULTS } from './lists/server/telemetry.ts'
import { SERVER_FAULTS } from './lists/server.ts'
import { TOOLS_FAULTS } from './lists/tools.ts'

/**
 * A fault stands in the list of the folder of its file: that of the longest path that fits. The suite must always find
 * these faults; they are spread in proportion to what is at stake.
 */
export const FAULT_LISTS: Readonly<Record<string, readonly Fault[]>> = {
  contract: CONTRACT_FAULTS,
  domain: DOMAIN_FAULTS,
  server: SERVER_FAULTS,
  'server/backup': BACKUP_FAULTS,
  'server/darkness': DARKNESS_FAULTS,
  'server/db': DB_FAULTS,
  'server/features/alerting': ALERTING_FAULTS,
  'server/features/devices': DEVICES_FAULTS,
  'server/features/insight': INSIGHT_FAULTS,
  'server/features/people': PEOPLE_FAULTS,
  'server/gateway': GATEWAY_FAULTS,
  'server/http': HTTP_FAULTS,
  'server/mail': MAIL_FAULTS,
  'server/telemetry': TELEMETRY_FAULTS,
  device: DEVICE_FAULTS,
  console: CONSOLE_FAULTS,
  'console/features': CONSOLE_FEATURES_FAULTS,
  deploy: DEPLOY_FAULTS,
  tools: TOOLS_FAULTS,
}

export const FAULTS: readonly Fault[] = Object.values(FAULT_LISTS).flat()
