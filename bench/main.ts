import { ingestBenchmark } from './ingest/ingest.ts'

const USAGE = `npm run bench -- ingest [--reports 200000] [--connections 100] [--in-flight 10]
  Uses DATABASE_OWNER_URL or DATABASE_URL where they are set (as the owner of an empty database), else an embedded PostgreSQL of its own.`

const [name, ...options] = process.argv.slice(2)

function numberOf(option: string, absent: number): number {
  const index = options.indexOf(`--${option}`)
  const value = index < 0 ? absent : Number(options[index + 1])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} needs a whole number above 0.\n${USAGE}`)
  return value
}

if (name !== 'ingest') {
  console.error(USAGE)
  process.exitCode = 1
} else {
  await ingestBenchmark({
    reports: numberOf('reports', 200_000),
    connections: numberOf('connections', 100),
    inFlight: numberOf('in-flight', 10),
  })
}
