const FIRST_BYTES = 256 * 1024
const LEAST_BYTES = 1024
/** Memory that is new costs more than the bytes that are put into it. */
const GROWTH = 4

/** A long ASCII text that its user writes byte by byte, in memory that grows, and takes part by part. */
export class JsonBytes {
  #bytes: Buffer | undefined
  #size = FIRST_BYTES
  /** Where the next byte goes; whoever writes moves it on. */
  length = 0

  /** @returns memory with room for so many bytes from `length` on */
  room(size: number): Uint8Array {
    const needed = this.length + size
    this.#bytes ??= Buffer.allocUnsafeSlow(Math.max(needed, this.#size))
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, this.length, needed)
    return this.#bytes
  }

  /** What was written since; the next part is expected to be as long. */
  take(): Uint8Array {
    const part = this.room(0).subarray(0, this.length)
    this.#bytes = undefined
    this.#size = Math.max(LEAST_BYTES, this.length)
    this.length = 0
    return part
  }
}

function grown(bytes: Buffer, length: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * GROWTH))
  larger.set(bytes.subarray(0, length))
  return larger
}
