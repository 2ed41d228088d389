export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A span in the form of OTLP's JSON, except for its attributes. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly beganAtMs: number
  readonly endedAtMs: number
  readonly attributes: SpanAttributes
  /** The name of the error it failed with; undefined when it did not fail. */
  readonly fault: string | undefined
}
