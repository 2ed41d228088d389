import type pg from 'pg'
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

/** No try may take longer, so whoever made an older claim is dead. */
export const CLAIMED_FOR_MS = 120_000
