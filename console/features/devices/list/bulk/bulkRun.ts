/** A browser opens six connections to a server, and the page itself sometimes needs one. */
export const MOST_AT_ONCE = 6

interface Run<Item> {
  readonly items: readonly Item[]
  readonly work: (item: Item) => Promise<void>
  readonly stopped: AbortSignal
}

/** It processes the items in order, at most six at a time. `work` handles its own failures. */
export async function runBulk<Item>({ items, work, stopped }: Run<Item>): Promise<void> {
  const waiting = items.values()
  const lane = async () => {
    for (const item of waiting) {
      if (stopped.aborted) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, lane))
}
