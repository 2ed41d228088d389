import { useSyncExternalStore } from 'react'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import { onViewersClock } from './viewerZone.ts'

/** Moments are written in the zone that the viewer has chosen, otherwise in the browser's (rules/display 5). */
type Moment = Date | string

/** `2026-11-28` is read as `28.11.26`. */
const shortDate = (date: string) => `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(2, 4)}`
const shortTime = (time: string) => time.slice(0, 5)

export function formatDateTime(at: Moment): string {
  const { date, time } = onViewersClock(at)
  return `${shortDate(date)} ${time}`
}
/** Buckets and periods have no seconds. */
export function formatMinute(at: Moment): string {
  const { date, time } = onViewersClock(at)
  return `${shortDate(date)} ${shortTime(time)}`
}
const HALF_HOUR_MS = 30 * 60_000
/** A clock that is put back shows two moments alike that are this far apart. */
const PUT_BACK_MS = [-2, -1, 1, 2].map((halves) => halves * HALF_HOUR_MS)
/** It adds the offset to a time that the clock shows twice when it is put back: `02:00 +02:00`. */
export function formatBucket(at: Date): string {
  const text = formatMinute(at)
  const isShownTwice = PUT_BACK_MS.some((byMs) => formatMinute(new Date(at.getTime() + byMs)) === text)
  return isShownTwice ? `${text} ${onViewersClock(at).offset}` : text
}
export const formatDate = (at: Moment): string => shortDate(onViewersClock(at).date)
/** It reads `12:04`. */
export const formatTime = (at: Moment): string => shortTime(onViewersClock(at).time)

/** It reads `12:04` today, and includes the date otherwise. */
export function formatClock(at: Moment): string {
  const isToday = formatDate(at) === formatDate(new Date(serverNowMs()))
  return isToday ? formatTime(at) : formatMinute(at)
}

export const formatFileDate = (at: Moment): string => onViewersClock(at).date

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** It reads `Fri 20.11.`; a date has no zone. */
export function dayText(date: string): string {
  const weekday = WEEKDAYS[new Date(`${date}T00:00Z`).getUTCDay()]
  return `${weekday} ${date.slice(8, 10)}.${date.slice(5, 7)}.`
}

const AGE_STEPS = [
  { belowMs: 60 * SECOND_MS, unitMs: SECOND_MS, word: 's' },
  { belowMs: 60 * 60 * SECOND_MS, unitMs: 60 * SECOND_MS, word: 'min' },
  { belowMs: 24 * 60 * 60 * SECOND_MS, unitMs: 60 * 60 * SECOND_MS, word: 'h' },
  { belowMs: 30 * 24 * 60 * 60 * SECOND_MS, unitMs: 24 * 60 * 60 * SECOND_MS, word: 'd' },
]

export function formatAge(at: Moment, now: Date): string {
  const ageMs = now.getTime() - new Date(at).getTime()
  if (Number.isNaN(ageMs)) return ''
  if (ageMs < SECOND_MS) return 'just now'
  const step = AGE_STEPS.find(({ belowMs }) => ageMs < belowMs)
  return step ? `${Math.floor(ageMs / step.unitMs)} ${step.word} ago` : formatDate(at)
}

let nowMs = serverNowMs()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** One timer serves the whole page, because a hundred ages must not be a hundred timers. */
function onTick(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    // The kept moment may be that of an earlier page's last tick.
    nowMs = serverNowMs()
    timer = setInterval(() => {
      nowMs = serverNowMs()
      for (const notify of listeners) notify()
    }, SECOND_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** It derives a value from the time and renders again only when the result changes, so derive texts and flags. */
export function useOnTime<T extends string | number | boolean | undefined>(derive: (now: Date) => T): T {
  return useSyncExternalStore(onTick, () => derive(new Date(timer === undefined ? serverNowMs() : nowMs)))
}

export function useAge(at: Moment | null | undefined): string | undefined {
  return useOnTime((now) => (at ? formatAge(at, now) : undefined))
}
