export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary'

/**
 * The source of a metric. `process`: every process exports what it did itself, so that all may be added. `system`: only
 * the leader exports it, so that adding counts nothing twice. `device`: any process exports it, at a separate address.
 */
export type MetricSource = 'process' | 'system' | 'device'

export interface Metric {
  readonly type: MetricType
  readonly by: MetricSource
  readonly labels?: readonly string[]
  /** One sentence; the guide says the same. */
  readonly help: string
}

const ofProcess = (type: MetricType, help: string, ...labels: string[]): Metric => ({
  type,
  by: 'process',
  help,
  labels,
})
const ofSystem = (help: string, ...labels: string[]): Metric => ({ type: 'gauge', by: 'system', help, labels })
const ofDevice = (help: string, ...labels: string[]): Metric => ({ type: 'gauge', by: 'device', help, labels })

/**
 * Every metric there is. A test checks that docs/guide/run/metrics.md describes each. Names follow Prometheus: base units,
 * the unit at the end, `_total` for what only rises.
 */
export const METRICS = {
  wayside_build_info: ofProcess(
    'gauge',
    'Always 1; the labels name the version of Wayside and of Node.js.',
    'version',
    'node',
  ),
  process_start_time_seconds: ofProcess('gauge', 'When the process began, in seconds since 1970.'),
  process_cpu_seconds_total: ofProcess('counter', 'Processor time that the process has used.'),
  process_resident_memory_bytes: ofProcess('gauge', 'Memory of the process, as the system counts it.'),
  nodejs_heap_size_used_bytes: ofProcess('gauge', 'Of which objects of the program.'),
  wayside_event_loop_active_seconds_total: ofProcess(
    'counter',
    'Time in which the process did something itself; one a second is all it can do.',
  ),
  wayside_event_loop_idle_seconds_total: ofProcess('counter', 'Time in which it waited for something to do.'),
  wayside_health_troubles: ofProcess('gauge', 'How many troubles /healthz of this process reports now.'),
  wayside_clock_ahead_seconds: ofProcess(
    'gauge',
    'How far the clock of the database is ahead of the one of this machine.',
  ),
  wayside_certificate_expires_timestamp_seconds: ofProcess(
    'gauge',
    'When the certificate of WAYSIDE_TLS_CERT ends, in seconds since 1970.',
  ),
  wayside_disk_free_bytes: ofProcess(
    'gauge',
    'Room that is left on the disk of the data folder, and of the backups.',
    'disk',
  ),
  wayside_disk_size_bytes: ofProcess('gauge', 'Size of these disks.', 'disk'),
  wayside_leader: ofProcess('gauge', 'Whether this process leads: 1 or 0.'),
  wayside_leader_unseen_seconds: ofProcess('gauge', 'How long this process has not known of any that leads.'),

  wayside_connected_devices: ofProcess('gauge', 'Devices that are connected to this process.'),
  wayside_devices_with_two_machines: ofProcess('gauge', 'Devices as which two machines report, of any process.'),
  wayside_mqtt_connections_opened_total: ofProcess('counter', 'Connections of devices that were opened.'),
  wayside_mqtt_connections_closed_total: ofProcess('counter', 'Connections of devices that have ended.'),
  wayside_mqtt_connections_refused_total: ofProcess(
    'counter',
    'Connections with a wrong guid or key, or a will for a foreign topic.',
  ),
  wayside_mqtt_topics_denied_total: ofProcess(
    'counter',
    'Publishes and subscriptions outside the own topics of a device; each ended its connection.',
  ),
  wayside_mqtt_packets_malformed_total: ofProcess(
    'counter',
    'Packets that break the protocol; each ended its connection.',
  ),
  wayside_mqtt_devices_slowed_down_total: ofProcess(
    'counter',
    'Times that a device had to wait because it sent more than it may.',
  ),
  wayside_mqtt_acknowledgement_duration_seconds: ofProcess(
    'histogram',
    'From the arrival of a report to its PUBACK, which is behind its commit.',
  ),

  wayside_packets_stored_total: ofProcess('counter', 'Packets of devices whose content was stored.'),
  wayside_reports_stored_total: ofProcess('counter', 'Reports that were stored.'),
  wayside_values_stored_total: ofProcess('counter', 'Values in them.'),
  wayside_reports_rejected_total: ofProcess('counter', 'Reports that can never be stored, by why.', 'reason'),
  wayside_report_lag_seconds: ofProcess(
    'histogram',
    'From the time of a report by its device to its commit; long where a device reports what it kept.',
  ),
  wayside_batch_duration_seconds: ofProcess(
    'histogram',
    'How long a batch of reports took until it was committed, with all its tries.',
  ),
  wayside_batches_stored_total: ofProcess('counter', 'Batches of reports that were committed.'),
  wayside_batches_failed_total: ofProcess('counter', 'Tries to store a batch that failed; each is tried again.'),
  wayside_largest_batch_reports: ofProcess('gauge', 'Reports in the largest batch since the start.'),
  wayside_queue_packets: ofProcess('gauge', 'Packets that wait for their commit.'),
  wayside_queue_bytes: ofProcess('gauge', 'Room that they take; at 32 MiB nothing more is read from devices.'),
  wayside_queue_age_seconds: ofProcess('gauge', 'How long the oldest of them has waited; 0 when none does.'),

  wayside_pool_connections: ofProcess(
    'gauge',
    'Connections to the database, by what they are for and whether they are in use.',
    'pool',
    'state',
  ),
  wayside_pool_connections_limit: ofProcess('gauge', 'How many there may be.', 'pool'),
  wayside_pool_waiting: ofProcess('gauge', 'Who waits for one of them.', 'pool'),

  wayside_http_requests_total: ofProcess(
    'counter',
    'Answered requests, by call and class of the status; all that is no call is `other`.',
    'call',
    'status',
  ),
  wayside_http_request_duration_seconds: ofProcess(
    'histogram',
    'From the first byte of a request to the last of its answer; without live streams.',
    'call',
  ),
  wayside_live_streams: ofProcess('gauge', 'Live streams of consoles that are open.'),

  wayside_commands_total: ofProcess('counter', 'Commands to devices that have ended here, by how.', 'end'),
  wayside_mails_total: ofProcess('counter', 'Tries to send a mail, by how they ended.', 'end'),

  wayside_job_runs_total: ofProcess('counter', 'Runs of a job in this process, by how they ended.', 'job', 'end'),
  wayside_job_duration_seconds: ofProcess('summary', 'How long they took.', 'job'),
  wayside_job_last_run_timestamp_seconds: ofProcess(
    'gauge',
    'When the newest run of a job ended, in seconds since 1970.',
    'job',
  ),
  wayside_job_last_success_timestamp_seconds: ofProcess('gauge', 'When the newest one that did not fail ended.', 'job'),

  wayside_processes: ofSystem('Server processes that share the database and have reported within their lease.'),
  wayside_devices: ofSystem('Devices, by status and whether they are connected to any process.', 'status', 'state'),
  wayside_devices_with_refused_reports: ofSystem('Devices of which a report was refused within the last hour.'),
  wayside_devices_with_wrong_clock: ofSystem(
    'Devices whose clock was off by more than a minute when they were last heard.',
  ),
  wayside_open_alerts: ofSystem(
    'Alerts that are open, by severity and whether their condition is met now.',
    'severity',
    'state',
  ),
  wayside_open_incidents: ofSystem('Incidents that are not closed.'),
  wayside_commands_waiting: ofSystem('Commands that were accepted or sent and have not ended.'),
  wayside_mails_waiting: ofSystem('Mails that are to go out.'),
  wayside_mails_waiting_seconds: ofSystem('How long the oldest of them that is due has waited; 0 when none is.'),
  wayside_rollup_marks_waiting: ofSystem(
    'Hours of components that are over and not worked out; counted up to 100,000.',
  ),
  wayside_rollup_refreshed_timestamp_seconds: ofSystem(
    'When nothing was left to work out last, in seconds since 1970.',
  ),
  wayside_refolds_waiting: ofSystem('Conditions of devices that are to be judged again by what came late.'),
  wayside_refolds_waiting_seconds: ofSystem('How long the oldest of them has waited; 0 when none does.'),
  wayside_partitions_ahead_seconds: ofSystem(
    'How long every table of readings has partitions, in whole days behind today.',
  ),
  wayside_database_size_bytes: ofSystem('Size of the database on its disk.'),
  wayside_audit_unsealed_seconds: ofSystem(
    'Age of the oldest entry of the audit log that is not sealed yet; 0 when all are.',
  ),
  wayside_audit_seal_block: ofSystem('Number of the newest sealed block of the audit log.'),
  wayside_audit_seal_head: ofSystem('The first 12 hexadecimal digits of its head, as a number.'),
  wayside_backup_copies: ofSystem('Whole backups that lie in the folder.'),
  wayside_backup_copy_age_seconds: ofSystem('Age of the newest whole backup.'),
  wayside_backup_log_age_seconds: ofSystem('How far back the moment lies up to which everything can be restored.'),

  wayside_device_info: ofDevice('Always 1; the labels name the device and its customer.', 'device', 'name', 'customer'),
  wayside_device_online: ofDevice('Whether the device is connected to any process: 1 or 0.', 'device'),
  wayside_device_last_report_timestamp_seconds: ofDevice('Time of its newest report, in seconds since 1970.', 'device'),
  wayside_device_open_alerts: ofDevice('Its alerts that are open.', 'device'),
  wayside_device_refused_reports: ofDevice(
    'Its reports that were refused in a row, the last one within an hour.',
    'device',
  ),
  wayside_device_clock_error_seconds: ofDevice(
    'How far its clock is ahead of the server, when it is off by more than a minute.',
    'device',
  ),
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS
