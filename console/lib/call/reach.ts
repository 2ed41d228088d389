import { useSyncExternalStore } from 'react'

/** One slow answer is no loss: another may come at once. */
const LOST_AFTER_MS = 1_000

let lastAnswerAtMs: number | undefined
let isLost = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: boolean) {
  clearTimeout(timer)
  timer = undefined
  if (isLost === next) return
  isLost = next
  for (const tell of listeners) tell()
}

/** Whether the server answers at all: every call says so, whatever it is for. */
export const reach = {
  answered() {
    lastAnswerAtMs = Date.now()
    set(false)
  },
  /** No answer came, or one of a proxy that has none. */
  failed() {
    timer ??= setTimeout(() => set(true), LOST_AFTER_MS)
  },
  /** When the last answer came; undefined before the first. */
  lastAnswerAt: () => (lastAnswerAtMs === undefined ? undefined : new Date(lastAnswerAtMs)),
  onChange(tell: () => void): () => void {
    listeners.add(tell)
    return () => listeners.delete(tell)
  },
}

/** True while the banner says so, and nothing else needs to (decisions: Failures). */
export const useIsServerLost = (): boolean => useSyncExternalStore(reach.onChange, () => isLost)
