import type { ServerResponse } from 'node:http'

/** What is shorter may lie beside other things in memory that is not its own. */
const OWN_BYTES = 64 * 1024

type Write = (chunk: unknown, encoding?: unknown, sent?: unknown) => boolean

/**
 * Gives the memory of what is sent back as soon as it is sent. What another thread made lies outside of the heap; left to
 * the collector, every 64 MB of it let V8 look at all that is in the heap, which took more processor than to send it.
 *
 * @param response of which nobody looks at a chunk again that was written
 */
export function freeOnceSent(response: ServerResponse): void {
  const write = response.write as Write
  response.write = ((chunk, encoding, sent) => {
    const coding = typeof encoding === 'string' ? encoding : undefined
    const told = typeof encoding === 'function' ? encoding : sent
    return write.call(response, chunk, coding, (fault?: Error | null) => {
      if (isOnItsOwn(chunk)) chunk.buffer.transfer(0)
      if (typeof told === 'function') told(fault)
    })
  }) satisfies Write as ServerResponse['write']
}

const isOnItsOwn = (chunk: unknown): chunk is Uint8Array<ArrayBuffer> =>
  chunk instanceof Uint8Array &&
  chunk.buffer instanceof ArrayBuffer &&
  chunk.byteLength >= OWN_BYTES &&
  chunk.byteLength === chunk.buffer.byteLength
