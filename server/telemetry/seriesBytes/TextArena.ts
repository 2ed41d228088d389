const COMMA = 44
const LEAST_BYTES = 1024

/** ASCII texts one behind the other, in memory that grows: a hundred thousand strings would keep the collector busy. */
export class TextArena {
  /** Only up to what was added; another array after more was. */
  bytes: Buffer
  /** Nothing begins at 0, so that 0 can say "nowhere". */
  #length = 1

  constructor(expectedBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(Math.max(expectedBytes, LEAST_BYTES))
  }

  /**
   * Notes where each part of a list with commas between stands now; of an empty one, and of one beyond the arrays, nothing.
   *
   * @param first index of the first part, which may lie before the arrays
   */
  addList(text: string, first: number, begins: Int32Array, ends: Int32Array): void {
    this.#makeRoom(text.length)
    const { bytes } = this
    // A copy as a whole, and a look at its bytes: to look at characters takes twice as long.
    const end = this.#length + bytes.write(text, this.#length, 'latin1')
    let begin = this.#length
    let index = first
    for (let at = begin; at <= end; at++) {
      if (at < end && bytes[at] !== COMMA) continue
      if (begin < at && index >= 0 && index < ends.length) {
        begins[index] = begin
        ends[index] = at
      }
      index++
      begin = at + 1
    }
    this.#length = end
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more
    if (needed <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    grown.set(this.bytes)
    this.bytes = grown
  }
}
