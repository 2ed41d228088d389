import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Mailer } from './mailer.ts'
import { createOutboxMailer } from './outboxMailer.ts'
import { createSmtpMailer } from './smtpMailer.ts'

export interface MailSide {
  readonly mailer: Mailer
  /** The part after the @ of every Message-ID. */
  readonly idDomain: string
}

/** The way that the configuration gives mails. `consoleUrl` is where people reach the console. */
export function createMailSide(
  { smtpUrl, mailFrom, dataFolder }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataFolder'>,
  consoleUrl: string,
  log: Logger,
): MailSide {
  const from = mailFrom ?? `wayside@${mailHost(consoleUrl)}`
  const idDomain = from.slice(from.lastIndexOf('@') + 1)
  if (smtpUrl !== undefined) return { idDomain, mailer: createSmtpMailer({ url: smtpUrl, from }) }
  const folder = join(resolve(dataFolder), 'outbox')
  // A warning, because nobody is told of alerts this way.
  return { idDomain, mailer: createOutboxMailer({ folder, from, log: (details, text) => log.warn(details, text) }) }
}

/** A number is no domain of mails. */
function mailHost(consoleUrl: string): string {
  const { hostname } = new URL(consoleUrl)
  return /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname
}
