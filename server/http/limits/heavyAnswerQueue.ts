import type { ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { endedTogether } from '../call/endedTogether.ts'
import { RateLimited } from './rateLimits.ts'
import { turnComes } from './turnComes.ts'

/** Of a process: with one for each core, what is short still finds a core soon, since none of them uses one all the time. */
const MOST_AT_ONCE = Math.max(2, availableParallelism())
/** Fewer than the process has, so that another user's never waits for it. */
const MOST_OF_A_USER = 1
const MOST_WAITING_OF_A_USER = 100
const TURN_WITHIN_MS = 10_000
const LOOK_AGAIN_MS = 250
/** A screen that asks for all of its charts has them by then; a program that asks again and again has not. */
const LONG_AFTER_MS = 2_000
/** A shorter pause is none: between two parts of an answer its reader takes the first. */
const PAUSE_MS = 1_000
/** Whoever reads alone, as an export does, disturbs little. */
const MANY_WAITING = 2

interface Line {
  /** Since when something of the user was always under way or waiting. */
  readonly sinceMs: number
  leaving: NodeJS.Timeout | undefined
  running: number
  isResting: boolean
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

/**
 * What reads much, such as exports and charts of long periods, is done a few at a time, the users by turns, so that neither the
 * database nor this process has no time left for what others ask (docs/decisions/0210).
 */
export class HeavyAnswerQueue {
  readonly #atOnce: number
  readonly #longAfterMs: number
  readonly #lines = new Map<string, Line>()
  #running = 0

  constructor(atOnce = MOST_AT_ONCE, longAfterMs = LONG_AFTER_MS) {
    this.#atOnce = atOnce
    this.#longAfterMs = longAfterMs
  }

  /**
   * Waits for the turn of a user.
   *
   * @returns what ends it
   * @throws RateLimited when too many wait, the turn does not come in time, or who asked has hung up meanwhile
   */
  async take(user: string, response: ServerResponse): Promise<() => void> {
    const line = this.#lineOf(user)
    const { waiting } = line
    if (waiting.size === 0 && this.#isFree(line)) this.#begin(line)
    else if (waiting.size >= MOST_WAITING_OF_A_USER || !(await turnComes(waiting, response, TURN_WITHIN_MS))) {
      this.#forget(user, line)
      throw new RateLimited(1)
    }
    return this.#endOf(user, line)
  }

  /** Each part is made in a turn of its own: while its reader takes it, others have theirs. */
  parts<Part>(user: string, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
    return endedTogether(this.#inTurns(user, parts), parts)
  }

  async *#inTurns<Part>(user: string, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
    try {
      for (;;) {
        const line = this.#lineOf(user)
        if (line.waiting.size === 0 && this.#isFree(line)) this.#begin(line)
        else await new Promise<void>((resolve) => waitIn(line.waiting, resolve))
        const end = this.#endOf(user, line)
        const { value, done } = await parts.next().finally(end)
        if (done) return
        yield value
      }
    } finally {
      await parts.return()
    }
  }

  #isFree({ running, isResting }: Line): boolean {
    return this.#running < this.#atOnce && running < MOST_OF_A_USER && !isResting
  }

  #lineOf(user: string): Line {
    const now = performance.now()
    const known = this.#lines.get(user)
    clearTimeout(known?.leaving)
    const line = known ?? { sinceMs: now, leaving: undefined, running: 0, isResting: false, waiting: new Set() }
    this.#lines.set(user, line)
    return line
  }

  #begin(line: Line): void {
    this.#running++
    line.running++
  }

  #endOf(user: string, line: Line): () => void {
    let isOver = false
    const beganAt = performance.now()
    return () => {
      if (isOver) return
      isOver = true
      this.#running--
      line.running--
      this.#rest(line, performance.now() - beganAt)
      this.#callNext()
      this.#forget(user, line)
    }
  }

  /** Who asks for much and for long leaves others as much time as it takes. */
  #rest(line: Line, workedMs: number): void {
    if (line.waiting.size < MANY_WAITING || performance.now() - line.sinceMs < this.#longAfterMs) return
    line.isResting = true
    setTimeout(() => {
      line.isResting = false
      this.#callNext()
    }, workedMs)
  }

  #forget(user: string, line: Line): void {
    if (line.running > 0 || line.waiting.size > 0) return
    clearTimeout(line.leaving)
    line.leaving = setTimeout(() => this.#lines.delete(user), PAUSE_MS).unref()
  }

  #callNext(): void {
    for (const [user, line] of this.#lines) {
      const [next] = line.waiting
      if (!next || !this.#isFree(line)) continue
      this.#begin(line)
      // Whoever had a turn comes last the next time.
      this.#lines.delete(user)
      this.#lines.set(user, line)
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
 * Waits for one of the places of a user that all processes share.
 *
 * @throws RateLimited when none is free in time, or who asked has hung up meanwhile
 */
export async function untilPlace(take: () => () => void, response: ServerResponse): Promise<() => void> {
  const untilMs = performance.now() + TURN_WITHIN_MS
  for (;;) {
    try {
      return take()
    } catch (error) {
      if (!(error instanceof RateLimited) || response.destroyed || performance.now() > untilMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}
