import { useSyncExternalStore } from 'react'
import { Listeners } from '#console/lib/notice/Listeners.ts'

/** Items wait here until the part of the console that shows them has been loaded. */
export class Waiting<Item> {
  #items: Item[] = []
  #takers: readonly ((item: Item) => void)[] = []
  readonly #listeners = new Listeners()

  put(item: Item) {
    const take = this.#takers.at(-1)
    if (take) return take(item)
    this.#items.push(item)
    this.#listeners.notify()
  }

  /**
   * Each item, waiting ones first, goes to `take` until that is stopped, and no longer to earlier takers.
   *
   * @returns a function that stops it
   */
  takeAll(take: (item: Item) => void): () => void {
    this.#takers = [...this.#takers, take]
    for (const item of this.#items.splice(0)) take(item)
    return () => {
      this.#takers = this.#takers.filter((one) => one !== take)
    }
  }

  /** It discards all waiting items, because the user who caused them is gone. */
  clear() {
    this.#items = []
  }

  useHasSome(): boolean {
    return useSyncExternalStore(this.#listeners.subscribe, () => this.#items.length > 0)
  }
}
