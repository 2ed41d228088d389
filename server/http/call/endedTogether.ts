/**
 * What reads on from another generator, and whose end is the end of that one too: of a generator whose first part nobody
 * asked for no code runs at its end.
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
