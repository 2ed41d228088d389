import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Span, SpanAttributes } from './Span.ts'

/** Of OTLP: what happens within, what answers somebody, what asks somebody else. */
const KINDS = { internal: 1, server: 2, client: 3 } as const
type SpanKind = keyof typeof KINDS

interface SpanTaker {
  add(span: Span): void
}

interface Place {
  readonly traceId: string
  readonly spanId: string
  readonly isKept: boolean
}

const places = new AsyncLocalStorage<Place>()
let exporter: SpanTaker | undefined
let keptShare = 1

/**
 * From now on what this process does is told as spans; one of a process.
 *
 * @param share of all traces that are kept, from 0 to 1; those that came with a trace of their own go by its flag
 */
export function beginTracing(to: SpanTaker, share: number): void {
  exporter = to
  keptShare = share
}

export function endTracing(): void {
  exporter = undefined
}

/** W3C trace context, version 00. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-0([01])$/

export interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: SpanAttributes
  /** Whatever has begun it: it goes on by itself. */
  readonly isRoot?: boolean
  /** Header `traceparent` of who asks. */
  readonly parent?: string | undefined
}

/** Something that goes on. */
export interface OpenSpan {
  end(more?: SpanAttributes, fault?: unknown): void
}

const ENDS_NOTHING: OpenSpan = { end: () => undefined }

const idOf = (bytes: number) => randomBytes(bytes).toString('hex')

function placeFor({ parent, isRoot = false }: SpanOptions): {
  readonly place: Place
  readonly parentSpanId: string | undefined
} {
  const above = places.getStore()
  if (above && !isRoot) return { place: { ...above, spanId: idOf(8) }, parentSpanId: above.spanId }
  const [, traceId, parentSpanId, flag] = TRACEPARENT.exec(parent ?? '') ?? []
  const isKept = flag === undefined ? Math.random() < keptShare : flag === '1'
  return { place: { traceId: traceId ?? idOf(16), spanId: idOf(8), isKept }, parentSpanId }
}

function open(name: string, options: SpanOptions) {
  const { kind = 'internal', attributes = {} } = options
  const { place, parentSpanId } = placeFor(options)
  const beganAtMs = nowMs()
  const end: OpenSpan['end'] = (more = {}, fault) => {
    if (!place.isKept) return
    const { traceId, spanId } = place
    exporter?.add({
      traceId,
      spanId,
      parentSpanId,
      name,
      kind: KINDS[kind],
      beganAtMs,
      endedAtMs: nowMs(),
      attributes: { ...attributes, ...more },
      fault: fault === undefined ? undefined : faultName(fault),
    })
  }
  return { place, span: { end } }
}

/** Begins a span around which nothing else stands: what is asked of somebody else. Nothing where nobody traces. */
export function openSpan(name: string, options: SpanOptions = {}): OpenSpan {
  return exporter === undefined ? ENDS_NOTHING : open(name, options).span
}

/** Does some work as a span; what it does in turn, also later, stands within it. Only the work where nobody traces. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: { note(more: SpanAttributes): void }) => Promise<Result>,
): Promise<Result> {
  if (exporter === undefined) return work({ note: () => undefined })
  const { place, span } = open(name, options)
  let more: SpanAttributes = {}
  const note = (noted: SpanAttributes) => {
    more = { ...more, ...noted }
  }
  try {
    const result = await places.run(place, () => work({ note }))
    span.end(more)
    return result
  } catch (fault) {
    span.end(more, fault)
    throw fault
  }
}

/** Whoever is called back later is called within the span of now. */
export const inThisSpan = <Act extends (...given: never[]) => unknown>(act: Act): Act =>
  exporter === undefined ? act : (AsyncResource.bind(act as () => unknown) as unknown as Act)

/** By a clock that only runs forwards, in moments of the wall. */
const nowMs = () => performance.timeOrigin + performance.now()

/** Never its words, which may hold what somebody typed. */
function faultName(fault: unknown): string {
  const { code, name } = (fault ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'Error'
}
