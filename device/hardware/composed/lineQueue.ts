import type { Place } from '../driver.ts'

/** Longer than any driver is given for anything: what still holds the line has been given up. */
const TURN_ENDS_AFTER_MS = 10_000

/** Works of one line one after the other, in the order in which they came; one that fails or hangs holds up nobody for good. */
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
