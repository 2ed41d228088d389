const MOST_REMEMBERED = 20_000

/** Addresses from which devices have signed in, by what limits know them (`limitKeyOf`); the newest are remembered. */
export class KnownAddresses {
  readonly #all = new Set<string>()

  add(limitKey: string): void {
    this.#all.delete(limitKey)
    this.#all.add(limitKey)
    const [oldest] = this.#all.size > MOST_REMEMBERED ? this.#all : []
    if (oldest !== undefined) this.#all.delete(oldest)
  }

  has = (limitKey: string): boolean => this.#all.has(limitKey)
}
