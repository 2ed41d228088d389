import type { Place } from '../driver.ts'

/** This is longer than any driver's time limit, so whatever still holds the line has been given up. */
const TURN_ENDS_AFTER_MS = 10_000

/** Runs the work on one line in order of arrival; work that fails or hangs does not hold up the others for good. */
export function createLineQueue(): Place['inQueue'] {
  const last = new Map<string, Promise<void>>()
  return (line, work) => {
    const mine = (last.get(line) ?? Promise.resolve()).then(work)
    const ended = endOf(mine)
    last.set(line, ended)
    void ended.then(() => last.get(line) === ended && last.delete(line))
    return mine
  }
}

function endOf(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, TURN_ENDS_AFTER_MS)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(end, end)
  })
}
