import { z } from 'zod'
import type { Permission } from '#domain/permissions/permissions.ts'
import type { ErrorCode } from '../errors.ts'

/** What a state-changing call does to what: the words of the audit log. */
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
] as const
export type AuditEntity = (typeof AUDIT_ENTITIES)[number]['name']
/** By which addresses and filters name what an entry is about. */
export const AUDIT_ENTITY_IDS = Object.fromEntries(AUDIT_ENTITIES.map(({ id, name }) => [name, id])) as Readonly<
  Record<AuditEntity, number>
>

/**
 * One call of the API, as plain data: the server makes a route of it, the console calls by it, the documentation and
 * the permission matrix are made from it.
 */
export interface Call<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST'
  /** Below `/api/`. */
  readonly path: string
  readonly summary: string
  readonly permission: Permission
  /**
   * Parameters of the address, as values (`z.number()`, not text): the server reads `"12"` as 12 where a number is
   * declared and refuses what is not exactly a number.
   */
  readonly query: Query
  readonly body: Body
  readonly answer: Answer
  /** Codes beyond those that every call can answer (bad request, not signed in, forbidden, server trouble). */
  readonly errors: readonly ErrorCode[]
  /**
   * Present exactly when the call changes state: every use leaves one audit row. A state-changing GET also answers
   * POST with the same names in address or body, and is guarded against links, embeds and prefetch.
   */
  readonly changes?: AuditedChange
  /**
   * Of a call that changes nothing: what its answer tells of. Whoever has changed one of these reads it again; what is
   * the same for ever, and what only devices change, says `[]`.
   */
  readonly shows?: readonly AuditEntity[]
  /** The answer is a download or a stream. `row-stream`: a JSON array that is written row by row, however long it is. */
  readonly answersWith?: 'file' | 'event-stream' | 'row-stream'
  /**
   * Reads the cookie of a browser in which the owner of the body's `username` has signed in before: it has limits of its
   * own then. Beside it only the half of a session that is bound to one is looked at (`BIND_HEADER`).
   */
  readonly knowsBrowser?: boolean
  /** Answers the token of a new session, which a browser may ask to bind to a cookie (`BIND_HEADER`). */
  readonly beginsSession?: boolean
  /**
   * Refused with `step_up_required` unless its caller has proved within the last 15 minutes who they are (`App/StepUp`).
   * `ofSeveral`: only from the third device on that they change within 15 minutes, as the server counts.
   * Such a call names the device in `deviceId`, else in `id`.
   * A plain client is never asked by a call of `DESCRIBED_CALLS`.
   */
  readonly stepUp?: 'always' | 'ofSeveral'
  /** The same proof where a kept secret would go to another address, which is known when it runs. */
  readonly stepUpToMoveSecret?: boolean
  /** Creates something once for all calls of a user with the same content and the same `IDEMPOTENCY_HEADER`. */
  readonly takesIdempotencyKey?: boolean
  /** A call that changes nothing and whose answer holds a secret: it goes out as it is, never compressed. */
  readonly givesSecret?: boolean
  /** Where its longest body is longer than what other calls read. */
  readonly largestBodyBytes?: number
}

/**
 * A UUID by which the single calls of one bulk action name it: the audit log tells them together (docs/decisions/0182).
 * It gives no right and takes none.
 */
export const BULK_HEADER = 'X-Wayside-Bulk'

/** What everybody may send: a name and a password of the greatest length. */
const PUBLIC_BODY_BYTES = 4 * 1024
const BODY_BYTES = 64 * 1024

/** How much of a body is read, of those who may make the call; a longer one is refused unread. */
export const bodyLimitBytes = ({ permission, largestBodyBytes }: Call) =>
  largestBodyBytes ?? (permission === 'public' ? PUBLIC_BODY_BYTES : BODY_BYTES)

export function call<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  entry: Call<Query, Body, Answer>,
): Call<Query, Body, Answer> {
  return entry
}

/** No parameters, or no body. */
export const nothing = z.strictObject({})

export type QueryOf<C extends Call> = z.input<C['query']>
export type BodyOf<C extends Call> = z.input<C['body']>
export type AnswerOf<C extends Call> = z.output<C['answer']>
/** What a handler receives after validation. */
export type ReadQueryOf<C extends Call> = z.output<C['query']>
export type ReadBodyOf<C extends Call> = z.output<C['body']>
