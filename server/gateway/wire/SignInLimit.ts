import { limitKeyOf } from '#domain/network/ipAddress.ts'

/** Wrong keys of one client: so many at once, and then so many a second. A router may stand before a whole fleet. */
const WRONG_AT_ONCE = 300
const WRONG_PER_SECOND = 10
const MOST_REMEMBERED = 20_000

interface Bucket {
  left: number
  countedAtMs: number
}

/**
 * Keeps strangers who try keys from keeping the database busy. A device that has signed in from an address before is let
 * try whatever strangers behind the same address do.
 */
export class SignInLimit {
  readonly #buckets = new Map<string, Bucket>()
  readonly #known = new Set<string>()

  /** Counts the attempt as wrong before it is judged, so that many at once do not pass together. */
  take(address: string, guid: string | undefined, nowMs = performance.now()): boolean {
    if (this.#known.has(nameOf(address, guid))) return true
    const bucket = this.#bucketOf(limitKeyOf(address), nowMs)
    if (bucket.left < 1) return false
    bucket.left--
    return true
  }

  /** It was right. */
  forgive(address: string, guid: string, nowMs = performance.now()): void {
    const name = nameOf(address, guid)
    if (!this.#known.has(name)) this.giveBack(address, nowMs)
    this.#known.delete(name)
    this.#known.add(name)
    forgetOldest(this.#known)
  }

  /** Nobody could judge it. */
  giveBack(address: string, nowMs = performance.now()): void {
    this.#bucketOf(limitKeyOf(address), nowMs).left++
  }

  #bucketOf(limitKey: string, nowMs: number): Bucket {
    const found = this.#buckets.get(limitKey) ?? { left: WRONG_AT_ONCE, countedAtMs: nowMs }
    found.left = Math.min(WRONG_AT_ONCE, found.left + ((nowMs - found.countedAtMs) / 1000) * WRONG_PER_SECOND)
    found.countedAtMs = nowMs
    this.#buckets.delete(limitKey)
    this.#buckets.set(limitKey, found)
    forgetOldest(this.#buckets)
    return found
  }
}

const nameOf = (address: string, guid = '') => `${limitKeyOf(address)} ${guid.toLowerCase()}`

function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const oldest = remembered.size > MOST_REMEMBERED ? remembered.keys().next().value : undefined
  if (oldest !== undefined) remembered.delete(oldest)
}
