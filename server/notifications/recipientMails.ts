import type pg from 'pg'
import { inOneLine, type Mail } from '#server/mail/sending/mailer.ts'
import { confirmation } from '#server/mail/sending/mailHtml.ts'
import type { MailSource, MailSourceDeps } from '#server/mail/sending/mailSource.ts'
import { type ClaimedMail, IS_WAITING, mailTableSource } from '#server/mail/sending/mailTableSource.ts'

/** Links that ask the recipients of channels begin with this path. */
export const RECIPIENT_PATH = '/channel-mail'
const LONGEST_NAME = 100

interface Request {
  readonly to: string
  readonly channelName: string
  readonly customerName: string | null
  readonly token: string
}

/** Asks the address of a mail channel whether it wants mails. The channels queue them. */
export const recipientMailSource = ({ pool, idDomain, consoleUrl }: MailSourceDeps): MailSource =>
  mailTableSource('recipient_mail', {
    ...{ pool, idDomain },
    compose: async (mail) => {
      const asked = await readRequested(pool, mail)
      return asked && { to: asked.to, ...confirmMail(asked, consoleUrl) }
    },
  })

/** The channel must still use this address, which has not confirmed meanwhile. */
async function readRequested(pool: pg.Pool, { id }: ClaimedMail): Promise<Request | undefined> {
  const { rows } = await pool.query<Request>(
    `select m.email as to, m.token, c.name as "channelName", customer.name as "customerName"
     from recipient_mail m join channel c on c.id = m.channel_id and c.deleted_at is null
     left join customer on customer.id = c.customer_id
     where m.id = $1 and ${IS_WAITING} and c.recipient_confirmed_at is null and c.settings ->> 'recipient' = m.email`,
    [id],
  )
  return rows[0]
}

/** @param publicUrl from the configuration only */
function confirmMail(
  { channelName, customerName, token }: Request,
  publicUrl: string,
): Pick<Mail, 'subject' | 'text' | 'html'> {
  const link = `${publicUrl}${RECIPIENT_PATH}/${token}/confirm`
  const channel = inOneLine(channelName).slice(0, LONGEST_NAME)
  const subject = `Please confirm: notifications by "${channel}"`
  const whose = customerName === null ? '' : ` of ${inOneLine(customerName).slice(0, LONGEST_NAME)}`
  const asks = `Somebody set up the channel "${channel}"${whose} to send notifications of incidents to this address. If you want them, confirm it within a day.`
  const why = 'If you do not want them, you need not do anything: you get no notifications.'
  return { subject, ...confirmation(subject, asks, link, why) }
}
