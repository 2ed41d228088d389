import { join, resolve } from 'node:path'
import type { Config } from '#server/settings/config.ts'
import type { Mailer } from './mailer.ts'
import { OutboxMailer } from './OutboxMailer.ts'
import { SmtpMailer } from './SmtpMailer.ts'

export interface MailDelivery {
  readonly mailer: Mailer
  readonly idDomain: string
}

/** Creates the delivery that the configuration asks for. `consoleUrl` is the console's address. */
export function createMailDelivery(
  { smtpUrl, mailFrom, dataFolder }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataFolder'>,
  consoleUrl: string,
): MailDelivery {
  const from = mailFrom ?? `wayside@${mailHost(consoleUrl)}`
  const idDomain = from.slice(from.lastIndexOf('@') + 1)
  if (smtpUrl !== undefined) return { idDomain, mailer: new SmtpMailer({ url: smtpUrl, from }) }
  return { idDomain, mailer: new OutboxMailer({ folder: outboxFolder(dataFolder), from }) }
}

/** Mails lie here while there is no mail server. */
export const outboxFolder = (dataFolder: string): string => join(resolve(dataFolder), 'outbox')

/** An IP address is no domain of mails. */
function mailHost(consoleUrl: string): string {
  const { hostname } = new URL(consoleUrl)
  return /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname
}
