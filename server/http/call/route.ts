import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Call, ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import type { AuditAuthor, AuditedThing, Tx } from './audit.store.ts'
import type { Caller } from './caller.ts'
import type { CodingName } from './codings.ts'

/** How a handler tells the audit log about the change it makes; without effect for calls that change nothing. */
export interface ChangeRecord {
  /** Names what the call is about as soon as it is known, for the case that the call is refused. */
  readonly about: (thing: AuditedThing, author?: Partial<AuditAuthor>) => void
  /** Writes the one row of a change that is done, in the transaction that makes it. */
  readonly done: (transaction: Tx, thing?: AuditedThing) => Promise<void>
  /** The transaction of `done` is committed: however the call ends from here on, its row stands and stays the only one. */
  readonly stands: () => void
}

export interface Client {
  /** The client's address behind trusted proxies. A forwarded address from anybody else is never believed. */
  readonly address: string
  readonly userAgent: string
  /** The known browser of whoever has the given name. Only calls with `knowsBrowser` read it. */
  readonly browser?: string
  /** Set when the browser asks for a session that is bound to a cookie of its own (`BIND_HEADER`). */
  readonly binding?: {
    /** The header `Cookie`; empty without one. */
    readonly cookies: string
    /** The origin of the page, as its browser says; undefined when it says none. */
    readonly origin: string | undefined
  }
}

export interface PublicRequest<C extends Call> {
  readonly query: ReadQueryOf<C>
  readonly body: ReadBodyOf<C>
  readonly client: Client
  /** The request came at this moment of the process's monotonic clock. */
  readonly arrivedAtMs: number
  readonly change: ChangeRecord
  /** A header of the answer, beside its body. */
  readonly setHeader: (name: string, value: string) => void
  /** Set when the call takes one (`takesIdempotencyKey`) and the caller gave one. */
  readonly idempotencyKey?: string | undefined
  /** The compression that the reader accepts. A long answer may be made in it from the start (`MadeApart`). */
  readonly coding: CodingName | undefined
}

export interface SignedInRequest<C extends Call> extends PublicRequest<C> {
  readonly caller: Caller
}

/** What a call with `answersWith: 'file'` gives: a JSON document under a name. */
export interface FileAnswer<C extends Call> {
  readonly fileName: string
  readonly content: z.output<C['answer']>
}

/** What a call with `answersWith: 'pdf'` gives: a document that is written while it is sent. */
export interface PdfAnswer {
  readonly fileName: string
  readonly pdf: Readable | Buffer
}

export interface EventStream {
  /** One server-sent event; `data` is written as JSON. */
  readonly send: (eventName: string, data: object) => void
  /** The listener runs at once if the reader has left already. */
  readonly onClose: (act: () => void) => void
  readonly close: () => void
}

/** The request of any call, before its types are known. */
export interface CallRequest extends Omit<PublicRequest<Call>, 'query' | 'body'> {
  readonly query: unknown
  readonly body: unknown
  readonly caller: Caller | undefined
}

export type Route =
  | { readonly kind: 'answer'; readonly call: Call; readonly run: (request: CallRequest) => Promise<unknown> }
  | {
      /**
       * A long answer is JSON text, because building it from objects would take longer than all else. A very long
       * one comes in parts, so that the reader begins while the rest is made.
       */
      readonly kind: 'json-text'
      readonly call: Call
      /** Reads so much that it waits for a place of its user (`server/http/limits/fairShare.ts`). */
      readonly isHeavy: boolean
      readonly run: (request: CallRequest) => Promise<JsonText>
    }
  | {
      readonly kind: 'rows'
      readonly call: Call
      readonly run: (request: CallRequest) => Promise<AsyncIterable<unknown> | MadeApart>
    }
  | {
      readonly kind: 'file'
      readonly call: Call
      readonly run: (request: CallRequest) => Promise<FileAnswer<Call>>
    }
  | { readonly kind: 'pdf'; readonly call: Call; readonly run: (request: CallRequest) => Promise<PdfAnswer> }
  | {
      readonly kind: 'stream'
      readonly call: Call
      readonly open: (request: CallRequest, stream: EventStream) => Promise<void>
    }

