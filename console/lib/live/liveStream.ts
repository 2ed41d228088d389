import { openStream } from '#console/lib/call/api.ts'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { readAs } from '#console/lib/call/plainContract.ts'
import type { BodyOf } from '#contract/call/call.ts'
import { LIVE_EVENTS, PING_EVERY_MS, watch } from '#contract/http/live.ts'
import { eventReader } from './serverSentEvents.ts'

export type Watched = BodyOf<typeof watch>
export type LiveEventName = keyof typeof LIVE_EVENTS

/** A stream without even a ping for this long is dead, whatever TCP believes. */
const SILENT_TOO_LONG_MS = 2.5 * PING_EVERY_MS
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** An ended stream that opened again at once would end another page's, and that one this. */
const WAIT_AFTER_END_MS = 10 * 60_000

interface StreamListener {
  readonly onEvent: (name: LiveEventName, data: unknown) => void
  readonly onUp: () => void
  /** `full` means that the server has ended the stream, because there are more streams than places. */
  readonly onDown: (why?: 'full') => void
}

/** The wait has full jitter, because browsers must not reconnect all at once after a restart of the server. */
export function waitBeforeMs(attempt: number, chance: number): number {
  return FIRST_WAIT_MS / 2 + chance * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)
}

/** It keeps one stream for `watched` open until it is closed, and opens it again after every loss. */
export function startLiveStream(watched: Watched, listener: StreamListener): () => void {
  const closed = new AbortController()

  const run = async () => {
    for (let attempt = 0; !closed.signal.aborted; attempt++) {
      let isFull = false
      try {
        await readStream(watched, closed.signal, (name, data) => {
          attempt = 0
          if (name === 'ended') isFull = true
          else if (name === 'ready') listener.onUp()
          else listener.onEvent(name, data)
        })
      } catch (failure) {
        // These refusals are final: the user is signed out, or may not watch anything.
        if (failure instanceof CallFailed && [401, 403].includes(failure.status)) return listener.onDown()
      }
      if (closed.signal.aborted) return
      listener.onDown(isFull ? 'full' : undefined)
      if (isFull) await waitUntil(backToPage, WAIT_AFTER_END_MS + Math.random() * 60_000, closed.signal)
      else await waitUntil(online, waitBeforeMs(attempt, Math.random()), closed.signal)
    }
  }
  void run()
  return () => closed.abort()
}

async function readStream(
  watched: Watched,
  signal: AbortSignal,
  onEvent: (name: LiveEventName, data: unknown) => void,
): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENT_TOO_LONG_MS)
  try {
    const stream = await openStream(watch, { body: watched, signal: AbortSignal.any([signal, silence.signal]) })
    const read = eventReader()
    const decoder = new TextDecoder()
    const reader = stream.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENT_TOO_LONG_MS)
      for (const { name, data } of read(decoder.decode(piece.value, { stream: true }))) hand(name, data, onEvent)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** An event that this console does not know, or cannot read, comes from a newer server and is ignored. */
function hand(name: string, data: string, onEvent: (name: LiveEventName, data: unknown) => void) {
  if (!Object.hasOwn(LIVE_EVENTS, name)) return
  const known = name as LiveEventName
  try {
    const event = readAs(LIVE_EVENTS[known], JSON.parse(data === '' ? '{}' : data))
    if (event) onEvent(known, event)
  } catch {
    // Text that is not JSON is ignored too.
  }
}

type Hear = (act: () => void, signal: AbortSignal) => void

/** The browser reports that there is a network again. */
const online: Hear = (act, signal) => window.addEventListener('online', act, { signal })

/** A user who comes back to this page wants to see it live rather than the page that they left. */
const backToPage: Hear = (act, signal) => {
  window.addEventListener('focus', act, { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && act(), { signal })
}

/** @param hear subscribes to the event that ends the wait early */
function waitUntil(hear: Hear, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const done = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(done, waitMs)
    hear(done, over.signal)
    signal.addEventListener('abort', done, { signal: over.signal })
  })
}
