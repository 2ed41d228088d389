/** A clock that is set back further than this was wrong before; less is a correction of drift. */
const SET_BACK_MS = 5 * 60_000
/** Times of one era end in the same digit, so that times after a set-back never repeat those before. */
const ERAS = 10

export interface UsedTime {
  readonly atMs: number
  /** Counts how often the clock of this device was set back, modulo ten. */
  readonly era: number
}

/**
 * Returns the time of the next report of a component: the clock's, in steps of 10 ms, always later than the one before.
 * Only a clock that was set back by more than five minutes is followed back, because a device that once believed in
 * next year would otherwise never report the present again.
 */
export function nextReportTime(nowMs: number, last: UsedTime | undefined): UsedTime {
  const steps = Math.floor(nowMs / ERAS)
  if (!last) return { atMs: steps * ERAS, era: 0 }
  if (nowMs < last.atMs - SET_BACK_MS) {
    const era = (last.era + 1) % ERAS
    return { atMs: steps * ERAS + era, era }
  }
  return { atMs: Math.max(steps, Math.floor(last.atMs / ERAS) + 1) * ERAS + last.era, era: last.era }
}

/** The next times may be earlier than the used ones, but never equal to one of them. */
export const beginOfNextEra = (last: UsedTime | undefined): UsedTime => ({
  atMs: 0,
  era: last === undefined ? 0 : (last.era + 1) % ERAS,
})
