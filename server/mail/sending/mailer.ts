import { domainToASCII } from 'node:url'
import { tidied } from '#domain/texts/nameRule.ts'

export interface Mail {
  /** The id has its angle brackets, and is the same for every try of a message. */
  readonly messageId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The HTML shows it as `cid:chart`. */
  readonly picture?: Buffer | undefined
  readonly attachment?: { readonly filename: string; readonly content: Buffer } | undefined
  /** A POST there ends the subscription (RFC 8058); absent for other mails. */
  readonly unsubscribeUrl?: string
}

/** The HTML of a mail shows its picture by this name. */
export const PICTURE_ID = 'chart'

export interface Mailer {
  /**
   * @returns once the mail is accepted, or lies in the outbox as a file
   * @throws MailFailure
   */
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<{ readonly file?: string }>
}

/**
 * `server` means that no mail goes out now, e.g. without a connection; `later` that this message is not accepted yet;
 * `refused` that it never is.
 */
export type MailFailureKind = 'server' | 'later' | 'refused'

const LONGEST_REASON = 500

/** The mail was not accepted, as far as we know. */
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

/** Makes a text from outside safe: it can be nothing else than text in one line. */
export const inOneLine = (text: string): string => tidied(text.toWellFormed().replace(UNSAFE, ' '))

/** Accepts exactly one address: neither a list of them nor a name with one. */
export const isMailAddress = (text: string): boolean =>
  /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u.test(text)

/** Returns one key for every spelling of a mailbox: with capitals, or with a domain in its language or encoded. */
export function mailboxKey(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return (email.slice(0, -domain.length) + (domainToASCII(domain) || domain)).toLowerCase()
}
