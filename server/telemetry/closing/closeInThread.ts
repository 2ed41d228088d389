import { Worker } from 'node:worker_threads'
import type { ClosedDay } from '../closed/closeDays.ts'
import { compiledModules } from '../longReads/compiledModules.ts'

const PROGRAM = new URL('./closingWorker.ts', import.meta.url)

export interface GivenToClose {
  /** The address of the database as the owner of its tables. */
  readonly url: string
  /** A UTC day; the days before it are closed. */
  readonly before: string
  /** The share of a core that may be used. */
  readonly share: number
  /** How long the rows of a closed day stay. */
  readonly readersTakeMs?: number | undefined
}

export interface ClosingRun {
  /** Nothing was left. */
  readonly isDone: boolean
  readonly workedMs: number
}

export type ToldOfClosing = { readonly closed: ClosedDay } | ClosingRun

/**
 * Closes days in a thread of its own, which ends with it, because encoding takes long stretches of time.
 */
export async function closeInThread(
  given: GivenToClose,
  { stopped, onClosed }: { stopped: AbortSignal; onClosed: (closed: ClosedDay) => void },
): Promise<ClosingRun> {
  const worker = new Worker(PROGRAM, { env: compiledModules(), workerData: given })
  const stop = () => worker.postMessage('stop')
  stopped.addEventListener('abort', stop)
  if (stopped.aborted) stop()
  let run: ClosingRun = { isDone: false, workedMs: 0 }
  worker.on('message', (told: ToldOfClosing) => {
    if ('closed' in told) onClosed(told.closed)
    else run = told
  })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', () => resolve())
    })
    return run
  } finally {
    stopped.removeEventListener('abort', stop)
  }
}
