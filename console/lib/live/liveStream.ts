import { openStream } from '#console/lib/call/api.ts'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { readAs } from '#console/lib/call/plainContract.ts'
import type { BodyOf } from '#contract/call/call.ts'
import { LIVE_EVENTS, PING_EVERY_MS, watch } from '#contract/http/live.ts'
import { eventReader } from './serverSentEvents.ts'

export type Watched = BodyOf<typeof watch>
export type LiveEventName = keyof typeof LIVE_EVENTS

/** A line without even a ping for this long is dead, whatever TCP believes. */
const SILENT_TOO_LONG_MS = 2.5 * PING_EVERY_MS
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

interface StreamListener {
  readonly onEvent: (name: LiveEventName, data: unknown) => void
  readonly onUp: () => void
  readonly onDown: () => void
}

/** Full jitter: after a restart of the server its browsers must not come back all at once. */
export function waitBeforeMs(attempt: number, chance: number): number {
  return FIRST_WAIT_MS / 2 + chance * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)
}

/** Keeps one stream for `watched` open until it is closed; opens it again after every loss. */
export function startLiveStream(watched: Watched, listener: StreamListener): () => void {
  const closed = new AbortController()

  const run = async () => {
    for (let attempt = 0; !closed.signal.aborted; attempt++) {
      try {
        await readStream(watched, closed.signal, (name, data) => {
          attempt = 0
          if (name === 'ready') listener.onUp()
          else listener.onEvent(name, data)
        })
      } catch (failure) {
        // Refused for good: signed out, or not allowed to watch anything.
        if (failure instanceof CallFailed && [401, 403].includes(failure.status)) return listener.onDown()
      }
      if (closed.signal.aborted) return
      listener.onDown()
      await waitOrOnline(waitBeforeMs(attempt, Math.random()), closed.signal)
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

/** An event that this console does not know, or cannot read, is one of a newer server: it is left alone. */
function hand(name: string, data: string, onEvent: (name: LiveEventName, data: unknown) => void) {
  if (!Object.hasOwn(LIVE_EVENTS, name)) return
  const known = name as LiveEventName
  try {
    const event = readAs(LIVE_EVENTS[known], JSON.parse(data === '' ? '{}' : data))
    if (event) onEvent(known, event)
  } catch {
    // Not JSON.
  }
}

/** Ends early when the browser says that there is a network again. */
function waitOrOnline(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, waitMs)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}
