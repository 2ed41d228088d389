import { startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'

// Tests kill this process around the embedded database: `node embeddedStarter.ts <data> <system>`.
const [dataFolder = '', systemFolder] = process.argv.slice(2)

const say = (told: object) => process.stdout.write(`${JSON.stringify(told)}\n`)

try {
  const { ownerUrl, stop } = await startEmbeddedPostgres({
    dataFolder,
    systemFolder,
    settings: { fsync: 'off' },
    log: (sentence) => say({ sentence }),
  })
  say({ ownerUrl })
  process.once('SIGTERM', () => stop().then(() => process.exit(0)))
  setInterval(() => {}, 60_000)
} catch (error) {
  say({ problem: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}
