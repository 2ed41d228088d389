/** The share of all pairs in which the first took longer than the second: 0.5 when they cannot be told apart. */
export function shareSlower(first: readonly number[], second: readonly number[]): number {
  let slower = 0
  for (const one of first) for (const other of second) slower += one > other ? 1 : one === other ? 0.5 : 0
  return slower / (first.length * second.length)
}
