/** A browser opens six connections to a server, and the page itself wants one now and then. */
export const MOST_AT_ONCE = 6

interface Run<Item> {
  readonly items: readonly Item[]
  readonly work: (item: Item) => Promise<void>
  /** When it aborts, nothing more is begun; what runs is finished. */
  readonly stopped: AbortSignal
}

/** Does the work of all items in their order, at most six at a time. `work` deals with its own failures. */
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
