import type pg from 'pg'
import type { Mail, MailFailure } from './mailer.ts'

/** A message that this queue alone is to send now. */
export interface DueMail {
  /** The same for every try. */
  readonly messageId: string
  /** What it says, as things are now; undefined: there is nothing to send after all, and its rows have ended. */
  readonly compose: (now: Date) => Promise<Omit<Mail, 'messageId'> | undefined>
  readonly noteSent: (now: Date, file: string | undefined) => Promise<void>
  readonly noteFailed: (now: Date, failure: MailFailure) => Promise<void>
}

/** A kind of mail with rows of its own, which one queue sends beside the others. */
export interface MailSource {
  /** Makes messages of what was asked for, in the queue's transaction, which no other queue runs beside. */
  readonly prepare: (connection: pg.ClientBase, now: Date) => Promise<void>
  /** Takes messages that are due, oldest first, in the same transaction. */
  readonly claim: (connection: pg.ClientBase, now: Date, atMost: number) => Promise<readonly DueMail[]>
  /** When the next of those that wait may be sent, as far as it alone is concerned. */
  readonly nextDueAt: () => Promise<Date | undefined>
  /** The server takes mails again: what failed for its sake need not wait any longer. */
  readonly wake: (now: Date) => Promise<void>
}

/** Longer than any try may take: then whoever began it is dead. */
export const CLAIMED_FOR_MS = 120_000
