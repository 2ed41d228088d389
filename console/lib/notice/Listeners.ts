/** Something outside React that changes: it is watched by `subscribe`, as `useSyncExternalStore` takes it. */
export class Listeners {
  readonly #all = new Set<() => void>()

  readonly notify = () => {
    for (const listener of this.#all) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }
}
