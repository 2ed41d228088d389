import type { ServerResponse } from 'node:http'
import type { Caller } from '../call/caller.ts'
import type { ChangeRecord } from '../call/route.ts'
import { RateLimited } from './rateLimits.ts'
import { waitInQueue } from './waitInQueue.ts'

/** One user's bulk action must leave some database connections to the others. */
const MOST_AT_ONCE = 8
/** This is enough for five hundred devices with two displays each. */
const MOST_WAITING = 1000
const PLACE_WITHIN_MS = 10_000

interface Queue {
  running: number
  /** They are in the order in which they came. */
  readonly waiting: Set<() => void>
}

interface QueuedChange<Result> {
  readonly caller: Caller
  readonly change: ChangeRecord
  readonly response: ServerResponse
  /** @param change gives the place back as soon as it stands, so that waiting for a device keeps nobody else waiting */
  readonly run: (change: ChangeRecord) => Promise<Result>
}

/**
 * Runs a few changes of one user at a time. A bulk action asks for hundreds; those beyond the places wait in a queue
 * instead of being refused (docs/decisions/0163).
 */
export function createChangeQueue() {
  const queues = new Map<string, Queue>()

  /** @returns a function that gives the place back */
  async function take(user: string, response: ServerResponse): Promise<() => void> {
    const queue = queues.get(user) ?? { running: 0, waiting: new Set() }
    queues.set(user, queue)
    if (queue.running < MOST_AT_ONCE) queue.running++
    else if (queue.waiting.size >= MOST_WAITING || !(await waitInQueue(queue.waiting, response, PLACE_WITHIN_MS)))
      throw new RateLimited(1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const [next] = queue.waiting
      if (next) next()
      else if (--queue.running === 0) queues.delete(user)
    }
  }

  /** @throws RateLimited when too many wait, no place comes in time, or the client has hung up */
  return async <Result>({ caller, change, response, run }: QueuedChange<Result>): Promise<Result> => {
    const end = await take(String(caller.userId), response)
    const stands = () => {
      change.stands()
      end()
    }
    try {
      return await run({ ...change, stands })
    } finally {
      end()
    }
  }
}
