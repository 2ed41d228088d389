import { SECRET_ADDRESS } from '#domain/statusPages/pageRules.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { OpenPage, OpenPageRequest } from '#server/http/pages/openPages.ts'
import { plainPage, refusedPage, shownText } from '#server/notifications/pageFrame.ts'
import { RECIPIENT_PATH } from '#server/notifications/recipientMails.ts'
import { confirmRecipient, findRequested, type RequestedRecipient } from './recipients.store.ts'

const NO_SUCH_LINK = plainPage(
  404,
  'This link does not work',
  '<p>It was already used, has expired, or the channel has another address now.</p>',
)

/** The page that confirms a mail channel's address needs a button, because mail scanners open every link. */
export function recipientPages({ db, clock }: Pick<Given, 'db' | 'clock'>): readonly OpenPage[] {
  const path = `${RECIPIENT_PATH}/:token/confirm`
  const asked = async ({ params }: OpenPageRequest): Promise<RequestedRecipient | undefined> => {
    const { token = '' } = params
    return SECRET_ADDRESS.test(token) ? findRequested(db, token, clock.now()) : undefined
  }
  return [
    {
      path,
      name: 'Channel recipient',
      refused: refusedPage,
      run: async (request) => {
        const found = await asked(request)
        if (!found) return NO_SUCH_LINK
        return found.isConfirmed ? confirmed(found) : oneButton(found)
      },
    },
    {
      path,
      name: 'Channel recipient confirm',
      changes: { action: 'Update', entity: 'Channel' },
      refused: (refusal) => (refusal.code === 'link_not_valid' ? NO_SUCH_LINK : refusedPage(refusal)),
      run: async (request) => {
        const found = await asked(request)
        if (!found) throw new CallError('link_not_valid')
        await confirmRecipient(db, found, request.change, clock.now())
        return confirmed(found)
      },
    },
  ]
}

const oneButton = ({ channelName }: RequestedRecipient) =>
  plainPage(
    200,
    'Notifications by e-mail',
    `<p>Do you want notifications of incidents by the channel ${shownText(channelName)}?</p><form method="post"><button type="submit">Confirm</button></form>`,
  )

const confirmed = ({ channelName }: RequestedRecipient) =>
  plainPage(200, 'You get notifications', `<p>The channel ${shownText(channelName)} sends them to your address.</p>`)
