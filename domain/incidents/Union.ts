/** Disjoint sets of 0 … count − 1, which are joined pairwise. */
export class Union {
  readonly #parent: Int32Array

  constructor(count: number) {
    this.#parent = Int32Array.from({ length: count }, (_, index) => index)
  }

  rootOf(index: number): number {
    let root = index
    while (this.#parentOf(root) !== root) root = this.#parentOf(root)
    for (let at = index; at !== root; ) {
      const next = this.#parentOf(at)
      this.#parent[at] = root
      at = next
    }
    return root
  }

  join(one: number, other: number): void {
    const [low, high] = [this.rootOf(one), this.rootOf(other)].toSorted((a, b) => a - b) as [number, number]
    this.#parent[high] = low
  }

  #parentOf(index: number): number {
    return this.#parent[index] ?? index
  }
}
