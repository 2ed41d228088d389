import { parentPort, workerData } from 'node:worker_threads'
import { openPool } from '#server/db/connect/pool.ts'
import { inCoding, LONG_READS, type LongRead } from './longReads.ts'
import { letYield, yieldToOthers } from './lowPriority.ts'
import type { Given, Request, Told } from './threadMessages.ts'

/** This thread runs long reads at a low priority and sends their parts one by one, as they are asked for. */

const { url, asApplication, connections } = workerData as Given
const pool = openPool(url, { maximumConnections: connections, name: 'long reads', asApplication })
pool.on('connect', letYield)
const reads = new Map<number, AsyncGenerator<Uint8Array, void>>()

const tell = (told: Told, transfer: readonly ArrayBuffer[] = []) => parentPort?.postMessage(told, [...transfer])

async function next(id: number): Promise<void> {
  try {
    const { value, done } = (await reads.get(id)?.next()) ?? { value: undefined, done: true }
    if (done) reads.delete(id)
    if (value === undefined) tell({ id, part: undefined })
    else {
      const bytes = (value.buffer as ArrayBuffer).transfer(value.byteLength)
      tell({ id, part: new Uint8Array(bytes) }, [bytes])
    }
  } catch (error) {
    reads.delete(id)
    const { name, message, stack, code } = error as Error & { readonly code?: string }
    tell({ id, fault: { name, message, stack, code } })
  }
}

function begun({ read, question, coding }: Extract<Request, { read: LongRead }>): AsyncGenerator<Uint8Array, void> {
  const plain = LONG_READS[read](pool, question as never)
  return coding === undefined ? plain : inCoding(plain, coding)
}

parentPort?.on('message', (asked: Request) => {
  if ('read' in asked) reads.set(asked.id, begun(asked))
  else if (asked.step === 'next') void next(asked.id)
  else {
    void reads.get(asked.id)?.return()
    reads.delete(asked.id)
  }
})
yieldToOthers()
