import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Span, SpanAttributes } from './Span.ts'

const TELL_EVERY_MS = 2_000
const MOST_AT_ONCE = 512
/** Where the collector is slow or gone; about four megabytes. */
const MOST_WAITING = 8_192
const ANSWERED_WITHIN_MS = 10_000
const SAYS_EVERY_MS = 60_000
const STOPS_WITHIN_MS = 500

export interface SpanExporterNeeds {
  /** Of a collector that speaks OTLP over HTTP; `/v1/traces` is put behind it. */
  readonly url: string
  /** Sent as `Authorization: Bearer …`; absent: none. */
  readonly token?: string | undefined
  /** Who tells, in every trace. */
  readonly about: SpanAttributes
  readonly log: { warn(details: object, message: string): void }
}

/**
 * Tells spans to a collector as JSON of OTLP, some hundred at once. What it does not take is lost and counted, and
 * nothing waits for it.
 */
export class SpanExporter {
  readonly #needs: SpanExporterNeeds
  readonly #url: URL
  #waiting: Span[] = []
  #lost = 0
  #saidAtMs = Number.NEGATIVE_INFINITY
  #telling: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(needs: SpanExporterNeeds) {
    this.#needs = needs
    this.#url = new URL(`${needs.url.replace(/\/+$/, '')}/v1/traces`)
    this.#timer = setInterval(() => this.#tellSoon(), TELL_EVERY_MS).unref()
  }

  add(span: Span): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost++
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length === MOST_AT_ONCE) this.#tellSoon()
  }

  /** Tells what is left, if the collector takes it. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#tellSoon()
    // A collector that is away must not keep the server from stopping.
    await Promise.race([this.#telling, sleep(STOPS_WITHIN_MS, undefined, { ref: false })])
  }

  #tellSoon(): void {
    this.#telling = this.#telling.then(() => this.#tellAll())
  }

  async #tellAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, MOST_AT_ONCE)
      try {
        await this.#send(JSON.stringify(bodyOf(spans, this.#needs.about)))
      } catch (error) {
        this.#lost += spans.length + this.#waiting.length
        this.#waiting = []
        this.#say(error)
      }
    }
  }

  #say(error: unknown): void {
    if (performance.now() - this.#saidAtMs < SAYS_EVERY_MS) return
    this.#saidAtMs = performance.now()
    this.#needs.log.warn({ error: String(error), lost: this.#lost }, 'Traces could not be told.')
  }

  #send(body: string): Promise<void> {
    const { token } = this.#needs
    const ask = this.#url.protocol === 'https:' ? tlsRequest : plainRequest
    return new Promise((resolve, reject) => {
      const asked = ask(
        this.#url,
        {
          method: 'POST',
          signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
          headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        },
        (answer) => {
          answer.resume()
          answer.once('error', reject)
          answer.once('end', () => {
            if (answer.statusCode !== undefined && answer.statusCode < 300) resolve()
            else reject(new Error(`The collector answered ${answer.statusCode}.`))
          })
        },
      )
      asked.once('error', reject)
      asked.end(body)
    })
  }
}

/** `ExportTraceServiceRequest` of OTLP 1. */
function bodyOf(spans: readonly Span[], about: SpanAttributes): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(about) },
        scopeSpans: [{ scope: { name: 'wayside' }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

const spanOf = ({ traceId, spanId, parentSpanId, name, kind, beganAtMs, endedAtMs, attributes, fault }: Span) => ({
  traceId,
  spanId,
  ...(parentSpanId && { parentSpanId }),
  name,
  kind,
  startTimeUnixNano: nanoseconds(beganAtMs),
  endTimeUnixNano: nanoseconds(endedAtMs),
  attributes: attributesOf(attributes),
  status: fault === undefined ? {} : { code: 2, message: fault },
})

/** As text: a number cannot hold it. */
const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n)

function attributesOf(attributes: SpanAttributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }))
}

function anyValueOf(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
