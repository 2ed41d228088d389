const SAMPLE_EVERY_MS = 15_000
/** The work below takes so long on two idle cores of the machine on which the limit was set. */
const REFERENCE_MS = 30
/** A busy machine, or another one, is slower by less than this before its processor seconds mean something else. */
const MOST_SLOWER = 1.25

const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({
    name: `Stop ${(index * 7919) % 20_000}`,
    values: [index, index / 3],
  })),
)

/** Reads, sorts and writes some megabytes, as most tests do. */
function work(): void {
  const list = JSON.parse(TEXT) as { readonly name: string }[]
  JSON.stringify(list.sort((a, b) => (a.name < b.name ? -1 : 1)))
}

/** Measures during a run how many times slower than the reference this machine is, for whatever reason. */
export class ProcessorSpeed {
  readonly #samples: number[] = []
  readonly #timer: NodeJS.Timeout

  constructor() {
    // The first rounds compile the work.
    for (let round = 0; round < 3; round++) work()
    this.#sample()
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS)
    this.#timer.unref()
  }

  #sample(): void {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    this.#samples.push((user + system) / 1_000)
  }

  /** @returns the median of the samples, as a factor of the reference */
  stop(): number {
    clearInterval(this.#timer)
    const sorted = this.#samples.toSorted((a, b) => a - b)
    return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) / REFERENCE_MS
  }
}

export const isComparable = (timesSlower: number) => timesSlower <= MOST_SLOWER
