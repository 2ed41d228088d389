import { ERRORS } from '#contract/errors.ts'
import type { Mail, Mailer } from '#server/mail/sending/mailer.ts'
import { MailFailure } from '#server/mail/sending/mailer.ts'
import { escaped, mailButton, mailFacts, mailPage, mailTitle } from '#server/mail/sending/mailHtml.ts'
import { type CallOutside, type OutboundAnswer, OutboundFailure } from '#server/outbound/outbound.ts'
import type { ChannelWays, Delivery, Outcome } from './adapters/adapter.ts'
import { ADAPTERS } from './adapters/adapters.ts'
import { plainly } from './adapters/deliveryTexts.ts'
import { factsOf, headlineOf } from './adapters/messageTexts.ts'
import { awaitsRecipient, type ChannelRow, signingNow } from './channelRows.ts'

export interface MailWay {
  readonly mailer: Mailer
  readonly idDomain: string
}

export interface NotifierDeps {
  readonly callOutside: CallOutside
  readonly mailWay: () => MailWay
}

/** The result of a try, and the answer of the other side. */
export interface DeliveryResult {
  readonly outcome: Outcome
  /** Undefined when nobody answered, or when it was no HTTP. */
  readonly status: number | undefined
  readonly answer: string
}

const toBeTriedLater = (reason: string): DeliveryResult => ({
  outcome: { is: 'later', reason },
  status: undefined,
  answer: '',
})

const LONGEST_KEPT = 1024
const LONGEST_MAIL_TRY_MS = 20_000

/** Sends something by a channel, once. It never throws, and its outcome holds no secret. */
export type NotifyOutside = (channel: ChannelRow, delivery: Delivery, now: Date) => Promise<DeliveryResult>

export function createNotifier({ callOutside, mailWay }: NotifierDeps): NotifyOutside {
  async function byHttp(channel: ChannelRow, delivery: Delivery, now: Date): Promise<DeliveryResult> {
    if (channel.kind === 'mail') return byMail(mailWay(), channel, delivery)
    const { settings, secret, signing } = channel
    const ways: ChannelWays = { settings, secret, signing: signingNow(signing, now) }
    const adapter = ADAPTERS[channel.kind]
    let first: Outcome | undefined
    let last: OutboundAnswer | undefined
    for (const request of adapter.requests(ways, delivery, now)) {
      // Exceptions that operators allow beyond the internet are for channels of staff.
      last = await callOutside({ ...request, onlyInternet: channel.customer_id !== null })
      const outcome = adapter.read(last, delivery)
      if (outcome.is !== 'done') return resultOf(hidden(outcome, channel), last, channel)
      first ??= outcome
    }
    return resultOf(first ?? { is: 'done' }, last, channel)
  }

  return async (channel, delivery, now) => {
    if (awaitsRecipient(channel)) return toBeTriedLater('The address has not confirmed yet that it wants mails.')
    if (channel.isUnreadable) return toBeTriedLater(ERRORS.secret_key_missing.message)
    try {
      return await byHttp(channel, delivery, now)
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error
      // Our own refusals are tried later too: somebody may mend the address or the setting within the day.
      return toBeTriedLater(error.message)
    }
  }
}

function resultOf(outcome: Outcome, answer: OutboundAnswer | undefined, channel: ChannelRow): DeliveryResult {
  return {
    outcome,
    status: answer?.status,
    answer: withoutSecrets((answer?.text ?? '').slice(0, 2 * LONGEST_KEPT), channel).slice(0, LONGEST_KEPT),
  }
}

const hidden = (outcome: Outcome, channel: ChannelRow): Outcome =>
  'reason' in outcome ? { ...outcome, reason: withoutSecrets(outcome.reason, channel) } : outcome

/** The other side may repeat a secret that it was sent. The database cannot store NUL. */
function withoutSecrets(text: string, { secret, settings, signing }: ChannelRow): string {
  const basic = Buffer.from(`${settings.user}:${secret}`).toString('base64')
  const secrets = [secret, ...partsOf(secret), basic, ...signing.map(({ key }) => key)].filter((one) => one.length >= 4)
  return secrets.reduce((rest, one) => rest.replaceAll(one, '•••'), text.replaceAll('\u0000', '').toWellFormed())
}

/** Returns the secret parts of an address as the other side knows them; longer parts come before those within them. */
function partsOf(secret: string): readonly string[] {
  if (!URL.canParse(secret)) return []
  const { pathname, search } = new URL(secret)
  return [`${pathname}${search}`, pathname, ...`${pathname}${search}`.split(/[/?&=]/)]
}

async function byMail({ mailer, idDomain }: MailWay, channel: ChannelRow, delivery: Delivery): Promise<DeliveryResult> {
  const revision = 'revision' in delivery ? `.${delivery.revision}` : ''
  const mail = { messageId: `<channel.${delivery.key}${revision}@${idDomain}>`, ...mailOf(channel, delivery) }
  try {
    await mailer.send(mail, AbortSignal.timeout(LONGEST_MAIL_TRY_MS))
    return { outcome: { is: 'done' }, status: undefined, answer: '' }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    const is = error.kind === 'refused' ? 'refused' : 'later'
    return { outcome: { is, reason: error.message }, status: undefined, answer: '' }
  }
}

function mailOf({ settings, name }: ChannelRow, delivery: Delivery): Pick<Mail, 'to' | 'subject' | 'text' | 'html'> {
  const { title, text, link } = plainly(delivery)
  const why = `You get this because somebody set up the channel "${name}".`
  const body =
    'message' in delivery
      ? `${mailTitle(headlineOf(delivery.message))}${mailFacts(factsOf(delivery.message))}`
      : `${mailTitle(title)}${text
          .split('\n')
          .map((line) => `<p style="margin:0 0 4px">${escaped(line)}</p>`)
          .join('')}`
  const open = 'message' in delivery ? delivery.message.link : link
  const button =
    open === undefined ? '' : mailButton(open, 'message' in delivery ? 'Open the incident' : 'Open the list')
  return {
    to: settings.recipient,
    subject: title,
    text: [title, '', text, '', why].join('\n'),
    html: mailPage(body + button, why),
  }
}
