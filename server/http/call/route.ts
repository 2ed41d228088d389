import type { z } from 'zod'
import type { Call, ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import type { AuditAuthor, AuditedThing, Statement, Tx } from './audit.store.ts'
import type { Caller } from './caller.ts'
import type { CodingName } from './codings.ts'

/** A handler records its change in the audit log by this, which does nothing for calls that change nothing. */
export interface ChangeRecord {
  /** Names the thing as soon as it is known, so that a refusal can name it too. */
  readonly about: (thing: AuditedThing, author?: Partial<AuditAuthor>) => void
  /** Writes the one row of a finished change in the transaction that makes it. */
  readonly done: (transaction: Tx, thing?: AuditedThing) => Promise<void>
  /**
   * Does the same for a transaction that is sent in one exchange (`server/db/oneExchange.ts`).
   * @param commit takes the row's statement among its own; when it resolves, they are committed
   */
  readonly doneIn: (commit: (auditRow: Statement) => Promise<void>) => Promise<void>
  /** Declares that the transaction of `done` is committed: however the call ends, its row stays the only one. */
  readonly stands: () => void
}

export interface Client {
  /** The client's address as trusted proxies report it; what anybody else claims is never believed. */
  readonly address: string
  readonly userAgent: string
  /** Set for calls with `knowsBrowser` when the owner of the given name has signed in from this browser before. */
  readonly browser?: string
  /** Set by a browser that asks for a session bound to a cookie (`BIND_HEADER`). */
  readonly binding?: {
    /** The `Cookie` header, empty when there is none. */
    readonly cookies: string
    /** The origin of the page as the browser sends it, undefined when it does not. */
    readonly origin: string | undefined
  }
}

export interface PublicRequest<C extends Call> {
  readonly query: ReadQueryOf<C>
  readonly body: ReadBodyOf<C>
  readonly client: Client
  /** The moment when the request came, on the monotonic clock of this process. */
  readonly arrivedAtMs: number
  readonly change: ChangeRecord
  readonly setHeader: (name: string, value: string) => void
  /** Set for calls with `takesIdempotencyKey` when the caller gave one. */
  readonly idempotencyKey?: string | undefined
  /** The coding for a long answer that is compressed while it is made (`MadeApart`). */
  readonly coding: CodingName | undefined
}

export interface SignedInRequest<C extends Call> extends PublicRequest<C> {
  readonly caller: Caller
}

/** The answer of a call with `answersWith: 'file'`: a JSON document with a file name. */
export interface FileAnswer<C extends Call> {
  readonly fileName: string
  readonly content: z.output<C['answer']>
}

export interface EventStream {
  /** Sends one server-sent event; `data` is written as JSON. */
  readonly send: (eventName: string, data: object) => void
  /** Runs `act` when the reader leaves, and at once if it has left already. */
  readonly onClose: (act: () => void) => void
  readonly close: () => void
}

export interface CallRequest extends Omit<PublicRequest<Call>, 'query' | 'body'> {
  readonly query: unknown
  readonly body: unknown
  readonly caller: Caller | undefined
}

export type Route =
  | { readonly kind: 'answer'; readonly call: Call; readonly run: (request: CallRequest) => Promise<unknown> }
  | {
      /**
       * JSON text for long answers, which would take longest to build from objects. A very long one is made in parts,
       * so that the reader begins while the rest is made.
       */
      readonly kind: 'json-text'
      readonly call: Call
      /** The call reads so much that it waits for a place of its user (`server/http/limits/fairShare.ts`). */
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
  | {
      readonly kind: 'stream'
      readonly call: Call
      readonly open: (request: CallRequest, stream: EventStream) => Promise<void>
    }

type MaybePromise<Value> = Promise<Value> | Value

function signedIn(request: CallRequest): SignedInRequest<never> {
  // The permission was checked before. This informs the type checker, and fails loudly should the check ever be
  // missing.
  if (!request.caller) throw new Error('A call for signed-in users reached its handler without a caller.')
  return { ...request, caller: request.caller } as SignedInRequest<never>
}

export function route<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<z.input<C['answer']>>,
): Route {
  return { kind: 'answer', call, run: async (request) => handler(signedIn(request) as SignedInRequest<C>) }
}

export type JsonText = string | MadeApart

/**
 * JSON that is made part by part and sent as it is. Each part of a list is one character or whole rows with commas
 * between, except the last part, which ends the list.
 */
export interface MadeApart {
  readonly parts: AsyncGenerator<Uint8Array, void>
  /** The coding of the parts; without it they are plain. */
  readonly coding?: CodingName | undefined
}

/**
 * Makes a route whose handler writes JSON text; tests hold it to the contract too. An error before the first part is an
 * ordinary refusal; later it breaks the connection, so that nobody takes a part for the whole.
 */
export function jsonTextRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<JsonText>,
): Route {
  const run = async (request: CallRequest) => handler(signedIn(request) as SignedInRequest<C>)
  return { kind: 'json-text', call, isHeavy: false, run }
}

/**
 * Makes a JSON text route that reads so much that it may have to wait, so that one user cannot take the time of others.
 */
export function heavyRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<JsonText>,
): Route {
  return { ...jsonTextRoute(call, handler), isHeavy: true } as Route
}

type RowOf<C extends Call> = z.input<C['answer']> extends readonly (infer Row)[] ? Row : never

export interface JsonRows {
  readonly rowsJson: string
}

/**
 * Makes a route of a call with `answersWith: 'row-stream'`: one JSON array, written as fast as it is read. An error
 * before the first row is an ordinary refusal; later it breaks the connection, so that nobody takes a part for the
 * whole.
 */
export function rowsRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<AsyncIterable<RowOf<C> | JsonRows> | MadeApart>,
): Route {
  return { kind: 'rows', call, run: async (request) => handler(signedIn(request) as SignedInRequest<C>) }
}

export function fileRoute<C extends Call>(
  call: C,
  handler: (request: SignedInRequest<C>) => MaybePromise<FileAnswer<C>>,
): Route {
  return { kind: 'file', call, run: async (request) => handler(signedIn(request) as SignedInRequest<C>) }
}

export function publicRoute<C extends Call>(
  call: C,
  handler: (request: PublicRequest<C>) => MaybePromise<z.input<C['answer']>>,
): Route {
  return { kind: 'answer', call, run: async (request) => handler(request as PublicRequest<C>) }
}

/** Makes a route of server-sent events. What `open` throws before it sends anything is an ordinary refusal. */
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
