import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../device/simulator/main.ts', import.meta.url))
const START_AGAIN_AFTER_MS = 3_000

/** An installed server has no simulator: the packages of devices would come with it (tools/pack/payload.ts). */
export const hasSimulator = () => existsSync(PROGRAM)

/** Runs the simulated fleet beside the server. It is started again when it dies, and ends with the server. */
export function startSimulator(
  fleetFile: string,
  dataFolder: string,
  say: (line: string) => void,
): { readonly stop: () => Promise<void> } {
  let child: ChildProcess | undefined
  let again: NodeJS.Timeout | undefined
  let isStopping = false

  const start = () => {
    // Its standard input closes when the server is gone, however that happened.
    child = spawn(process.execPath, [PROGRAM, '--fleet', fleetFile, '--data', dataFolder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => say(`Demo fleet: ${line}`))
    child.once('exit', (code) => {
      if (isStopping) return
      say(`Demo fleet: ended with ${code ?? 'a signal'} and is started again.`)
      again = setTimeout(start, START_AGAIN_AFTER_MS)
    })
  }
  start()

  return {
    async stop() {
      isStopping = true
      clearTimeout(again)
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
