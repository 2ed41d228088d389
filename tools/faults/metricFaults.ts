import type { Fault } from './fault.ts'

const METRICS = 'server/monitoring/metrics.test.ts'

export const METRIC_FAULTS: readonly Fault[] = [
  {
    name: 'Nothing waits, says the queue of metrics, while a batch is being stored',
    file: 'server/telemetry/write/IngestShard.ts',
    replace: '      this.#taken = taken\n',
    by: '',
    foundBy: [METRICS],
  },
  {
    name: 'Metrics of the whole system are told by every process, so that sums count them twice',
    file: 'server/monitoring/metrics.ts',
    replace: 'isLeading() ? inTime(figures()) : undefined',
    by: 'inTime(figures())',
    foundBy: [METRICS],
  },
  {
    name: 'Metrics of devices, with their customers, go to whoever asks',
    file: 'server/http/pages/operations.ts',
    replace: 'if (metricsToken !== undefined && !holdsToken(request, metricsToken)) {',
    by: "if (metricsToken !== undefined && path === '/metrics' && !holdsToken(request, metricsToken)) {",
    foundBy: [METRICS],
  },
  {
    name: 'Metrics call it a slow call when somebody looks at a live stream',
    file: 'server/http/perform/httpMeasures.ts',
    replace: '    this.#streams.add(response)\n',
    by: '',
    foundBy: [METRICS],
  },
  {
    name: 'Metrics hang with the database',
    file: 'server/monitoring/metrics.ts',
    replace: 'isLeading() ? inTime(figures()) : undefined',
    by: 'isLeading() ? figures() : undefined',
    foundBy: [{ file: METRICS, title: 'while the database keeps the answer back, all that needs none is told' }],
  },
]
