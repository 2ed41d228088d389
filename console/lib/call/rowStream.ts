import type { Call, QueryOf } from '#contract/call/call.ts'
import { type Input, openStream } from './api.ts'
import { CallFailed } from './CallFailed.ts'
import { messages } from './messages.ts'

/**
 * It yields the rows of a streamed answer in batches as they arrive.
 *
 * @throws CallFailed
 */
export async function* streamRows<C extends Call, Row>(
  call: C,
  query: QueryOf<C>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const input = { query, signal } as unknown as Input<C> & { readonly signal: AbortSignal }
  yield* readJsonRows<Row>(await openStream(call, input))
}

/**
 * It yields the rows of one long JSON array of objects in batches as they arrive, because a million of them must not
 * become one text.
 *
 * @throws CallFailed when the array ends early, so that a part of a list is never taken for the whole
 */
export async function* readJsonRows<Row>(stream: ReadableStream<Uint8Array>): AsyncGenerator<readonly Row[]> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const cutter = createRowCutter()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      const rows = cutter.cut(decoder.decode(value, { stream: !done }))
      if (rows !== '') yield JSON.parse(`[${rows}]`) as Row[]
      if (done) break
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (!cutter.isComplete()) brokenOff()
}

function brokenOff(): never {
  throw new CallFailed('network', 0, messages.networkTrouble)
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** It finds where rows end without parsing them, by counting brackets outside strings. */
function createRowCutter() {
  let rest = ''
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isComplete = false

  /** It returns the text of the rows that are complete, with commas between; the rest waits for more. */
  function cut(text: string): string {
    const all = rest + text
    let start = 0
    let end = 0
    for (let index = rest.length; index < all.length; index++) {
      const code = all.charCodeAt(index)
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) isInString = false
      } else if (code === QUOTE) isInString = true
      else if (OPENING.has(code)) {
        depth++
        if (depth === 1) start = index + 1
      } else if (CLOSING.has(code)) {
        depth--
        if (depth === 1) end = index + 1
        if (depth === 0) isComplete = true
      }
    }
    rest = all.slice(Math.max(start, end))
    // The comma after the last row of the previous batch is dropped.
    return end > start ? all.slice(start, end).replace(/^\s*,/, '') : ''
  }

  return { cut, isComplete: () => isComplete }
}
