/** The number of messages that a device may send at once after a silence. */
export const BURST_MESSAGES = 4000

export class TokenBucket {
  readonly #perSecond: number
  #tokens = BURST_MESSAGES
  #countedAtMs: number

  /** @param perSecond 0 for no limit */
  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond
    this.#countedAtMs = nowMs
  }

  /** @returns how many messages the device is ahead of its limit */
  take(messages: number, nowMs: number): number {
    if (this.#perSecond === 0) return 0
    const elapsedMs = Math.max(0, nowMs - this.#countedAtMs)
    this.#countedAtMs = nowMs
    this.#tokens = Math.min(BURST_MESSAGES, this.#tokens + (elapsedMs * this.#perSecond) / 1000) - messages
    return Math.max(0, Math.ceil(-this.#tokens))
  }

  debt(nowMs: number): number {
    return this.take(0, nowMs)
  }

  /** Whether the bucket is full, so that forgetting it changes nothing. */
  isFull(nowMs: number): boolean {
    this.take(0, nowMs)
    return this.#tokens >= BURST_MESSAGES
  }
}
