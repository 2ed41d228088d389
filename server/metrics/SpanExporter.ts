import { setTimeout as sleep } from 'node:timers/promises'
import { withoutEnd } from '#domain/texts/withoutEnd.ts'
import type { Span, SpanAttributes } from './Span.ts'

const TELL_EVERY_MS = 2_000
const MOST_AT_ONCE = 512
/** This limits memory to about four megabytes while the collector is slow or down. */
const MOST_WAITING = 8_192
const SAYS_EVERY_MS = 60_000
const STOPS_WITHIN_MS = 500

interface TellingOfSpans {
  readonly method: 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface SpanExporterDeps {
  /** The address of a collector that speaks OTLP over HTTP. The path `/v1/traces` is appended. */
  readonly url: string
  /** The token is sent as `Authorization: Bearer …`, if there is one. */
  readonly token?: string | undefined
  /** Sends the request by the server's outbound HTTP (docs/decisions/0219). */
  readonly call: (asked: TellingOfSpans) => Promise<{ readonly status: number }>
  /** Resource attributes that describe this process in every request. */
  readonly about: SpanAttributes
  readonly log: { warn(details: object, message: string): void }
}

/** Sends spans to a collector as OTLP JSON. What it does not accept is dropped and counted; nothing waits for it. */
export class SpanExporter {
  readonly #deps: SpanExporterDeps
  readonly #url: string
  #waiting: Span[] = []
  #lost = 0
  #saidAtMs = Number.NEGATIVE_INFINITY
  #telling: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(deps: SpanExporterDeps) {
    this.#deps = deps
    this.#url = `${withoutEnd(deps.url, '/')}/v1/traces`
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

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#tellSoon()
    // A collector that is down must not keep the server from stopping.
    await Promise.race([this.#telling, sleep(STOPS_WITHIN_MS, undefined, { ref: false })])
  }

  #tellSoon(): void {
    this.#telling = this.#telling.then(() => this.#tellAll())
  }

  async #tellAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, MOST_AT_ONCE)
      try {
        await this.#send(JSON.stringify(bodyOf(spans, this.#deps.about)))
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
    this.#deps.log.warn({ error: String(error), lost: this.#lost }, 'Traces could not be told.')
  }

  async #send(body: string): Promise<void> {
    const { call, token } = this.#deps
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const { status } = await call({ method: 'POST', url: this.#url, headers, body })
    if (status >= 300) throw new Error(`The collector answered ${status}.`)
  }
}

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

/** The value is text, because a number cannot hold it exactly. */
const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n)

function attributesOf(attributes: SpanAttributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }))
}

function anyValueOf(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
