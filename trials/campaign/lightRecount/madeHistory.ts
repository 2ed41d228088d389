import type { LevelReading, Span } from '#domain/darkness/minutes/darkMinutes.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'

export interface MadeHistory {
  /** The reports of each display, oldest first. */
  readonly displays: readonly (readonly LevelReading[])[]
  readonly offTimes: OffTimes
  readonly maintenance: readonly Span[]
  /** Whatever happens, happens at a full minute. */
  readonly isAtMinutes: boolean
}

const LONGEST_STRETCH_SECONDS = 4 * 3600

/** Makes up what a device reported: light, darkness and silence in stretches, and what was planned for it. */
export function madeHistory(chance: (index: number) => number, whole: Span, isAtMinutes: boolean): MadeHistory {
  let rolls = 0
  let state = Math.floor(chance(rolls++) * 2_147_483_646) + 1
  // A roll of the trial takes longer than all that is done with it.
  const random = () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  const step = isAtMinutes ? 60 : 1
  const seconds = (most: number) => step + Math.floor((random() * most) / step) * step
  const quarter = (from: number, quarters: number) => {
    const minutes = (from + Math.floor(random() * quarters) * 15) % 1440
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  }
  const night = () => ({ from: quarter(21 * 60, 12), to: quarter(4 * 60 + 15, 12) })
  const [workdays, weekends] = [night(), night()]
  const hasWeekends = random() < 0.7
  const maintenance: { fromMs: number; toMs: number }[] = []
  for (let at = whole.fromMs; at < whole.toMs; ) {
    const fromMs = at + seconds(7 * 86_400) * 1000
    const toMs = fromMs + seconds(8 * 3600) * 1000
    maintenance.push({ fromMs, toMs })
    at = toMs + step * 1000
  }
  return {
    displays: Array.from({ length: random() < 0.5 ? 1 : 2 }, () => reports(whole, random, seconds, isAtMinutes)),
    offTimes: {
      ...{ wdTimeOffFrom: workdays.from, wdTimeOffTo: workdays.to },
      ...{ wkndTimeOffFrom: hasWeekends ? weekends.from : null, wkndTimeOffTo: hasWeekends ? weekends.to : null },
      ...{ holTimeOffFrom: null, holTimeOffTo: null },
    },
    ...{ maintenance, isAtMinutes },
  }
}

function reports(whole: Span, random: () => number, seconds: (most: number) => number, isAtMinutes: boolean) {
  const readings: LevelReading[] = []
  for (let atMs = whole.fromMs - 3_600_000; atMs < whole.toMs; ) {
    const roll = random()
    const untilMs = atMs + seconds(LONGEST_STRETCH_SECONDS) * 1000
    if (roll < 0.15) atMs = untilMs
    const percent = roll < 0.8 ? 70 : 0
    while (atMs < untilMs) {
      readings.push({ atMs, percent })
      atMs += isAtMinutes ? 60_000 : (20 + Math.floor(random() * 110)) * 1000
    }
  }
  return readings
}
