const FIRST_BYTES = 64 * 1024

/** A long ASCII text that its user writes byte by byte, in memory that grows, and takes part by part. */
export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** Where the next byte goes; whoever writes moves it on. */
  length = 0

  /** @returns memory with room for so many bytes from `length` on */
  room(size: number): Uint8Array {
    const needed = this.length + size
    if (needed > this.#bytes.length) this.#bytes = this.#grown(Math.max(needed, this.#bytes.length * 2))
    return this.#bytes
  }

  /** What was written since; the next part is expected to be as long. */
  take(): Uint8Array {
    const part = this.#bytes.subarray(0, this.length)
    this.#bytes = Buffer.allocUnsafeSlow(this.#bytes.length)
    this.length = 0
    return part
  }

  #grown(size: number): Buffer<ArrayBuffer> {
    const grown = Buffer.allocUnsafeSlow(size)
    grown.set(this.#bytes.subarray(0, this.length))
    return grown
  }
}
