import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Span, SpanAttributes } from './Span.ts'

/** OTLP's kinds: work inside, an answer to a request, and a request to another system. */
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
 * Starts to export what this process does as spans. There is one exporter for each process.
 *
 * @param share the share of all traces that is kept, from 0 to 1; a trace that came with a request follows its own flag
 */
export function beginTracing(to: SpanTaker, share: number): void {
  exporter = to
  keptShare = share
}

export function endTracing(): void {
  exporter = undefined
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-0([01])$/

export interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: SpanAttributes
  /** Starts a new trace, whatever span is around it. */
  readonly isRoot?: boolean
  readonly parent?: string | undefined
}

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

/** Opens a span that contains no others, such as a request to another system. It does nothing when tracing is off. */
export function openSpan(name: string, options: SpanOptions = {}): OpenSpan {
  return exporter === undefined ? ENDS_NOTHING : open(name, options).span
}

/** Runs work as a span, to which whatever it starts belongs. When tracing is off, only the work runs. */
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

/** Binds a callback to the current span, so that a later call belongs to it. */
export const inThisSpan = <Act extends (...given: never[]) => unknown>(act: Act): Act =>
  exporter === undefined ? act : (AsyncResource.bind(act as () => unknown) as unknown as Act)

/** The time comes from a monotonic clock, as a wall-clock moment. */
const nowMs = () => performance.timeOrigin + performance.now()

/** The message is never exported, because it may hold what somebody typed. */
function faultName(fault: unknown): string {
  const { code, name } = (fault ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'Error'
}
