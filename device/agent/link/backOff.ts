const SHORTEST_MS = 1000
const LONGEST_MS = 60_000

/**
 * Returns the wait before the next connection after `failures` failures in a row: anywhere between one second and a
 * bound that doubles up to a minute, so that a thousand devices do not come back in the same second. `random` is at
 * least 0 and less than 1.
 */
export function backOffMs(failures: number, random: number): number {
  const bound = Math.min(LONGEST_MS, 2 * SHORTEST_MS * 2 ** Math.min(Math.max(0, failures - 1), 10))
  return Math.round(SHORTEST_MS + random * (bound - SHORTEST_MS))
}
