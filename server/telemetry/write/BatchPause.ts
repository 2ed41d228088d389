/**
 * A batch costs a commit, and in each table the head of a record in the log. Reports that come within this time share
 * them (docs/decisions/0310).
 */
const CYCLE_MS = 50
/** So many share what a batch costs well enough. */
const ENOUGH_PACKETS = 32
/** The share of the recent largest batch. When this many wait again, everything that was in flight has arrived. */
const ALL_IN_FLIGHT = 0.9
/** The memory of the largest batch fades over some hundred batches. */
const FORGOTTEN_EACH_BATCH = 0.01
const NOBODY_RESTS = () => undefined

/** The pause of a shard between two batches, in which more reports arrive. */
export class BatchPause {
  /** The number of packets that the devices of the shard had in flight at once, recently. */
  #mostInFlight = 0
  #end = NOBODY_RESTS

  noteBatch(packets: number): void {
    this.#mostInFlight = Math.max(packets, this.#mostInFlight * (1 - FORGOTTEN_EACH_BATCH))
  }

  /** Once as many packets wait as were ever in flight together, no more will come before they are acknowledged. */
  isEnough(packets: number): boolean {
    return packets >= Math.min(ENOUGH_PACKETS, this.#mostInFlight * ALL_IN_FLIGHT)
  }

  /** Resolves when the time of a batch that began then is over, or at `end`. */
  sinceBatch(beganAt: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), Math.max(0, beganAt + CYCLE_MS - performance.now()))
      this.#end = () => {
        this.#end = NOBODY_RESTS
        clearTimeout(timer)
        resolve()
      }
    })
  }

  end(): void {
    this.#end()
  }
}
