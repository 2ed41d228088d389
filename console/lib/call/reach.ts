import { useSyncExternalStore } from 'react'
import { Listeners } from '#console/lib/notice/Listeners.ts'

/** One slow answer is no loss, because another may come at once. */
const DOUBTED_AFTER_MS = 1_000

/** `doubted` means that calls fail and none is answered, so somebody should ask whether the server is there. */
export type Reach = 'fine' | 'doubted' | 'lost'

let state: Reach = 'fine'
let lastAnswerAtMs: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Listeners()

function set(next: Reach) {
  clearTimeout(timer)
  timer = undefined
  if (state === next) return
  state = next
  listeners.notify()
}

/** Every call reports its outcome here, so that it is known whether the server answers at all. */
export const reach = {
  answered() {
    lastAnswerAtMs = Date.now()
    set('fine')
  },
  /** No answer came, or only one of a proxy. */
  failed() {
    if (state === 'fine') timer ??= setTimeout(() => set('doubted'), DOUBTED_AFTER_MS)
  },
  /** The call made in doubt had no answer either. */
  lost: () => set('lost'),
  /** The time of the last answer, undefined before the first. */
  lastAnswerAt: () => (lastAnswerAtMs === undefined ? undefined : new Date(lastAnswerAtMs)),
}

export const useReach = (): Reach => useSyncExternalStore(listeners.subscribe, () => state)

/** It is true while the banner says so, and nothing else needs to (rules/messages 3). */
export const useIsServerLost = (): boolean => useReach() === 'lost'
