import type { Caller } from '#server/http/call/caller.ts'

/** Some megabytes; whoever comes back after so many others waits one round trip longer. */
const MOST_KEPT = 10_000

/** Whom each session belonged to when it was last asked for. Never who it is: rights may be gone since. */
export class LikelyCallers {
  readonly #bySession = new Map<string, Caller>()

  remember(caller: Caller): Caller {
    const { sessionHash } = caller
    this.#bySession.delete(sessionHash)
    this.#bySession.set(sessionHash, caller)
    const oldest = this.#bySession.size > MOST_KEPT ? this.#bySession.keys().next().value : undefined
    if (oldest !== undefined) this.#bySession.delete(oldest)
    return caller
  }

  forget(sessionHash: string): undefined {
    this.#bySession.delete(sessionHash)
  }

  /** @param address from where they ask now */
  find(sessionHash: string, address: string): Caller | undefined {
    const caller = this.#bySession.get(sessionHash)
    return caller && { ...caller, address }
  }
}
