import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type PastReadings, pastReadings } from '#contract/fleet.ts'
import type { FieldId } from '#domain/ids.ts'

const PROGRAM = fileURLToPath(new URL('../../device/simulator/past.ts', import.meta.url))

export interface PastQuestion {
  readonly fleetFile: string
  readonly from: Date
  /** The end is excluded. */
  readonly to: Date
  readonly everyMinutes: number
  readonly fieldIds: readonly FieldId[]
  readonly signal: AbortSignal
}

/**
 * Yields what the simulated devices would have reported, all lines of a device one after the other. A program of its
 * own computes it, because the simulator's hardware is no part of the server.
 *
 * @throws when that program failed; not when it was aborted
 */
export async function* readPast(question: PastQuestion): AsyncGenerator<PastReadings> {
  const { fleetFile, from, to, everyMinutes, fieldIds, signal } = question
  if (signal.aborted) return
  const child = spawn(
    process.execPath,
    [
      ...[PROGRAM, '--fleet', fleetFile, '--from', from.toISOString(), '--to', to.toISOString()],
      ...['--every-minutes', String(everyMinutes), '--fields', fieldIds.join()],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const stop = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const line of createInterface({ input: child.stdout })) yield pastReadings.parse(JSON.parse(line))
    const [code] = await ended
    if (code !== 0 && !signal.aborted) throw new Error(`The demo's past ended with ${code ?? 'a signal'}.`)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
