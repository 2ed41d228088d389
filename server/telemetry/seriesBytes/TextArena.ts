const COMMA = 44
const LEAST_BYTES = 1024

/** ASCII texts one behind the other, in memory that grows: a hundred thousand strings would keep the collector busy. */
export class TextArena {
  /** Only up to what was added; another array after more was. */
  bytes: Uint8Array
  /** Nothing begins at 0, so that 0 can say "nowhere". */
  #length = 1

  constructor(expectedBytes: number) {
    this.bytes = new Uint8Array(Math.max(expectedBytes, LEAST_BYTES))
  }

  /** @param told where each part of a list with commas between stands now, in order */
  addList(text: string, told: (index: number, begin: number, end: number) => void): void {
    this.#makeRoom(text.length)
    const { bytes } = this
    let at = this.#length
    let begin = at
    let index = 0
    for (let character = 0; character < text.length; character++) {
      const code = text.charCodeAt(character)
      bytes[at] = code
      if (code === COMMA) {
        told(index, begin, at)
        index++
        begin = at + 1
      }
      at++
    }
    told(index, begin, at)
    this.#length = at
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more
    if (needed <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    grown.set(this.bytes)
    this.bytes = grown
  }
}
