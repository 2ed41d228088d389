export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** What took time, in the form of OTLP's JSON but for its attributes. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly beganAtMs: number
  readonly endedAtMs: number
  readonly attributes: SpanAttributes
  /** Why it failed; absent: it did not. */
  readonly fault: string | undefined
}
