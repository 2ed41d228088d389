import { MAXIMUM_PAYLOAD_BYTES } from '#contract/mqtt/report.ts'

/** The longest topic that is read. Ours are below 120 bytes. */
const MAXIMUM_TOPIC_BYTES = 1024
const MAXIMUM_HEAD_BYTES = 2 + MAXIMUM_TOPIC_BYTES + 2
const MAXIMUM_PUBLISH_BYTES = MAXIMUM_HEAD_BYTES + MAXIMUM_PAYLOAD_BYTES
/** A CONNECT with a will or a SUBSCRIBE with many filters fits easily. */
const MAXIMUM_CONTROL_BYTES = 16 * 1024
const MAXIMUM_FIXED_HEADER_BYTES = 5

export const PUBLISH = 3

export interface FrameHandler {
  /** Takes one packet. The bytes are valid only during the call. `body` is where the variable header begins. */
  frame(bytes: Buffer, begin: number, body: number, end: number): void
  /** Takes the beginning of a PUBLISH that is too long to be read. The rest is skipped. */
  oversized(head: Buffer, firstByte: number, length: number): void
  /** The connection cannot be understood from here on. */
  malformed(reason: string): void
}

/** Cuts chunks of a socket into MQTT packets. Longer packets than permitted are skipped while they arrive. */
export class FrameReader {
  readonly #handler: FrameHandler
  #partial: Buffer | undefined
  #partialLength = 0
  #skip = 0
  #held: Buffer | undefined
  #isHeld = false
  #isEnded = false

  constructor(handler: FrameHandler) {
    this.#handler = handler
  }

  /** Holds back everything after the current packet until `release`. It must be called from within `frame`. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) this.push(held)
  }

  end(): void {
    this.#isEnded = true
    this.#partial = undefined
    this.#held = undefined
  }

  push(chunk: Buffer): void {
    if (this.#isEnded) return
    if (this.#isHeld) {
      this.#held = this.#held === undefined ? Buffer.from(chunk) : Buffer.concat([this.#held, chunk])
      if (this.#held.length > MAXIMUM_PUBLISH_BYTES) this.#fail('too much before the connection was accepted')
      return
    }
    let at = this.#partial === undefined ? 0 : this.#fillPartial(chunk)
    while (at < chunk.length && !this.#isEnded) {
      if (this.#isHeld) {
        this.push(chunk.subarray(at))
        return
      }
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, chunk.length - at)
        this.#skip -= skipped
        at += skipped
        continue
      }
      const next = this.#take(chunk, at, chunk.length)
      if (next === undefined) {
        this.#keep(chunk.subarray(at))
        return
      }
      at = next
    }
  }

  /** @returns where the next packet begins, or undefined when more bytes are needed */
  #take(bytes: Buffer, begin: number, end: number): number | undefined {
    let length = 0
    let body = begin + 1
    for (let shift = 0; ; shift += 7, body++) {
      if (body >= end) return undefined
      const byte = bytes[body] ?? 0
      length += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
      if (shift === 21) {
        this.#fail('no packet length')
        return end
      }
    }
    body++
    const firstByte = bytes[begin] ?? 0
    const isPublish = firstByte >> 4 === PUBLISH
    if (length <= (isPublish ? MAXIMUM_PUBLISH_BYTES : MAXIMUM_CONTROL_BYTES)) {
      if (body + length > end) return undefined
      this.#handler.frame(bytes, begin, body, body + length)
      return body + length
    }
    if (!isPublish) {
      this.#fail('a packet that is too long')
      return end
    }
    if (body + MAXIMUM_HEAD_BYTES > end) return undefined
    this.#handler.oversized(bytes.subarray(body, body + MAXIMUM_HEAD_BYTES), firstByte, length)
    this.#skip = length - MAXIMUM_HEAD_BYTES
    return body + MAXIMUM_HEAD_BYTES
  }

  #keep(rest: Buffer): void {
    this.#partial = Buffer.allocUnsafeSlow(Math.max(neededBytes(rest), rest.length))
    rest.copy(this.#partial)
    this.#partialLength = rest.length
  }

  /** @returns how much of the chunk belonged to the packet that had begun before it */
  #fillPartial(chunk: Buffer): number {
    let at = 0
    while (this.#partial !== undefined && at < chunk.length) {
      const copied = chunk.copy(this.#partial, this.#partialLength, at)
      at += copied
      this.#partialLength += copied
      const partial = this.#partial
      if (this.#partialLength < partial.length) return at
      this.#partial = undefined
      // If only its length was missing, it now gets as much memory as the packet needs, and never more.
      if (this.#take(partial, 0, partial.length) === undefined) this.#keep(partial)
    }
    return at
  }

  #fail(reason: string): void {
    this.end()
    this.#handler.malformed(reason)
  }
}

/** Returns how many bytes of a packet must be there before it can be taken. */
function neededBytes(bytes: Buffer): number {
  let length = 0
  for (let index = 1; index < MAXIMUM_FIXED_HEADER_BYTES; index++) {
    // The length is read one byte at a time, so that nothing of the next packet is included.
    if (index >= bytes.length) return bytes.length + 1
    const byte = bytes[index] ?? 0
    length += (byte & 0x7f) * 2 ** (7 * (index - 1))
    if (byte < 0x80) {
      const isPublish = (bytes[0] ?? 0) >> 4 === PUBLISH
      const limit = isPublish ? MAXIMUM_PUBLISH_BYTES : MAXIMUM_CONTROL_BYTES
      return index + 1 + (length <= limit ? length : MAXIMUM_HEAD_BYTES)
    }
  }
  return bytes.length
}
