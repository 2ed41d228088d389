import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '#domain/units/time.ts'
import type { BackupGauges } from '#server/backup/backupState.ts'
import { readSealGauges, type SealGauges } from '#server/features/insight/auditLog/auditSeal.store.ts'
import type { Metrics } from '#server/http/pages/operations.ts'
import { Exposition, heading, type Labels } from '#server/metrics/Exposition.ts'
import { readDisks } from './disks.ts'
import { type MeasuredParts, tellProcess } from './processMetrics.ts'
import {
  DEVICE_METRICS,
  type FiguresPool,
  readDeviceValues,
  readSystemFigures,
  type SystemFigures,
} from './systemFigures.store.ts'

/** A scraper waits ten seconds by default. Without the database everything else is still exported. */
const ANSWERED_WITHIN_MS = 2_800
/** Several scrapers share one query of the database. */
const KNOWN_FOR_MS = 5_000

export interface MetricsDeps extends MeasuredParts {
  readonly pool: FiguresPool
  readonly now: () => Date
  readonly folders: Readonly<Record<string, string | undefined>>
  readonly backups: () => Promise<BackupGauges | undefined>
  /** Undefined without TLS. */
  readonly certificateExpiresAt: () => Date | undefined
  readonly troubles: () => Promise<readonly string[]>
}

/** Exports what this process knows of itself and, only while it leads, of the system, so that nothing adds up twice. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const { pool, now } = deps
  const figures = known(() => readSystemFigures(pool, now()))
  const seal = known(() => readSealGauges(pool))
  const isLeading = () => deps.background.jobs?.isLeading() === true
  return {
    async text() {
      const told = new Exposition()
      tellProcess(told, deps)
      const [troubles, disks, system, seals, backups] = await Promise.all([
        inTime(deps.troubles()),
        inTime(readDisks(deps.folders)),
        isLeading() ? inTime(figures()) : undefined,
        isLeading() ? inTime(seal()) : undefined,
        isLeading() ? inTime(deps.backups()) : undefined,
      ])
      told.set('wayside_health_troubles', troubles?.length)
      told.set('wayside_clock_ahead_seconds', (now().getTime() - Date.now()) / 1000)
      const expiresAt = deps.certificateExpiresAt()
      told.set('wayside_certificate_expires_timestamp_seconds', expiresAt && expiresAt.getTime() / 1000)
      for (const { name, freeBytes, sizeBytes } of disks ?? []) {
        told.set('wayside_disk_free_bytes', freeBytes, { disk: name })
        told.set('wayside_disk_size_bytes', sizeBytes, { disk: name })
      }
      if (system) tellSystem(told, system)
      tellSeal(told, seals)
      told.set('wayside_backup_copies', backups?.copies)
      told.set('wayside_backup_copy_age_seconds', backups?.copyAgeSeconds)
      told.set('wayside_backup_log_age_seconds', backups?.logAgeSeconds)
      return told.text()
    },
    deviceText: () => deviceText(pool),
  }
}

function tellSystem(told: Exposition, system: SystemFigures): void {
  told.set('wayside_processes', system.processes)
  for (const { count, ...labels } of system.devices) told.set('wayside_devices', count, labels)
  for (const { count, ...labels } of system.openAlerts) told.set('wayside_open_alerts', count, labels)
  told.set('wayside_devices_with_refused_reports', system.devicesWithRefusedReports)
  told.set('wayside_devices_with_wrong_clock', system.devicesWithWrongClock)
  told.set('wayside_open_incidents', system.openIncidents)
  told.set('wayside_commands_waiting', system.commandsWaiting)
  told.set('wayside_mails_waiting', system.mailsWaiting)
  told.set('wayside_mails_waiting_seconds', system.mailsWaitingSeconds)
  told.set('wayside_rollup_marks_waiting', system.rollupMarks)
  const refreshed = system.rollupRefreshedAt
  told.set('wayside_rollup_refreshed_timestamp_seconds', refreshed && refreshed.getTime() / 1000)
  told.set('wayside_refolds_waiting', system.refolds)
  told.set('wayside_refolds_waiting_seconds', system.refoldsSeconds)
  told.set('wayside_partitions_ahead_seconds', (system.partitionsAheadDays * DAY_MS) / 1000)
  told.set('wayside_database_size_bytes', system.databaseBytes)
}

/** A number holds this many digits of the head exactly. */
const HEAD_DIGITS = 12

function tellSeal(told: Exposition, seal: SealGauges | undefined): void {
  told.set('wayside_audit_unsealed_seconds', seal?.unsealedSeconds)
  told.set('wayside_audit_seal_block', seal?.newest?.number)
  told.set('wayside_audit_seal_head', seal?.newest && Number.parseInt(seal.newest.head.slice(0, HEAD_DIGITS), 16))
}

/** The output goes metric by metric, because all lines of one must be together. */
async function* deviceText(pool: FiguresPool): AsyncGenerator<string, void> {
  for (const metric of DEVICE_METRICS) {
    yield heading(metric)
    for await (const devices of readDeviceValues(pool, metric)) {
      const told = new Exposition()
      for (const { guid: device, name, customer, value } of devices) {
        const labels: Labels = metric === 'wayside_device_info' ? { device, name, customer } : { device }
        told.set(metric, value, labels)
      }
      yield told.samples(metric)
    }
  }
}

/** @returns undefined for what failed or takes too long, so that the rest is exported without it */
function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return Promise.race([work.catch(() => undefined), sleep(ANSWERED_WITHIN_MS, undefined, { ref: false })])
}

/** Shares one read at a time, because a database that does not answer must not take one connection after the other. */
function known<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let newest: { readonly atMs: number; readonly result: Promise<Result>; isOver: boolean } | undefined
  return () => {
    if (newest && (!newest.isOver || performance.now() - newest.atMs < KNOWN_FOR_MS)) return newest.result
    const reading = { atMs: performance.now(), result: read(), isOver: false }
    const end = () => {
      reading.isOver = true
    }
    reading.result.then(end, () => {
      end()
      if (newest === reading) newest = undefined
    })
    newest = reading
    return reading.result
  }
}
