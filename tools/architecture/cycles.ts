/** Returns one cycle, in order, for each group of places that reach each other. */
export function findCycles(places: readonly string[], next: (place: string) => readonly string[]): readonly string[][] {
  const done = new Set<string>()
  const circles: string[][] = []

  const visit = (place: string, trail: readonly string[]) => {
    const seenAt = trail.indexOf(place)
    if (seenAt !== -1) circles.push(trail.slice(seenAt))
    if (seenAt !== -1 || done.has(place)) return
    for (const other of next(place)) visit(other, [...trail, place])
    done.add(place)
  }
  for (const place of places) visit(place, [])
  return circles
}
