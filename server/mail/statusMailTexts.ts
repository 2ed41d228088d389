import { inOneLine, type Mail } from '#server/mail/sending/mailer.ts'
import { confirmation, escaped, mailButton, mailFacts, mailPage, mailTitle } from '#server/mail/sending/mailHtml.ts'
import { localTime } from '#server/mail/sending/mailTime.ts'

export interface StatusNews {
  readonly to: string
  readonly pageTitle: string
  /** Null stands for the link that confirms. */
  readonly kind: 'opened' | 'over' | 'planned' | null
  readonly title: string
  readonly fromAt: Date | null
  readonly toAt: Date | null
  readonly timeZone: string
  readonly token: string
  /** The present path of the page. */
  readonly path: string
}

const LONGEST_SUBJECT = 180

/** Links of subscribers of status pages begin with this path. */
export const SUBSCRIPTION_PATH = '/status-mail'

const subjectOf = (text: string) => {
  const line = inOneLine(text)
  return line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : line
}

/** @param publicUrl from the configuration only */
export const statusMail = (
  news: StatusNews,
  publicUrl: string,
): Pick<Mail, 'subject' | 'text' | 'html' | 'unsubscribeUrl'> =>
  news.kind === null ? confirmMail(news, publicUrl) : newsMail(news, publicUrl)

function confirmMail({ pageTitle, token }: StatusNews, publicUrl: string): Pick<Mail, 'subject' | 'text' | 'html'> {
  const link = `${publicUrl}${SUBSCRIPTION_PATH}/${token}/confirm`
  const subject = subjectOf(`Please confirm: ${pageTitle}`)
  const asks = `Somebody subscribed to the status page "${inOneLine(pageTitle)}" at this address. If it was you, confirm it within an hour.`
  const why = 'If it was not you, you need not do anything: you get no further mail.'
  return { subject, ...confirmation(subject, asks, link, why) }
}

const PREFIX = { opened: '', over: 'Resolved: ', planned: 'Planned work: ' } as const

function newsMail(news: StatusNews, publicUrl: string) {
  const { kind, title, fromAt, toAt, timeZone, pageTitle, token, path } = news
  const line = subjectOf(`${PREFIX[kind ?? 'opened']}${title}`)
  const facts = (
    [
      ['Page', pageTitle],
      [kind === 'planned' ? 'From' : 'Since', fromAt && localTime(fromAt, timeZone)],
      [kind === 'planned' ? 'Until' : 'Resolved', toAt && localTime(toAt, timeZone)],
    ] as const
  ).flatMap(([name, value]) => (value ? [[name, inOneLine(value)] as const] : []))
  const link = `${publicUrl}${path}`
  const unsubscribeUrl = `${publicUrl}${SUBSCRIPTION_PATH}/${token}/unsubscribe`
  const why = 'You get this because you asked for mails of this status page.'
  return {
    subject: line,
    unsubscribeUrl,
    text: [
      line,
      '',
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      link,
      '',
      '-- ',
      why,
      `Unsubscribe: ${unsubscribeUrl}`,
      '',
    ].join('\n'),
    html: mailPage(
      `${mailTitle(line)}${mailFacts(facts)}${mailButton(link, 'Open the page')}` +
        `<p style="margin:18px 0 0;font-size:12px"><a href="${escaped(unsubscribeUrl)}">Unsubscribe</a></p>`,
      why,
    ),
  }
}
