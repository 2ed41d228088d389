import type { BackupGauges } from './backup/backupState.ts'
import type { SealGauges } from './features/auditLog/auditSeal.store.ts'
import type { Gateway } from './gateway/gateway.ts'

/** The counters in the text format of Prometheus. */
export function metricsText(
  { gateway, telemetry }: Gateway['counters'],
  connectedDevices: number,
  seal: SealGauges | undefined,
  backups: BackupGauges | undefined,
  certificateExpiresAt: Date | undefined,
): string {
  const { rejected, largestBatch, ...counts } = telemetry
  const lines = [
    ...Object.entries({ ...gateway, ...counts }).flatMap(([name, value]) => [
      `# TYPE ${metricName(name)}_total counter`,
      `${metricName(name)}_total ${value}`,
    ]),
    '# TYPE wayside_reports_rejected_total counter',
    ...Object.entries(rejected).map(([reason, count]) => `wayside_reports_rejected_total{reason="${reason}"} ${count}`),
    '# TYPE wayside_largest_batch_reports gauge',
    `wayside_largest_batch_reports ${largestBatch}`,
    '# TYPE wayside_connected_devices gauge',
    `wayside_connected_devices ${connectedDevices}`,
    '# TYPE wayside_resident_memory_bytes gauge',
    `wayside_resident_memory_bytes ${process.memoryUsage.rss()}`,
    ...sealLines(seal),
    ...backupLines(backups),
    ...(certificateExpiresAt
      ? gauge('certificate_expires_timestamp_seconds', certificateExpiresAt.getTime() / 1000)
      : []),
  ]
  return `${lines.join('\n')}\n`
}

/** As many digits of the head as a number holds exactly. */
const HEAD_DIGITS = 12

/** Nothing where it is not known: zero would be a block, and a lag. */
function sealLines(seal: SealGauges | undefined): readonly string[] {
  if (!seal) return []
  const { newest, unsealedSeconds } = seal
  return [
    ...gauge('audit_unsealed_seconds', unsealedSeconds),
    ...(newest ? gauge('audit_seal_block', newest.number) : []),
    ...(newest ? gauge('audit_seal_head', Number.parseInt(newest.head.slice(0, HEAD_DIGITS), 16)) : []),
  ]
}

function backupLines(backups: BackupGauges | undefined): readonly string[] {
  if (!backups) return []
  const { copies, copyAgeSeconds, logAgeSeconds } = backups
  return [
    ...gauge('backup_copies', copies),
    ...(copyAgeSeconds === undefined ? [] : gauge('backup_copy_age_seconds', copyAgeSeconds)),
    ...(logAgeSeconds === undefined ? [] : gauge('backup_log_age_seconds', logAgeSeconds)),
  ]
}

const gauge = (name: string, value: number) => [`# TYPE wayside_${name} gauge`, `wayside_${name} ${value}`]

/** `valuesStored` → `wayside_values_stored`. */
function metricName(name: string): string {
  return `wayside_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
}
