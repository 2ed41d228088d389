import { useSyncExternalStore } from 'react'

/** What is to be shown by a part of the console that is fetched when there is something for it. */
export class Waiting<Item> {
  #items: Item[] = []
  #take: ((item: Item) => void) | undefined
  readonly #listeners = new Set<() => void>()

  put(item: Item) {
    if (this.#take) return this.#take(item)
    this.#items.push(item)
    for (const tell of this.#listeners) tell()
  }

  /** From now on each goes to `take`, and those that have waited at once. Returns the way to stop. */
  takeAll(take: (item: Item) => void): () => void {
    this.#take = take
    for (const item of this.#items.splice(0)) take(item)
    return () => {
      this.#take = undefined
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
