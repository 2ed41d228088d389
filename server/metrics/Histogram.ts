/** Counts how often something took how long, in fixed buckets, so that one more costs only a few comparisons. */
export class Histogram {
  /** The upper bounds in seconds, ascending. */
  readonly bounds: readonly number[]
  /** One count for each bound, and one for everything above all of them. */
  readonly #counts: Float64Array
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(seconds: number): void {
    const { bounds } = this
    let index = 0
    while (index < bounds.length && seconds > (bounds[index] as number)) index++
    this.#counts[index] = (this.#counts[index] as number) + 1
    this.#sum += seconds
  }

  get sum(): number {
    return this.#sum
  }

  get count(): number {
    return this.#counts.reduce((all, one) => all + one, 0)
  }

  /** The number of observations no longer than each bound. */
  cumulative(): readonly number[] {
    let below = 0
    return this.bounds.map((_, index) => {
      below += this.#counts[index] ?? 0
      return below
    })
  }
}

/** The bounds suit what somebody waits for, from "at once" to "it hangs". */
export const WAITING_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** The bounds reach from a connected device to one that sends its backlog after an outage. */
export const LAG_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600, 86_400] as const
