import { useSyncExternalStore } from 'react'

/** Items wait here until the part of the console that shows them has been loaded. */
export class Waiting<Item> {
  #items: Item[] = []
  #takers: readonly ((item: Item) => void)[] = []
  readonly #listeners = new Set<() => void>()

  put(item: Item) {
    const take = this.#takers.at(-1)
    if (take) return take(item)
    this.#items.push(item)
    for (const notify of this.#listeners) notify()
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

  readonly #onChange = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  useHasSome(): boolean {
    return useSyncExternalStore(this.#onChange, () => this.#items.length > 0)
  }
}
