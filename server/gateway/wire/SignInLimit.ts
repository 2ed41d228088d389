import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { ShareUses, TellUses } from '#server/http/limits/SharedCounts.store.ts'

/** A client may try this many wrong keys at once, and then this many a second, because a router may hide a fleet. */
const WRONG_AT_ONCE = 300
const WRONG_PER_SECOND = 10
const MOST_REMEMBERED = 20_000
/** The other processes are notified after this many wrong keys. */
const WRONG_TOLD = 10

interface Bucket {
  left: number
  countedAtMs: number
  judging: number
  /** Wrong keys that the other processes were not notified of yet. */
  untold: number
  readonly waiting: (() => void)[]
}

/**
 * Keeps strangers who try keys from overloading the database. A device that has signed in from an address before may
 * always try, whatever strangers behind the same address do.
 */
export class SignInLimit {
  readonly #buckets = new Map<string, Bucket>()
  readonly #known = new Map<string, true>()
  readonly #tell: TellUses

  /** @param share counts with the other processes, so that they limit together */
  constructor(share?: ShareUses) {
    this.#tell = share?.((limitKey, wrong) => this.#wrongElsewhere(limitKey, wrong)) ?? (() => undefined)
  }

  /** Counts the attempt as wrong before it is judged, so that many at once do not all pass. */
  take(address: string, guid: string | undefined, nowMs = performance.now()): boolean {
    const bucket = this.#bucketOf(limitKeyOf(address), nowMs)
    if (!this.#known.has(nameOf(address, guid))) {
      if (bucket.left < 1) return false
      bucket.left--
    }
    bucket.judging++
    return true
  }

  /**
   * Waits for an attempt from the same address to be judged. The key may be right, so the caller then tries again.
   *
   * @returns undefined when none is being judged, because too many keys were wrong
   */
  nextJudged(address: string, nowMs = performance.now()): Promise<void> | undefined {
    const { judging, waiting } = this.#bucketOf(limitKeyOf(address), nowMs)
    return judging > 0 ? new Promise((resolve) => waiting.push(resolve)) : undefined
  }

  /** Notes that the key was right. */
  forgive(address: string, guid: string, nowMs = performance.now()): void {
    const name = nameOf(address, guid)
    const isKnown = this.#known.delete(name)
    this.#known.set(name, true)
    forgetOldest(this.#known)
    this.#judged(address, isKnown ? 0 : 1, nowMs)
  }

  /** Notes that the key could not be judged. */
  giveBack(address: string, nowMs = performance.now()): void {
    this.#judged(address, 1, nowMs)
  }

  /** Notes that the key was wrong. */
  keep(address: string, nowMs = performance.now()): void {
    const limitKey = limitKeyOf(address)
    const bucket = this.#bucketOf(limitKey, nowMs)
    bucket.untold++
    if (bucket.untold >= WRONG_TOLD) {
      this.#tell(limitKey, bucket.untold)
      bucket.untold = 0
    }
    this.#judged(address, 0, nowMs)
  }

  /** Counts wrong keys of other processes. No attempt is judged by this, so no waiting one is woken. */
  #wrongElsewhere(limitKey: string, wrong: number): void {
    const bucket = this.#bucketOf(limitKey, performance.now())
    bucket.left = Math.max(0, bucket.left - wrong)
  }

  #judged(address: string, givenBack: number, nowMs: number): void {
    const bucket = this.#bucketOf(limitKeyOf(address), nowMs)
    bucket.left += givenBack
    bucket.judging = Math.max(0, bucket.judging - 1)
    // When no attempt is being judged any more, all that wait are woken to try or be refused.
    for (const wake of bucket.waiting.splice(0, bucket.judging > 0 ? givenBack : bucket.waiting.length)) wake()
  }

  #bucketOf(limitKey: string, nowMs: number): Bucket {
    const found = this.#buckets.get(limitKey) ?? {
      left: WRONG_AT_ONCE,
      countedAtMs: nowMs,
      judging: 0,
      untold: 0,
      waiting: [],
    }
    found.left = Math.min(WRONG_AT_ONCE, found.left + ((nowMs - found.countedAtMs) / 1000) * WRONG_PER_SECOND)
    found.countedAtMs = nowMs
    this.#buckets.delete(limitKey)
    this.#buckets.set(limitKey, found)
    const forgotten = forgetOldest(this.#buckets)
    for (const wake of forgotten?.waiting ?? []) wake()
    return found
  }
}

const nameOf = (address: string, guid = '') => `${limitKeyOf(address)} ${guid.toLowerCase()}`

/** @returns what was forgotten */
function forgetOldest<Value>(remembered: Map<string, Value>): Value | undefined {
  const [oldest] = remembered.size > MOST_REMEMBERED ? remembered : []
  if (oldest !== undefined) remembered.delete(oldest[0])
  return oldest?.[1]
}
