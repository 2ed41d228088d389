import { isPageAddress, SECRET_ADDRESS } from '#domain/statusPages/pageRules.ts'
import { EMAIL_ADDRESS } from '#domain/validation/emailAddress.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { OpenPage, OpenPageAnswer, OpenPageRequest } from '#server/http/pages/openPages.ts'
import { SUBSCRIPTION_PATH } from '#server/mail/statusMailTexts.ts'
import { NO_SUCH_PAGE, plainPage, refusedPage, shownText } from '#server/notifications/pageFrame.ts'
import { findPage } from './pageReading.store.ts'
import {
  askForMails,
  confirmSubscriber,
  type FoundSubscriber,
  findSubscriber,
  removeSubscriber,
} from './subscribers.store.ts'

export interface SubscriptionDeps extends Pick<Given, 'db' | 'clock'> {
  /** Is called after the commit, because a mail waits then. */
  readonly onMail: () => void
}

const LONGEST_ADDRESS = 254
const CHANGES = { action: 'Update', entity: 'Status page' } as const

const NO_SUCH_LINK = plainPage(
  404,
  'This link does not work',
  '<p>It was already used or has expired. To unsubscribe from a status page, use the link in the last line of its e-mails.</p>',
)

const BUTTONS = { confirm: 'Confirm', unsubscribe: 'Unsubscribe' } as const
type ActionId = keyof typeof BUTTONS

/** Serves the mails of a status page: people ask for them, confirm by one link and end them by another. */
export function subscriptionPages(deps: SubscriptionDeps): readonly OpenPage[] {
  const { db, clock } = deps
  const subscriberOf = async ({ params }: OpenPageRequest): Promise<FoundSubscriber | undefined> => {
    const { token = '' } = params
    return SECRET_ADDRESS.test(token) ? findSubscriber(db, token, clock.now()) : undefined
  }

  /** Answers a page with one button that changes nothing, because mail scanners open every link. */
  const asking = (action: ActionId): OpenPage => ({
    path: `${SUBSCRIPTION_PATH}/:token/${action}`,
    name: `Status page ${action}`,
    refused: refusedPage,
    run: async (request) => {
      const found = await subscriberOf(request)
      return found ? oneButton(action, found) : NO_SUCH_LINK
    },
  })

  /** Acts on the button. Mail programs send the same request when somebody unsubscribes there (RFC 8058). */
  const doing = (action: ActionId): OpenPage => ({
    path: `${SUBSCRIPTION_PATH}/:token/${action}`,
    name: `Status page ${action}`,
    changes: CHANGES,
    refused: (refusal) => (refusal.code === 'link_not_valid' ? NO_SUCH_LINK : refusedPage(refusal)),
    run: async (request) => {
      const found = await subscriberOf(request)
      if (!found) throw new CallError('link_not_valid')
      const about = shownText(found.pageTitle)
      if (action === 'confirm') {
        await confirmSubscriber(db, found, request.change, clock.now())
        return plainPage(200, 'You get mails', `<p>You now receive e-mails about ${about}.</p>`)
      }
      await removeSubscriber(db, found, request.change)
      return plainPage(200, 'You are unsubscribed', `<p>Nothing of your address is kept for ${about}.</p>`)
    },
  })

  return [
    {
      path: '/status/:address/subscribe',
      name: 'Status page subscribe',
      changes: CHANGES,
      asksForMail: true,
      refused: (refusal) => (refusal.code === 'not_found' ? NO_SUCH_PAGE : refusedPage(refusal)),
      run: subscribing(deps),
    },
    ...(['confirm', 'unsubscribe'] as const).flatMap((action) => [asking(action), doing(action)]),
  ]
}

/** Answers everybody the same, whether or not they receive mails already. */
const subscribing =
  ({ db, clock, onMail }: SubscriptionDeps): OpenPage['run'] =>
  async ({ params, headers, body, change }) => {
    const { address = '' } = params
    const page = isPageAddress(address) ? await findPage(db, address) : undefined
    if (!page?.takesSubscribers) throw notFound()
    if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
      throw new CallError('unsupported_media_type')
    const email = (new URLSearchParams(body.toString('utf8')).get('email') ?? '').trim()
    if (!EMAIL_ADDRESS.test(email) || email.length > LONGEST_ADDRESS)
      throw new CallError('invalid_request', 'email: must be one e-mail address.')
    const { customerId, customerName } = page
    await askForMails(db, { customerId, customerName, email, now: clock.now() }, change)
    onMail()
    return plainPage(
      200,
      'Please look into your mail',
      `<p>If ${shownText(email)} gets no mails of this page yet, a link is on its way there. It confirms that you want them, and works for an hour. An address gets one such link a day.</p><p><a href="/status/${shownText(address)}">Back to the page</a></p>`,
    )
  }

function oneButton(action: ActionId, { pageTitle, isConfirmed }: FoundSubscriber): OpenPageAnswer {
  const about = shownText(pageTitle)
  if (action === 'confirm' && isConfirmed)
    return plainPage(200, 'You get mails', `<p>You receive e-mails about ${about}.</p>`)
  const asks =
    action === 'confirm'
      ? `Do you want to receive e-mails about ${about}?`
      : `Do you want to stop receiving e-mails about ${about}?`
  return plainPage(
    200,
    'Mails of a status page',
    `<p>${asks}</p><form method="post"><button type="submit">${BUTTONS[action]}</button></form>`,
  )
}
