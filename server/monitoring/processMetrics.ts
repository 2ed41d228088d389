import { performance } from 'node:perf_hooks'
import type { CommandPath } from '#server/gateway/commands/CommandPath.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import type { HttpMeasures } from '#server/http/perform/httpMeasures.ts'
import type { JobRunner } from '#server/jobs/JobRunner.ts'
import type { MailQueue } from '#server/mail/mailQueue.ts'
import type { Exposition } from '#server/metrics/Exposition.ts'

export interface MeasuredPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max?: number | undefined }
}

/** The parts of a process that count what they do. Each count is read where it is made. */
export interface MeasuredParts {
  readonly version: string
  readonly gateway: Pick<Gateway, 'counters' | 'connectedDevices' | 'devicesWithTwoMachines' | 'waiting'>
  readonly commands: Pick<CommandPath, 'ended'>
  readonly http: HttpMeasures
  readonly pools: Readonly<Record<string, readonly MeasuredPool[]>>
  /** Undefined until they run. */
  readonly background: {
    readonly jobs: JobRunner | undefined
    readonly mails: Pick<MailQueue, 'tries'> | undefined
  }
}

const seconds = (ms: number) => ms / 1000

/** Exports what this process counts, without any query. */
export function tellProcess(told: Exposition, parts: MeasuredParts): void {
  tellRuntime(told, parts.version)
  tellDevices(told, parts)
  tellReports(told, parts)
  for (const [pool, some] of Object.entries(parts.pools)) tellPool(told, pool, some)
  for (const [call, { answers, duration }] of parts.http.all()) {
    answers.forEach((count, digit) => {
      if (count > 0) told.set('wayside_http_requests_total', count, { call, status: `${digit}xx` })
    })
    if (duration.count > 0) told.histogram('wayside_http_request_duration_seconds', duration, { call })
  }
  told.set('wayside_live_streams', parts.http.liveStreams)
  for (const [end, count] of Object.entries(parts.commands.ended)) told.set('wayside_commands_total', count, { end })
  for (const [end, count] of Object.entries(parts.background.mails?.tries ?? {}))
    told.set('wayside_mails_total', count, { end })
  tellJobs(told, parts.background.jobs)
}

function tellRuntime(told: Exposition, version: string): void {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const { active, idle } = performance.eventLoopUtilization()
  told.set('wayside_build_info', 1, { version, node: process.versions.node })
  told.set('process_start_time_seconds', seconds(performance.timeOrigin))
  told.set('process_cpu_seconds_total', (user + system) / 1e6)
  told.set('process_resident_memory_bytes', rss)
  told.set('nodejs_heap_size_used_bytes', heapUsed)
  told.set('wayside_event_loop_active_seconds_total', seconds(active))
  told.set('wayside_event_loop_idle_seconds_total', seconds(idle))
}

function tellDevices(told: Exposition, { gateway }: MeasuredParts): void {
  const { gateway: counted, telemetry } = gateway.counters
  told.set('wayside_connected_devices', gateway.connectedDevices())
  told.set('wayside_devices_with_two_machines', gateway.devicesWithTwoMachines())
  told.set('wayside_mqtt_connections_opened_total', counted.connectionsOpened)
  told.set('wayside_mqtt_connections_closed_total', counted.connectionsClosed)
  told.set('wayside_mqtt_connections_refused_total', counted.connectionsRefused)
  told.set('wayside_mqtt_topics_denied_total', counted.topicsDenied)
  told.set('wayside_mqtt_packets_malformed_total', counted.packetsMalformed)
  told.set('wayside_mqtt_devices_slowed_down_total', counted.devicesSlowedDown)
  told.histogram('wayside_mqtt_acknowledgement_duration_seconds', telemetry.acknowledgement)
}

function tellReports(told: Exposition, { gateway }: MeasuredParts): void {
  const { telemetry } = gateway.counters
  const { packets, bytes, oldestMs } = gateway.waiting()
  told.set('wayside_packets_stored_total', telemetry.packetsStored)
  told.set('wayside_reports_stored_total', telemetry.reportsStored)
  told.set('wayside_values_stored_total', telemetry.valuesStored)
  for (const [reason, count] of Object.entries(telemetry.rejected)) {
    told.set('wayside_reports_rejected_total', count, { reason })
  }
  told.histogram('wayside_report_lag_seconds', telemetry.lag)
  told.histogram('wayside_batch_duration_seconds', telemetry.batch)
  told.set('wayside_batches_stored_total', telemetry.batchesStored)
  told.set('wayside_batches_failed_total', telemetry.batchesFailed)
  told.set('wayside_largest_batch_reports', telemetry.largestBatch)
  told.set('wayside_queue_packets', packets)
  told.set('wayside_queue_bytes', bytes)
  told.set('wayside_queue_age_seconds', seconds(oldestMs))
}

function tellPool(told: Exposition, pool: string, some: readonly MeasuredPool[]): void {
  const sum = (count: (one: MeasuredPool) => number) => some.reduce((all, one) => all + count(one), 0)
  const idle = sum(({ idleCount }) => idleCount)
  told.set('wayside_pool_connections', idle, { pool, state: 'idle' })
  told.set('wayside_pool_connections', sum(({ totalCount }) => totalCount) - idle, { pool, state: 'busy' })
  told.set(
    'wayside_pool_connections_limit',
    sum(({ options }) => options.max ?? 0),
    { pool },
  )
  told.set(
    'wayside_pool_waiting',
    sum(({ waitingCount }) => waitingCount),
    { pool },
  )
}

function tellJobs(told: Exposition, jobs: JobRunner | undefined): void {
  if (!jobs) return
  told.set('wayside_leader', jobs.isLeading() ? 1 : 0)
  told.set('wayside_leader_unseen_seconds', seconds(performance.now() - jobs.leaderSeenAtMs()))
  const moment = (at: Date | undefined) => at && seconds(at.getTime())
  for (const [job, { done, failed, tookMs, lastAt, lastDoneAt }] of jobs.runs) {
    if (lastAt === undefined) continue
    told.set('wayside_job_runs_total', done, { job, end: 'done' })
    told.set('wayside_job_runs_total', failed, { job, end: 'failed' })
    told.summary('wayside_job_duration_seconds', { sum: seconds(tookMs), count: done + failed }, { job })
    told.set('wayside_job_last_run_timestamp_seconds', moment(lastAt), { job })
    told.set('wayside_job_last_success_timestamp_seconds', moment(lastDoneAt), { job })
  }
}
