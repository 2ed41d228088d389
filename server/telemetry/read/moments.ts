import { DAY_MS } from '#domain/units/time.ts'

const FIRST_WINDOW_MS = DAY_MS / 4

/**
 * Cuts a period from its end backwards into windows that begin at UTC midnights, each twice as long as the one before.
 * A row in the newest day is found without reading the others, and a lone row after years in a dozen steps.
 */
export function* wideningWindows(from: Date, to: Date): Generator<{ from: Date; to: Date }> {
  let endMs = to.getTime()
  for (let lengthMs = FIRST_WINDOW_MS; endMs > from.getTime(); lengthMs = Math.max(DAY_MS, lengthMs * 2)) {
    const beginMs = Math.max(from.getTime(), Math.floor((endMs - lengthMs) / DAY_MS) * DAY_MS)
    yield { from: new Date(beginMs), to: new Date(endMs) }
    endMs = beginMs
  }
}

/** Yields the UTC days of a period, newest first and cut to it, so that each lies in one partition. */
export function* dayWindows(from: Date, to: Date): Generator<{ from: Date; to: Date }> {
  let endMs = to.getTime()
  while (endMs > from.getTime()) {
    const beginMs = Math.max(from.getTime(), Math.floor((endMs - 1) / DAY_MS) * DAY_MS)
    yield { from: new Date(beginMs), to: new Date(endMs) }
    endMs = beginMs
  }
}
