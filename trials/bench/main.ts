import { alertBenchmark } from './alerts/alerts.ts'
import { chartBenchmark } from './chart/chart.ts'
import { ingestBenchmark } from './ingest/ingest.ts'
import { mapBenchmark } from './map/map.ts'
import { overviewBenchmark } from './overview/overview.ts'
import { queryBenchmark } from './query/query.ts'

const USAGE = `npm run bench -- ingest [--reports 200000] [--connections 100] [--in-flight 10]
npm run bench -- query [--devices 50] [--days 30] [--rollup-days 366] [--export-rows 1000000]
npm run bench -- alerts [--probes 200] [--rules 10000] [--reports-per-second 10000]
npm run bench -- overview [--devices 100000] [--alerts 1000000]
npm run bench -- chart [--points 120000] [--days 365]  (after npm run build)
npm run bench -- map [--devices 100000]  (after npm run build)
  Uses DATABASE_OWNER_URL or DATABASE_URL where they are set (as the owner of an empty database), else an embedded PostgreSQL of its own.`

const [name, ...options] = process.argv.slice(2)

function numberOf(option: string, absent: number): number {
  const index = options.indexOf(`--${option}`)
  const value = index < 0 ? absent : Number(options[index + 1])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} needs a whole number above 0.\n${USAGE}`)
  return value
}

if (name === 'ingest') {
  await ingestBenchmark({
    reports: numberOf('reports', 200_000),
    connections: numberOf('connections', 100),
    inFlight: numberOf('in-flight', 10),
  })
} else if (name === 'query') {
  await queryBenchmark({
    devices: numberOf('devices', 50),
    days: numberOf('days', 30),
    rollupDays: numberOf('rollup-days', 366),
    exportRows: numberOf('export-rows', 1_000_000),
  })
} else if (name === 'alerts') {
  await alertBenchmark({
    probes: numberOf('probes', 200),
    rules: numberOf('rules', 10_000),
    reportsPerSecond: numberOf('reports-per-second', 10_000),
  })
} else if (name === 'overview') {
  await overviewBenchmark({ devices: numberOf('devices', 100_000), alerts: numberOf('alerts', 1_000_000) })
} else if (name === 'chart') {
  await chartBenchmark({ points: numberOf('points', 120_000), days: numberOf('days', 365) })
} else if (name === 'map') {
  await mapBenchmark({ devices: numberOf('devices', 100_000) })
} else {
  console.error(USAGE)
  process.exitCode = 1
}
