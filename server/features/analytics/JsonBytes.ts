const FIRST_BYTES = 64 * 1024
const MOST_KEPT_BYTES = 16 * 1024 * 1024

/** Taken by one at a time, because memory outside the heap that comes and goes keeps the collector busier than the work. */
let spare: Uint8Array | undefined

/** A long ASCII text that its user writes byte by byte, in memory that grows. */
export class JsonBytes {
  #bytes: Uint8Array
  /** Where the next byte goes; whoever writes moves it on. */
  length = 0

  constructor() {
    this.#bytes = spare ?? new Uint8Array(FIRST_BYTES)
    spare = undefined
  }

  /** @returns memory with room for so many bytes from `length` on */
  room(size: number): Uint8Array {
    const needed = this.length + size
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    return this.#bytes
  }

  /** A copy of what was written; nothing can be written any more. */
  ended(): Buffer {
    const whole = Buffer.from(this.#bytes.subarray(0, this.length))
    if (this.#bytes.length <= MOST_KEPT_BYTES) spare = this.#bytes
    return whole
  }
}
