import { monthText, numberText, percentText } from '#domain/statement/statementText.ts'
import type { Given } from '#server/features/feature.ts'
import { insertAuditRow } from '#server/http/call/audit.store.ts'
import { inOneLine, type Mail } from '#server/mail/sending/mailer.ts'
import { confirmation, escaped, mailButton, mailFacts, mailPage, mailTitle } from '#server/mail/sending/mailHtml.ts'
import type { MailSource, MailSourceDeps } from '#server/mail/sending/mailSource.ts'
import { mailTableSource } from '#server/mail/sending/mailTableSource.ts'
import { readStatementMail, type StatementMailRow } from './mailings.store.ts'

/** Links of recipients begin with this path. */
export const STATEMENT_MAIL_PATH = '/statement-mail'

const LONGEST_SUBJECT = 180
const SENT = { action: 'Send', entity: 'Light statement' } as const

/** Makes the mails with statements, and the links that ask addresses whether they want them. */
export const statementMailSource =
  ({ db }: Pick<Given, 'db'>) =>
  ({ pool, idDomain, consoleUrl }: MailSourceDeps): MailSource =>
    mailTableSource('statement_mail', {
      ...{ pool, idDomain },
      compose: async ({ id }) => {
        const row = await readStatementMail(db, id)
        return row && { to: row.to, ...statementMail(row, consoleUrl) }
      },
      onSent: async ({ id }) => {
        const { rows } = await pool.query<{
          customerId: StatementMailRow['customerId']
          number: number
          email: string
          statementId: number
        }>(
          `select s.customer_id as "customerId", s.number, s.id as "statementId", r.email from statement_mail m
           join light_statement s on s.id = m.statement_id join statement_recipient r on r.id = m.recipient_id
           where m.id = $1`,
          [id],
        )
        const [sent] = rows
        if (sent === undefined) return
        const { customerId, number, email, statementId } = sent
        const thing = { id: statementId, name: numberText(customerId, number), customerId, details: `To ${email}` }
        const author = { username: 'Wayside', address: '' }
        await insertAuditRow(db, { change: SENT, call: 'statement mails', outcome: 'done', author, thing })
      },
    })

/** @param publicUrl from the configuration only */
function statementMail(row: StatementMailRow, publicUrl: string): Omit<Mail, 'messageId' | 'to'> {
  const { customerName, customerId, token, number, month, pdf } = row
  if (number === null || month === null || pdf === null) return confirmMail(row, publicUrl)
  const name = numberText(customerId, number)
  const subject = shortened(`Light statement ${name}: ${customerName}, ${monthText(month)}`)
  const facts = [
    ['Customer', inOneLine(customerName)],
    ['Month', monthText(month)],
    ['Devices', inOneLine(row.subject ?? '')],
    ['Availability', row.availabilityHundredths === null ? '–' : percentText(row.availabilityHundredths)],
  ] as const
  const link = `${publicUrl}/light-statements?customerId=${customerId}&month=${month}&shown=${row.statementId}`
  const unsubscribeUrl = `${publicUrl}${STATEMENT_MAIL_PATH}/${token}/unsubscribe`
  const why = 'You get this because you confirmed that you want light statements by e-mail.'
  return {
    ...{ subject, unsubscribeUrl },
    attachment: { filename: `Light statement ${name} ${month}.pdf`, content: pdf },
    text: [
      ...[subject, '', ...facts.map(([fact, value]) => `${fact}: ${value}`), '', link, '', '-- ', why],
      ...[`Unsubscribe: ${unsubscribeUrl}`, ''],
    ].join('\n'),
    html: mailPage(
      `${mailTitle(subject)}${mailFacts(facts)}${mailButton(link, 'Open the statement')}` +
        `<p style="margin:18px 0 0;font-size:12px"><a href="${escaped(unsubscribeUrl)}">Unsubscribe</a></p>`,
      why,
    ),
  }
}

function confirmMail({ customerName, token }: StatementMailRow, publicUrl: string) {
  const link = `${publicUrl}${STATEMENT_MAIL_PATH}/${token}/confirm`
  const subject = shortened(`Please confirm: light statements of ${customerName}`)
  const asks = `Somebody named this address for the monthly light statements of ${inOneLine(customerName)}. If you want them, confirm it within a week.`
  return { subject, ...confirmation(subject, asks, link, 'Without it you get no further mail.') }
}

function shortened(text: string): string {
  const line = inOneLine(text)
  return line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : line
}
