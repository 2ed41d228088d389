import { Latencies } from './Latencies.ts'

export interface BookedLoad {
  readonly packets: number
  readonly values: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The longest time in which reports waited and none was acknowledged. */
  readonly longestPauseMs: number
}

/** Counts what a fleet did: sent, acknowledged, refused, and how long nothing was acknowledged. */
export class FleetBook {
  #latencies = new Latencies()
  #values = 0
  #waiting = 0
  #quietSinceMs = 0
  #longestPauseMs = 0
  up = 0
  refused = 0
  timedOut = 0
  /** Counts connections that the server ended without a CONNACK. */
  droppedEarly = 0
  /** Counts connections that the server ended after the CONNACK. */
  droppedLate = 0

  get waiting(): number {
    return this.#waiting
  }

  begin(): void {
    this.#latencies = new Latencies()
    this.#values = 0
    this.#quietSinceMs = performance.now()
    this.#longestPauseMs = 0
    this.refused = 0
    this.timedOut = 0
    this.droppedEarly = 0
    this.droppedLate = 0
  }

  sent(): void {
    if (this.#waiting++ === 0) this.#quietSinceMs = performance.now()
  }

  acknowledged(sentAtMs: number, values: number): void {
    const nowMs = performance.now()
    this.#endPause(nowMs)
    this.#waiting--
    this.#latencies.add(nowMs - sentAtMs)
    this.#values += values
  }

  /** Packets are lost with their connection. */
  lost(packets: number): void {
    this.#waiting -= packets
  }

  get told(): BookedLoad {
    if (this.#waiting > 0) this.#endPause(performance.now())
    const { count, quantile } = this.#latencies
    return {
      packets: count,
      values: this.#values,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      longestPauseMs: this.#longestPauseMs,
    }
  }

  #endPause(nowMs: number): void {
    this.#longestPauseMs = Math.max(this.#longestPauseMs, nowMs - this.#quietSinceMs)
    this.#quietSinceMs = nowMs
  }
}
