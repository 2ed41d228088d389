import { useSyncExternalStore } from 'react'

/** One slow answer is no loss: another may come at once. */
const DOUBTED_AFTER_MS = 1_000

/** `doubted`: calls fail and none is answered, so that somebody should ask whether the server is there at all. */
export type Reach = 'fine' | 'doubted' | 'lost'

let state: Reach = 'fine'
let lastAnswerAtMs: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: Reach) {
  clearTimeout(timer)
  timer = undefined
  if (state === next) return
  state = next
  for (const tell of listeners) tell()
}

/** Whether the server answers at all: every call tells what came of it. */
export const reach = {
  answered() {
    lastAnswerAtMs = Date.now()
    set('fine')
  },
  /** No answer came, or one of a proxy that has none. */
  failed() {
    if (state === 'fine') timer ??= setTimeout(() => set('doubted'), DOUBTED_AFTER_MS)
  },
  /** Who asked in doubt had no answer either. */
  lost: () => set('lost'),
  /** When the last answer came; undefined before the first. */
  lastAnswerAt: () => (lastAnswerAtMs === undefined ? undefined : new Date(lastAnswerAtMs)),
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export const useReach = (): Reach => useSyncExternalStore(subscribe, () => state)

/** True while the banner says so, and nothing else needs to (rules/messages 3). */
export const useIsServerLost = (): boolean => useReach() === 'lost'