type MaybePromise<Value> = Promise<Value> | Value

function signedIn(request: CallRequest): SignedInRequest<never> {
  // The permission was checked before; this only tells the type checker, and fails loudly if it ever lies.
  if (!request.caller) throw new Error('A call for signed-in users reached its handler without a caller.')
  return { ...request, caller: request.caller } as SignedInRequest<never>
}

/** Makes a route of a contract entry. Permission, parameters and body were checked when the handler runs. */
export function route<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<z.input<C['answer']>>,
): Route {
  return { kind: 'answer', call, run: async (request) => handler(signedIn(request) as SignedInRequest<C>) }
}

/** JSON as it is sent. */
export type JsonText = string | MadeApart

/**
 * JSON that is made part by part, and is not touched any more. Each part of a list is one character and whole rows with
 * commas between, except for the last, which ends it.
 */
export interface MadeApart {
  readonly parts: AsyncGenerator<Uint8Array, void>
  /** The compression of the parts; absent when they are plain. */
  readonly coding?: CodingName | undefined
}

/**
 * A route whose handler writes its answer as JSON text itself; tests hold it to the contract all the same. What is thrown
 * before the first part is an ordinary refusal; later the connection is broken, so that nobody takes a part for the whole.
 */
export function jsonTextRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<JsonText>,
): Route {
  const run = async (request: CallRequest) => handler(signedIn(request) as SignedInRequest<C>)
  return { kind: 'json-text', call, isHeavy: false, run }
}

/** A route that reads so much that it waits for a place of its user, so that nobody takes the time of others. */
export function heavyRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<JsonText>,
): Route {
  return { ...jsonTextRoute(call, handler), isHeavy: true } as Route
}

/** One row of an answer that is a list. */
type RowOf<C extends Call> = z.input<C['answer']> extends readonly (infer Row)[] ? Row : never

/** Rows that were written as JSON text already, with commas between. */
export interface JsonRows {
  readonly rowsJson: string
}

/**
 * A route of a call with `answersWith: 'row-stream'`: one JSON array, written row by row as fast as it is read. What
 * is thrown before the first row is an ordinary refusal; later the connection is broken, so that nobody takes a part
 * for the whole.
 */
export function rowsRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<AsyncIterable<RowOf<C> | JsonRows> | MadeApart>,
): Route {
  return { kind: 'rows', call, run: async (request) => handler(signedIn(request) as SignedInRequest<C>) }
}

/** A route whose answer is saved as a file. */
export function fileRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<FileAnswer<C>>,
): Route {
  return { kind: 'file', call, run: async (request) => handler(signedIn(request) as SignedInRequest<C>) }
}

/** A route whose answer is a document. */
export function pdfRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<PdfAnswer>,
): Route {
  return { kind: 'pdf', call, run: async (request) => handler(signedIn(request) as SignedInRequest<C>) }
}

/** A route for people who are not signed in yet. */
export function publicRoute<C extends Call>(
  call: C,
  handler: (request: PublicRequest<C>) => MaybePromise<z.input<C['answer']>>,
): Route {
  return { kind: 'answer', call, run: async (request) => handler(request as PublicRequest<C>) }
}

/** A route that answers a stream of server-sent events; what `open` throws before it sends is an ordinary refusal. */
export function streamRoute<C extends Call>(
  call: C,
  open: (request: SignedInRequest<C> & { readonly stream: EventStream }) => MaybePromise<void>,
): Route {
  return {
    kind: 'stream',
    call,
    open: async (request, stream) => open({ ...(signedIn(request) as SignedInRequest<C>), stream }),
  }
}
