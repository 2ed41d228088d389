import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Histogram, WAITING_SECONDS } from '#server/metrics/Histogram.ts'

/** All that is no call: the console, downloads, what is not there. */
const NO_CALL = 'other'

/** Of one call, since the start of the process. */
class CallMeasure {
  readonly duration = new Histogram(WAITING_SECONDS)
  /** By the first digit of the status. */
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
  /** That are open. */
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

  /** A live stream was opened: it takes as long as somebody looks, which says nothing about us. */
  noteStream(call: string, response: ServerResponse): void {
    this.#streams.add(response)
    this.of(call).countStatus(response.statusCode)
    if (response.destroyed || response.writableEnded) return
    this.liveStreams++
    response.once('close', () => {
      this.liveStreams--
    })
  }

  /** Those that were asked for. */
  *all(): Iterable<readonly [call: string, measure: CallMeasure]> {
    for (const [call, measure] of this.#byCall) if (measure.answers.some((count) => count > 0)) yield [call, measure]
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the call that this route answers. */
    measure?: CallMeasure
  }
}
