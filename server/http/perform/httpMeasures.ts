import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Histogram, WAITING_SECONDS } from '#server/metrics/Histogram.ts'

/** Counts everything that is no call: the console, downloads and unknown addresses. */
const NO_CALL = 'other'

class CallMeasure {
  readonly duration = new Histogram(WAITING_SECONDS)
  /** The index is the first digit of the status. */
  readonly answers = [0, 0, 0, 0, 0, 0]

  countStatus(status: number): void {
    const digit = Math.floor(status / 100)
    this.answers[digit] = (this.answers[digit] ?? 0) + 1
  }
}

export class HttpMeasures {
  readonly #byCall = new Map<string, CallMeasure>()
  readonly #streams = new WeakSet<ServerResponse>()
  readonly other = this.of(NO_CALL)
  liveStreams = 0

  /** @param call its path in the contract */
  of(call: string): CallMeasure {
    const known = this.#byCall.get(call)
    if (known) return known
    const measure = new CallMeasure()
    this.#byCall.set(call, measure)
    return measure
  }

  noteAnswer({ request, raw, statusCode, elapsedTime }: FastifyReply): void {
    if (this.#streams.has(raw)) return
    const { measure = this.other } = request.routeOptions.config
    measure.countStatus(statusCode)
    measure.duration.observe(elapsedTime / 1000)
  }

  /** Counts a live stream that was opened. Its duration is left out: it only says how long somebody watched. */
  noteStream(call: string, response: ServerResponse): void {
    this.#streams.add(response)
    this.of(call).countStatus(response.statusCode)
    if (response.destroyed || response.writableEnded) return
    this.liveStreams++
    response.once('close', () => {
      this.liveStreams--
    })
  }

  *all(): Iterable<readonly [call: string, measure: CallMeasure]> {
    for (const [call, measure] of this.#byCall) if (measure.answers.some((count) => count > 0)) yield [call, measure]
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    measure?: CallMeasure
  }
}
