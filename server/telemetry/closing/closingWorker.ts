import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { closeDays } from '../closed/closeDays.ts'
import { letYield, yieldToOthers } from '../longReads/lowPriority.ts'
import type { GivenToClose, ToldOfClosing } from './closeInThread.ts'

/** This thread closes days at a low priority, and rests so that it takes only a share of a core. */

const READERS_TAKE_MS = 60_000
const { url, before, share, readersTakeMs = READERS_TAKE_MS } = workerData as GivenToClose
/** A component with very many readings may take long to read, but not as long as this. */
const LONGEST_QUESTION_MS = 600_000

const tell = (told: ToldOfClosing) => parentPort?.postMessage(told)
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())

let workedMs = 0

function rest(ms: number): Promise<unknown> {
  workedMs += ms
  return sleep(ms * (1 / share - 1), undefined, { signal: stopping.signal }).catch(() => undefined)
}

async function close(): Promise<boolean> {
  const owner = new pg.Client({
    connectionString: url,
    application_name: 'wayside closing',
    keepAlive: true,
    query_timeout: LONGEST_QUESTION_MS,
  })
  owner.on('error', () => undefined)
  await owner.connect()
  try {
    letYield(owner)
    return await closeDays(owner, {
      before,
      isOver: () => stopping.signal.aborted,
      rest,
      readersTakeMs,
      onClosed: (closed) => tell({ closed }),
    })
  } finally {
    await owner.end().catch(() => undefined)
  }
}

yieldToOthers()
tell({ isDone: await close(), workedMs })
parentPort?.close()
