/**
 * Ends the inner generator together with the outer one that reads it. A generator that was never asked for its first
 * part runs no `finally`, so its inner generator would stay open.
 */
export function endedTogether<Part>(
  outer: AsyncGenerator<Part, void>,
  inner: AsyncGenerator<unknown, void>,
): AsyncGenerator<Part, void> {
  const end = outer.return.bind(outer)
  return Object.assign(outer, {
    return: async () => {
      const ended = await end()
      await inner.return()
      return ended
    },
  })
}
