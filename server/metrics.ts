import type { Gateway } from './gateway/gateway.ts'

/** The counters in the text format of Prometheus. */
export function metricsText({ gateway, telemetry }: Gateway['counters'], connectedDevices: number): string {
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
  ]
  return `${lines.join('\n')}\n`
}

/** `valuesStored` → `wayside_values_stored`. */
function metricName(name: string): string {
  return `wayside_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
}
