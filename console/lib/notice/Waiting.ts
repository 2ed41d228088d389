import { useSyncExternalStore } from 'react'

/** What is to be shown by a part of the console that is fetched when there is something for it. */
export class Waiting<Item> {
  #items: Item[] = []
  #takers: readonly ((item: Item) => void)[] = []
  readonly #listeners = new Set<() => void>()

  put(item: Item) {
    const take = this.#takers.at(-1)
    if (take) return take(item)
    this.#items.push(item)
    for (const tell of this.#listeners) tell()
  }

  /**
   * Until it is stopped each goes to `take` and to nobody who took before, those that have waited at once.
   *
   * @returns the way to stop
   */
  takeAll(take: (item: Item) => void): () => void {
    this.#takers = [...this.#takers, take]
    for (const item of this.#items.splice(0)) take(item)
    return () => {
      this.#takers = this.#takers.filter((one) => one !== take)
    }
  }

  /** Nothing waits any more: whoever has put it here is gone. */
  clear() {
    this.#items = []
  }

  readonly #onChange = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether there is anything to be taken, and nobody yet who does. */
  useHasSome(): boolean {
    return useSyncExternalStore(this.#onChange, () => this.#items.length > 0)
  }
}
