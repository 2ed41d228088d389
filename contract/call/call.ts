import { z } from 'zod'
import type { Permission } from '#domain/permissions/permissions.ts'
import type { ErrorCode } from '../errors.ts'

/** The audit log names every state-changing call by this action and this entity. */
export interface AuditedChange {
  readonly action: AuditAction
  readonly entity: AuditEntity
}

export const AUDIT_ACTIONS = [
  { id: 1, name: 'Create' },
  { id: 2, name: 'Update' },
  { id: 3, name: 'Delete' },
  { id: 4, name: 'Sign in' },
  { id: 5, name: 'Sign out' },
  { id: 6, name: 'Command' },
  { id: 7, name: 'Download' },
  { id: 8, name: 'Send' },
  { id: 9, name: 'Limit' },
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]['name']

export const AUDIT_ENTITIES = [
  { id: 1, name: 'Device' },
  { id: 2, name: 'Device component' },
  { id: 3, name: 'User' },
  { id: 4, name: 'Role' },
  { id: 5, name: 'Customer' },
  { id: 6, name: 'Alert' },
  { id: 7, name: 'Alert condition' },
  { id: 8, name: 'Maintenance' },
  { id: 9, name: 'Session' },
  { id: 10, name: 'Release' },
  { id: 11, name: 'Holiday calendar' },
  { id: 12, name: 'Client update' },
  { id: 13, name: 'View' },
  { id: 14, name: 'Maintenance window' },
  { id: 15, name: 'Incident' },
  { id: 16, name: 'Channel' },
  { id: 17, name: 'Route' },
  { id: 18, name: 'Rota' },
  { id: 19, name: 'Status page' },
  { id: 21, name: 'Sign-in provider' },
  { id: 22, name: 'API token' },
  { id: 23, name: 'Light statement' },
  { id: 24, name: 'Light proof key' },
  { id: 25, name: 'Light rule' },
  { id: 26, name: 'Emergency dark' },
  { id: 27, name: 'Energy figures' },
  { id: 28, name: 'Claim' },
  { id: 29, name: 'Field visit' },
] as const
export type AuditEntity = (typeof AUDIT_ENTITIES)[number]['name']
/** Addresses and filters name the entity of an audit entry by these ids. */
export const AUDIT_ENTITY_IDS = Object.fromEntries(AUDIT_ENTITIES.map(({ id, name }) => [name, id])) as Readonly<
  Record<AuditEntity, number>
>

/**
 * One call of the API, as plain data: the server makes a route of it, the console calls it, and the documentation and
 * the permission matrix are generated from it.
 */
export interface Call<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST'
  /** The path is relative to `/api/`. */
  readonly path: string
  readonly summary: string
  readonly permission: Permission
  /**
   * The parameters of the address are described as values (`z.number()`, not text): the server reads `"12"` as 12 where
   * a number is declared and refuses what is not exactly a number.
   */
  readonly query: Query
  readonly body: Body
  readonly answer: Answer
  /** These codes add to those that every call can answer (bad request, not signed in, forbidden, server trouble). */
  readonly errors: readonly ErrorCode[]
  /**
   * Present exactly when the call changes state: every use leaves one audit row. A state-changing GET also answers
   * POST with the same names in address or body, and is guarded against links, embeds and prefetch.
   */
  readonly changes?: AuditedChange
  /**
   * A call that changes nothing names here what its answer shows, so that a console reads it again after it has changed
   * one of these. What never changes, and what only devices change, says `[]`.
   */
  readonly shows?: readonly AuditEntity[]
  /**
   * The answer is a download or a stream. `row-stream`: a JSON array that is written row by row, however long it is.
   * `pdf`: a document instead of JSON.
   */
  readonly answersWith?: 'file' | 'pdf' | 'event-stream' | 'row-stream'
  /**
   * The call reads the cookie of a browser in which the owner of the body's `username` has signed in before; such a
   * browser has rate limits of its own. No other cookie is read, apart from the session cookie (`BIND_HEADER`).
   */
  readonly knowsBrowser?: boolean
  /** Answers the token of a new session, which a browser may ask to bind to a cookie (`BIND_HEADER`). */
  readonly beginsSession?: boolean
  /**
   * The call is refused with `step_up_required` unless its caller has proved within the last 15 minutes who they are
   * (`App/StepUp`). With `ofSeveral` that holds only from the third device on that the caller changes within 15
   * minutes, as the server counts; such a call names the device in `deviceId`, else in `id`. Calls of `DESCRIBED_CALLS`
   * never ask a plain client.
   */
  readonly stepUp?: 'always' | 'ofSeveral'
  /** The same proof is needed when a kept secret would go to another address, which is known only when it runs. */
  readonly stepUpToMoveSecret?: boolean
  /** It creates something once for all requests of a user with the same content and `IDEMPOTENCY_HEADER`. */
  readonly takesIdempotencyKey?: boolean
  /** A call that changes nothing answers a secret. It is never compressed, because its length would reveal it. */
  readonly givesSecret?: boolean
  /** Set where the longest body is longer than what other calls read. */
  readonly largestBodyBytes?: number
}

/**
 * The single calls of one bulk action share this UUID, so that the audit log shows them together (docs/decisions/0182).
 * It gives no right and takes none.
 */
export const BULK_HEADER = 'X-Wayside-Bulk'

/** Anybody may send this much: a name and a password of the greatest length. */
const PUBLIC_BODY_BYTES = 4 * 1024
const BODY_BYTES = 64 * 1024

/** The number of bytes that are read of a body from those who may make the call; a longer one is refused unread. */
export const bodyLimitBytes = ({ permission, largestBodyBytes }: Call) =>
  largestBodyBytes ?? (permission === 'public' ? PUBLIC_BODY_BYTES : BODY_BYTES)

/** A call without parameters, or without a body, has this for it. */
export const nothing = z.strictObject({})
type Nothing = typeof nothing

type WithDefaults = 'query' | 'body' | 'errors'

/** Describes a call. It takes no parameters and no body, and answers no errors of its own, unless it says so. */
export function call<Answer extends z.ZodType, Query extends z.ZodType = Nothing, Body extends z.ZodType = Nothing>(
  entry: Omit<Call<Query, Body, Answer>, WithDefaults> & Partial<Pick<Call<Query, Body, Answer>, WithDefaults>>,
): Call<Query, Body, Answer> {
  // Absent parameters and bodies have the type of `nothing`, which the compiler cannot conclude by itself.
  return { query: nothing as z.ZodType as Query, body: nothing as z.ZodType as Body, errors: [], ...entry }
}

export type QueryOf<C extends Call> = z.input<C['query']>
export type BodyOf<C extends Call> = z.input<C['body']>
/** What is asked: the body, and the query of a call without one. */
export type QuestionOf<C extends Call> = string extends keyof BodyOf<C> ? QueryOf<C> : BodyOf<C>
export type AnswerOf<C extends Call> = z.output<C['answer']>
export type ReadQueryOf<C extends Call> = z.output<C['query']>
export type ReadBodyOf<C extends Call> = z.output<C['body']>
