import { domainToASCII } from 'node:url'
import { tidied } from '#domain/texts/nameRule.ts'

/** One message to one recipient. */
export interface Mail {
  /** With its angle brackets; the same for every try of the same message. */
  readonly messageId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Stands in the HTML as `cid:chart`. */
  readonly picture?: Buffer | undefined
  /** Where a POST ends what the mail belongs to (RFC 8058); absent: nothing does. */
  readonly unsubscribeUrl?: string
}

/** By which name the HTML of a mail shows its picture. */
export const PICTURE_ID = 'chart'

export interface Mailer {
  /**
   * @returns once the mail is accepted, or lies in the outbox: then with its file
   * @throws MailFailure
   */
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<{ readonly file?: string }>
}

/**
 * `server`: nothing goes to anybody at the moment, e.g. no connection. `later`: this message is not wanted yet.
 * `refused`: this message is not wanted at all.
 */
export type MailFailureKind = 'server' | 'later' | 'refused'

const LONGEST_REASON = 500

/** A mail that was not accepted, as far as we know. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly kind: MailFailureKind
  /** The connection broke so late that the server may have it all the same. */
  readonly mayHaveArrived: boolean

  constructor(kind: MailFailureKind, reason: string, { mayHaveArrived }: { readonly mayHaveArrived: boolean }) {
    super(inOneLine(reason).slice(0, LONGEST_REASON))
    this.kind = kind
    this.mayHaveArrived = mayHaveArrived
  }
}

// Line ends make headers, and direction marks show a text in another order than it is.
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** A text from outside that cannot pretend to be anything else than a text. */
export const inOneLine = (text: string): string => tidied(text.toWellFormed().replace(UNSAFE, ' '))

/** Exactly one address: neither a list of them nor a name with one. */
export const isMailAddress = (text: string): boolean =>
  /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u.test(text)

/** The same for every spelling of one mailbox: with capitals, or with a domain as its language or as mail servers write it. */
export function mailboxKey(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return (email.slice(0, -domain.length) + (domainToASCII(domain) || domain)).toLowerCase()
}
