/** A small router forgets connections when hundreds are opened at once. */
const AT_ONCE = 32

/** Asks many places, some at a time. @returns what was found, in the order of the places */
export async function askMany<Place, Found>(
  places: readonly Place[],
  signal: AbortSignal,
  ask: (place: Place) => Promise<Found | undefined>,
): Promise<readonly Found[]> {
  const found = new Map<number, Found>()
  const waiting = [...places.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const [at, place] = next
      const answer = await ask(place)
      if (answer !== undefined) found.set(at, answer)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return places.flatMap((_, at) => found.get(at) ?? [])
}
