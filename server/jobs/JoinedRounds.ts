import { setTimeout as sleep } from 'node:timers/promises'
import type { RunEnd } from './JobRunner.ts'

export const RETRY_MS = 1_000
export const SOON = { againInMs: RETRY_MS }
/** A job waits this long for a round; what is slow goes on beside it. */
const JOB_WAITS_MS = 200

/** Runs rounds of work one after the other; a run while one is under way joins it. */
export class JoinedRounds {
  readonly #work: () => Promise<RunEnd>
  #round: Promise<RunEnd> | undefined

  constructor(work: () => Promise<RunEnd>) {
    this.#work = work
  }

  async run(): Promise<RunEnd> {
    // A round that is under way may have looked before the notice that woke us, so another one follows.
    const isJoined = this.#round !== undefined
    this.#round ??= this.#work().finally(() => {
      this.#round = undefined
    })
    const end = await Promise.race([this.#round, sleep(JOB_WAITS_MS, SOON, { ref: false })])
    return isJoined ? SOON : end
  }

  /** Waits for the round that is under way. */
  async ended(): Promise<void> {
    await this.#round
  }
}
