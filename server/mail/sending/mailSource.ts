import type pg from 'pg'
import { GIVEN_UP_AFTER_MS, GIVEN_UP_AFTER_REFUSALS, retryAfterMs } from '#domain/notifications/mailRules.ts'
import type { Mail, MailFailure } from './mailer.ts'

/** A message that only this queue may send now. */
export interface DueMail {
  readonly messageId: string
  /** Writes the mail as things are now; undefined when there is nothing to send, and its rows have ended. */
  readonly compose: (now: Date) => Promise<Omit<Mail, 'messageId'> | undefined>
  readonly noteSent: (now: Date, file: string | undefined) => Promise<void>
  readonly noteFailed: (now: Date, failure: MailFailure) => Promise<void>
}

/** A kind of mail with rows of its own, which one queue sends beside the others. */
export interface MailSource {
  /** Makes messages of requests, in the queue's transaction, beside no other queue. */
  readonly prepare: (connection: pg.ClientBase, now: Date) => Promise<void>
  /** Takes due messages, oldest first, in the same transaction. */
  readonly claim: (connection: pg.ClientBase, now: Date, atMost: number) => Promise<readonly DueMail[]>
  /** Returns when the next waiting message may be sent, as far as this source knows. */
  readonly nextDueAt: () => Promise<Date | undefined>
  /** The server accepts mails again, so what failed because of it need not wait any longer. */
  readonly wake: (now: Date) => Promise<void>
}

export interface MailSourceDeps {
  readonly pool: pg.Pool
  /** The part after the @ of every Message-ID. */
  readonly idDomain: string
  readonly consoleUrl: string
}

/** No try may take longer, so whoever made an older claim is dead. */
export const CLAIMED_FOR_MS = 120_000

/** Returns what a row keeps of a failed try: when to try again, or that it is no use. */
export function fateOfFailed(
  { tries, refusals, queued_at }: { readonly tries: number; readonly refusals: number; readonly queued_at: Date },
  { kind, message, mayHaveArrived }: MailFailure,
  now: Date,
) {
  const allRefusals = refusals + (kind === 'refused' ? 1 : 0)
  const isOver = allRefusals >= GIVEN_UP_AFTER_REFUSALS || now.getTime() - queued_at.getTime() > GIVEN_UP_AFTER_MS
  const nextTryAt = new Date(now.getTime() + retryAfterMs(tries))
  return [nextTryAt, allRefusals, message, kind === 'server', mayHaveArrived, isOver ? now : null]
}
