/** A random number that depends on nothing but a seed, a word and a number, so that the past is always the same. */
function hash(seed: number, word: string, index: number): number {
  let mixed = seed ^ 0x9e3779b9
  for (let position = 0; position < word.length; position++) {
    mixed = Math.imul(mixed ^ word.charCodeAt(position), 0x01000193)
  }
  mixed ^= Math.imul(index | 0, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Returns at least 0 and less than 1, evenly distributed. */
export function chance(seed: number, word: string, index = 0): number {
  return hash(seed, word, index) / 0x1_0000_0000
}

/** Returns a constant property of a device between two numbers. */
export function trait(seed: number, word: string, from: number, to: number): number {
  return from + (to - from) * chance(seed, word)
}

/** Returns -1 to 1, changing smoothly; two moments `periodMs` apart are independent. */
export function wander(seed: number, word: string, atMs: number, periodMs: number): number {
  const position = atMs / periodMs
  const index = Math.floor(position)
  const share = position - index
  const eased = share * share * (3 - 2 * share)
  const before = chance(seed, word, index)
  const after = chance(seed, word, index + 1)
  return 2 * (before + (after - before) * eased) - 1
}

/** Returns -1 to 1, a new value for each whole period. */
export function jitter(seed: number, word: string, atMs: number, periodMs: number): number {
  return 2 * chance(seed, word, Math.floor(atMs / periodMs)) - 1
}

export function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value))
}

export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}
