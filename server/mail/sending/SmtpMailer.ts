import { isMailAddress, type Mail, type Mailer, MailFailure } from './mailer.ts'
import { mimeOf } from './mime.ts'

/** A server that takes longer is as good as dead; the caller limits the whole try. */
const TIMEOUTS = { connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 12_000, dnsTimeout: 8_000 }
const SERVICE_NOT_AVAILABLE = 421
/** These errors come before any mail is handed over. */
const BEFORE_THE_MAIL = ['EDNS', 'ETLS', 'EREQUIRETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'ECONFIG', 'EPROXY', 'EENVELOPE']
const NO_CONNECTION = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']
const LOCAL_HOSTS = ['127.0.0.1', '[::1]', 'localhost']

export interface SmtpMailerDeps {
  /** An address like `smtp://user:password@host:port`; `smtps` begins with TLS. */
  readonly url: string
  readonly from: string
}

/** Sends by a mail server with a connection for each mail, so that each failure belongs to one mail. */
export class SmtpMailer implements Mailer {
  readonly #deps: SmtpMailerDeps
  #transport: ReturnType<typeof openTransport> | undefined

  constructor(deps: SmtpMailerDeps) {
    this.#deps = deps
  }

  async send(mail: Mail, signal: AbortSignal): Promise<Record<string, never>> {
    if (!isMailAddress(mail.to)) {
      throw new MailFailure('refused', 'The recipient has no valid e-mail address.', { mayHaveArrived: false })
    }
    const { url, from } = this.#deps
    this.#transport ??= openTransport(url)
    try {
      await (await this.#transport).sendMail({ ...mimeOf(mail, from), signal })
      return {}
    } catch (error) {
      throw failureOf(error as SmtpError)
    }
  }
}

/** Loads the library late: most servers send nothing most of the time, and it takes 7 MB. */
async function openTransport(url: string) {
  const { password, hostname, searchParams } = new URL(url)
  // A password must not travel in plain text, unless somebody has allowed it in the address.
  const requireTLS = password !== '' && !LOCAL_HOSTS.includes(hostname) && !searchParams.has('requireTLS')
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, ...TIMEOUTS, ...(requireTLS && { requireTLS }) })
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly permanent?: boolean
  readonly originalCode?: string
  readonly timeoutType?: string
}

function failureOf(error: SmtpError): MailFailure {
  const { code = '', command = '', responseCode, permanent } = error
  const isAboutTheMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM'
  if (isAboutTheMail && responseCode !== SERVICE_NOT_AVAILABLE) {
    // Our library rejected the address when the server gave no answer.
    const isFinal = responseCode === undefined || permanent === true
    return new MailFailure(isFinal ? 'refused' : 'later', error.message, { mayHaveArrived: false })
  }
  const wasAnswered = responseCode !== undefined
  const neverBegan =
    BEFORE_THE_MAIL.includes(code) ||
    NO_CONNECTION.includes(error.timeoutType ?? '') ||
    error.originalCode === 'ECONNREFUSED'
  return new MailFailure('server', error.message, { mayHaveArrived: !wasAnswered && !neverBegan })
}
