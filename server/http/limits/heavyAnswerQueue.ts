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

export interface HeavyAnswerQueue {
  /**
   * Waits for the turn of a user.
   *
   * @returns what ends it
   * @throws RateLimited when too many wait, the turn does not come in time, or who asked has hung up meanwhile
   */
  take(user: string, response: ServerResponse): Promise<() => void>
  /** Each part is made in a turn of its own: while its reader takes it, others have theirs. */
  parts<Part>(user: string, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void>
}

/**
 * What reads much, such as exports and charts of long periods, is done a few at a time, the users by turns, so that neither the
 * database nor this process has no time left for what others ask (docs/decisions/0210).
 */
export function createHeavyAnswerQueue(atOnce = MOST_AT_ONCE, longAfterMs = LONG_AFTER_MS): HeavyAnswerQueue {
  const lines = new Map<string, Line>()
  let running = 0

  const isFree = ({ running: own, isResting }: Line) => running < atOnce && own < MOST_OF_A_USER && !isResting

  function lineOf(user: string): Line {
    const now = performance.now()
    const known = lines.get(user)
    clearTimeout(known?.leaving)
    const line = known ?? { sinceMs: now, leaving: undefined, running: 0, isResting: false, waiting: new Set() }
    lines.set(user, line)
    return line
  }

  function begin(line: Line): void {
    running++
    line.running++
  }

  function endOf(user: string, line: Line): () => void {
    let isOver = false
    const beganAt = performance.now()
    return () => {
      if (isOver) return
      isOver = true
      running--
      line.running--
      rest(line, performance.now() - beganAt)
      callNext()
      forget(user, line)
    }
  }

  /** Who asks for much and for long leaves others as much time as it takes. */
  function rest(line: Line, workedMs: number): void {
    if (line.waiting.size < MANY_WAITING || performance.now() - line.sinceMs < longAfterMs) return
    line.isResting = true
    setTimeout(() => {
      line.isResting = false
      callNext()
    }, workedMs)
  }

  function forget(user: string, line: Line): void {
    if (line.running > 0 || line.waiting.size > 0) return
    clearTimeout(line.leaving)
    line.leaving = setTimeout(() => lines.delete(user), PAUSE_MS).unref()
  }

  function callNext(): void {
    for (const [user, line] of lines) {
      const [next] = line.waiting
      if (!next || !isFree(line)) continue
      begin(line)
      // Whoever had a turn comes last the next time.
      lines.delete(user)
      lines.set(user, line)
      next()
    }
  }

  async function* inTurns<Part>(user: string, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
    try {
      for (;;) {
        const line = lineOf(user)
        if (line.waiting.size === 0 && isFree(line)) begin(line)
        else await new Promise<void>((resolve) => waitIn(line.waiting, resolve))
        const end = endOf(user, line)
        const { value, done } = await parts.next().finally(end)
        if (done) return
        yield value
      }
    } finally {
      await parts.return()
    }
  }

  return {
    async take(user, response) {
      const line = lineOf(user)
      if (line.waiting.size === 0 && isFree(line)) begin(line)
      else if (
        line.waiting.size >= MOST_WAITING_OF_A_USER ||
        !(await turnComes(line.waiting, response, TURN_WITHIN_MS))
      ) {
        forget(user, line)
        throw new RateLimited(1)
      }
      return endOf(user, line)
    },
    parts: (user, parts) => endedTogether(inTurns(user, parts), parts),
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
