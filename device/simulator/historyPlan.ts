import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'

/** A shorter break needs no filling, because the offline rule would not notice it. */
const SHORTEST_GAP_MS = 2 * MINUTE_MS
const FINE_STEP_MS = MINUTE_MS
const COARSE_STEP_MS = 10 * MINUTE_MS
/** One array of the largest component stays below 48 KB. */
const STEPS_PER_CHUNK = 50

/** A period of the past that was never reported, ends excluded. */
export interface Gap {
  readonly fromMs: number
  readonly toMs: number
}

export interface Chunk {
  /** Oldest first; empty if another pass sends all of them. */
  readonly times: readonly number[]
  /** Everything of the gap before this is still to be done. */
  readonly doneDownToMs: number
}

/**
 * Returns what is missing: everything since the last report, or the whole history of a device that never reported.
 * After a long stop of the simulator its devices have gone on recording, as real ones do.
 */
export function gapBefore(nowMs: number, lastReportMs: number | undefined, historyDays: number): Gap | undefined {
  const fromMs = Math.max(nowMs - historyDays * DAY_MS, lastReportMs ?? 0)
  return nowMs - fromMs > SHORTEST_GAP_MS ? { fromMs, toMs: nowMs } : undefined
}

/** Returns the part of a gap within the day before `anchorMs`, which people look at first. */
export function dayGapOf({ fromMs, toMs }: Gap, anchorMs: number): Gap | undefined {
  const dayFromMs = Math.max(fromMs, anchorMs - DAY_MS)
  return dayFromMs < toMs ? { fromMs: dayFromMs, toMs } : undefined
}

/** Returns the newest piece of that day, every ten minutes; undefined when nothing is left. */
export const newestDayChunk = (gap: Gap): Chunk | undefined => newestSteps(gap, COARSE_STEP_MS, STEPS_PER_CHUNK)

/**
 * Returns the newest piece of a gap, or undefined when nothing is left: within the day before `anchorMs` the minutes
 * between those ten, before it every ten minutes.
 */
export function newestChunk(gap: Gap, anchorMs: number): Chunk | undefined {
  const dayGap = dayGapOf(gap, anchorMs)
  if (dayGap === undefined) return newestSteps(gap, COARSE_STEP_MS, STEPS_PER_CHUNK)
  const minutes = newestSteps(dayGap, FINE_STEP_MS, STEPS_PER_CHUNK)
  if (minutes) return { ...minutes, times: minutes.times.filter((atMs) => atMs % COARSE_STEP_MS !== 0) }
  // The minutes are done, so the ten-minute steps before them follow.
  return dayGap.fromMs > gap.fromMs ? newestChunk({ ...gap, toMs: dayGap.fromMs }, anchorMs) : undefined
}

function newestSteps({ fromMs, toMs }: Gap, stepMs: number, most: number): Chunk | undefined {
  const newest = Math.ceil(toMs / stepMs) * stepMs - stepMs
  const times: number[] = []
  for (let atMs = newest; atMs > fromMs && times.length < most; atMs -= stepMs) times.unshift(atMs)
  const [oldest] = times
  return oldest === undefined ? undefined : { times, doneDownToMs: oldest }
}

/** Counts the reports of one component that are still to come, for the progress. */
export function stepsLeft(gap: Gap, anchorMs: number): number {
  const fineFromMs = Math.max(gap.fromMs, anchorMs - DAY_MS)
  const fine = Math.max(0, gap.toMs - fineFromMs) / FINE_STEP_MS
  const coarse = Math.max(0, Math.min(gap.toMs, fineFromMs) - gap.fromMs) / COARSE_STEP_MS
  return fine + coarse
}

/** A backlight of this age is still valid: two minutes, until a device counts as silent. */
const LIGHT_STEP_MS = 2 * MINUTE_MS
const LIGHT_DAYS = 14
/** The reports are small, so an array of them stays below 48 KB. */
const LIGHT_STEPS_PER_CHUNK = 200

/** Returns the part of a gap that is sent densely enough to count dark minutes, before anything is sent in full. */
export function lightGapOf({ fromMs, toMs }: Gap): Gap | undefined {
  const light = { fromMs: Math.max(fromMs, toMs - LIGHT_DAYS * DAY_MS), toMs }
  // A short gap is sent within moments anyway, so it needs no pass of its own.
  return toMs - fromMs > DAY_MS ? light : undefined
}

/** Returns the newest piece of such a period, every two minutes; undefined when nothing is left. */
export const newestLightChunk = (gap: Gap): Chunk | undefined => newestSteps(gap, LIGHT_STEP_MS, LIGHT_STEPS_PER_CHUNK)
