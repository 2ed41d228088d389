import { quantile } from '../../frame/table.ts'

/** Holds milliseconds from a report to its acknowledgement, millions of them. */
export class Latencies {
  #values = new Float64Array(1 << 16)
  count = 0

  add(value: number): void {
    if (this.count === this.#values.length) {
      const larger = new Float64Array(this.count * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.count++] = value
  }

  readonly quantile = (part: number) => quantile(this.#values.subarray(0, this.count), part)
}
