import type { ServerResponse } from 'node:http'
import type { Caller } from '../call/caller.ts'
import type { ChangeRecord } from '../call/route.ts'
import { RateLimited } from './rateLimits.ts'
import { turnComes } from './turnComes.ts'

/** Of the connections to the database, one user's bulk action leaves some to the others. */
const MOST_AT_ONCE = 8
/** Five hundred devices with two displays each. */
const MOST_WAITING = 1000
const TURN_WITHIN_MS = 10_000

interface Line {
  running: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

interface Turn<Result> {
  readonly caller: Caller
  readonly change: ChangeRecord
  readonly response: ServerResponse
  /** @param change whose word that it stands ends the turn: who waits for a device keeps nobody waiting */
  readonly run: (change: ChangeRecord) => Promise<Result>
}

/**
 * Changes of one user follow one another, a few at a time. A bulk action asks for hundreds, and those that come while all
 * places are taken wait in line instead of being refused (docs/decisions/0163).
 */
export function createChangeQueue() {
  const lines = new Map<string, Line>()

  /** @returns what ends the turn */
  async function take(user: string, response: ServerResponse): Promise<() => void> {
    const line = lines.get(user) ?? { running: 0, waiting: new Set() }
    lines.set(user, line)
    if (line.running < MOST_AT_ONCE) line.running++
    else if (line.waiting.size >= MOST_WAITING || !(await turnComes(line.waiting, response, TURN_WITHIN_MS)))
      throw new RateLimited(1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const [next] = line.waiting
      if (next) next()
      else if (--line.running === 0) lines.delete(user)
    }
  }

  /** @throws RateLimited when too many wait, the turn does not come in time, or who asked has hung up meanwhile */
  return async <Result>({ caller, change, response, run }: Turn<Result>): Promise<Result> => {
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
