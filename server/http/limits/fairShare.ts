import type { ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { endedTogether } from '../call/endedTogether.ts'
import { RateLimited } from './rateLimits.ts'
import { waitInQueue } from './waitInQueue.ts'

/** There is one place for each core. No heavy read uses a core all the time, so short calls still find one soon. */
const MOST_AT_ONCE = Math.max(2, availableParallelism())
/** A user has fewer places than the process, so that another user's read never waits for this one's. */
const MOST_OF_A_USER = 1
const MOST_WAITING_OF_A_USER = 100
const PLACE_WITHIN_MS = 10_000
const LOOK_AGAIN_MS = 250
/** A screen has all of its charts within this time; a program that asks again and again exceeds it. */
const LONG_AFTER_MS = 2_000
/** A reader takes one part before the next is made; a shorter pause is no end of the work. */
const PAUSE_MS = 1_000
/** A single read, such as an export, disturbs others little. */
const MANY_WAITING = 2

interface Queue {
  /** The user has had work running or waiting without a break since then. */
  readonly sinceMs: number
  leaving: NodeJS.Timeout | undefined
  running: number
  isResting: boolean
  /** The first entry has waited longest. */
  readonly waiting: Set<() => void>
}

/**
 * Shares a few places fairly between the users of heavy reads, such as exports and charts of long periods. One user's
 * many reads would otherwise take the database and this process away from everybody else (docs/decisions/0210).
 */
export class FairShare {
  readonly #atOnce: number
  readonly #longAfterMs: number
  readonly #queues = new Map<string, Queue>()
  #running = 0

  constructor(atOnce = MOST_AT_ONCE, longAfterMs = LONG_AFTER_MS) {
    this.#atOnce = atOnce
    this.#longAfterMs = longAfterMs
  }

  /**
   * Waits for a place of a user.
   * @returns a function that gives it back
   * @throws RateLimited when too many wait, no place comes in time, or the client has hung up
   */
  async take(user: string, response: ServerResponse): Promise<() => void> {
    const queue = this.#queueOf(user)
    const { waiting } = queue
    if (waiting.size === 0 && this.#isFree(queue)) this.#begin(queue)
    else if (waiting.size >= MOST_WAITING_OF_A_USER || !(await waitInQueue(waiting, response, PLACE_WITHIN_MS))) {
      this.#forget(user, queue)
      throw new RateLimited(1)
    }
    return this.#endOf(user, queue)
  }

  /** Makes each part in a place of its own, so that others use the place while the reader takes the part. */
  parts<Part>(user: string, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
    return endedTogether(this.#inPlaces(user, parts), parts)
  }

  async *#inPlaces<Part>(user: string, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
    try {
      for (;;) {
        const queue = this.#queueOf(user)
        if (queue.waiting.size === 0 && this.#isFree(queue)) this.#begin(queue)
        else await new Promise<void>((resolve) => waitIn(queue.waiting, resolve))
        const end = this.#endOf(user, queue)
        const { value, done } = await parts.next().finally(end)
        if (done) return
        yield value
      }
    } finally {
      await parts.return()
    }
  }

  #isFree({ running, isResting }: Queue): boolean {
    return this.#running < this.#atOnce && running < MOST_OF_A_USER && !isResting
  }

  #queueOf(user: string): Queue {
    const now = performance.now()
    const known = this.#queues.get(user)
    clearTimeout(known?.leaving)
    const queue = known ?? { sinceMs: now, leaving: undefined, running: 0, isResting: false, waiting: new Set() }
    this.#queues.set(user, queue)
    return queue
  }

  #begin(queue: Queue): void {
    this.#running++
    queue.running++
  }

  #endOf(user: string, queue: Queue): () => void {
    let isOver = false
    const beganAt = performance.now()
    return () => {
      if (isOver) return
      isOver = true
      this.#running--
      queue.running--
      this.#rest(queue, performance.now() - beganAt)
      this.#callNext()
      this.#forget(user, queue)
    }
  }

  /**
   * A user who has asked for much and for long pauses as long as the last read took, so that others get as much time.
   */
  #rest(queue: Queue, workedMs: number): void {
    if (queue.waiting.size < MANY_WAITING || performance.now() - queue.sinceMs < this.#longAfterMs) return
    queue.isResting = true
    setTimeout(() => {
      queue.isResting = false
      this.#callNext()
    }, workedMs)
  }

  #forget(user: string, queue: Queue): void {
    if (queue.running > 0 || queue.waiting.size > 0) return
    clearTimeout(queue.leaving)
    queue.leaving = setTimeout(() => this.#queues.delete(user), PAUSE_MS).unref()
  }

  #callNext(): void {
    for (const [user, queue] of this.#queues) {
      const [next] = queue.waiting
      if (!next || !this.#isFree(queue)) continue
      this.#begin(queue)
      // A user who just had a place goes to the end of the order.
      this.#queues.delete(user)
      this.#queues.set(user, queue)
      next()
    }
  }
}

function waitIn(waiting: Set<() => void>, resolve: () => void): void {
  const take = () => {
    waiting.delete(take)
    resolve()
  }
  waiting.add(take)
}

/**
 * Waits for one of the user's places that all processes share.
 * @throws RateLimited when none is free in time, or the client has hung up
 */
export async function untilPlace(take: () => () => void, response: ServerResponse): Promise<() => void> {
  const untilMs = performance.now() + PLACE_WITHIN_MS
  for (;;) {
    try {
      return take()
    } catch (error) {
      if (!(error instanceof RateLimited) || response.destroyed || performance.now() > untilMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}
