import { SECRET_ADDRESS } from '#domain/statusPages/pageRules.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { OpenPage, OpenPageRequest } from '#server/http/pages/openPages.ts'
import { plainPage, refusedPage, shownText } from '#server/notifications/pageFrame.ts'
import { confirmRecipient, type FoundRecipient, findRecipient, removeRecipient } from './mailings.store.ts'
import { STATEMENT_MAIL_PATH } from './statementMails.ts'

const NO_SUCH_LINK = plainPage(404, 'This link does not work', '<p>It was already used, or has expired.</p>')

/** The pages need a button, because mail scanners open every link. */
export function mailingPages({ db, clock }: Pick<Given, 'db' | 'clock'>): readonly OpenPage[] {
  const recipientOf = async ({ params: { token = '' } }: OpenPageRequest) =>
    SECRET_ADDRESS.test(token) ? findRecipient(db, token, clock.now()) : undefined
  return (['confirm', 'unsubscribe'] as const).flatMap((action): readonly OpenPage[] => {
    const page = { path: `${STATEMENT_MAIL_PATH}/:token/${action}`, name: `Light statements ${action}` }
    const done = { confirm: confirmed, unsubscribe: unsubscribed }[action]
    return [
      {
        ...{ ...page, refused: refusedPage },
        run: async (request) => {
          const found = await recipientOf(request)
          if (!found) return NO_SUCH_LINK
          return action === 'confirm' && found.isConfirmed ? confirmed(found) : oneButton(action, found)
        },
      },
      {
        ...{ ...page, changes: { action: 'Update', entity: 'Light statement' } },
        refused: (refusal) => (refusal.code === 'link_not_valid' ? NO_SUCH_LINK : refusedPage(refusal)),
        run: async (request) => {
          const found = await recipientOf(request)
          if (!found) throw new CallError('link_not_valid')
          const { id, customerId, customerName: name } = found
          await db.transaction().execute(async (transaction) => {
            if (action === 'confirm') await confirmRecipient(transaction, id, clock.now())
            else await removeRecipient(transaction, id)
            // The address stays out of it: readers of the log need not know who gets mails.
            const details = `Somebody ${action === 'confirm' ? 'confirmed that they want' : 'wants no more'} mails.`
            await request.change.done(transaction, { id: customerId, name, customerId, details })
          })
          return done(found)
        },
      },
    ]
  })
}

const oneButton = (action: 'confirm' | 'unsubscribe', { customerName }: FoundRecipient) =>
  plainPage(
    200,
    'Light statements by e-mail',
    `<p>Do you want ${action === 'confirm' ? 'to receive' : 'no more'} light statements of ${shownText(customerName)}?</p><form method="post"><button type="submit">${action === 'confirm' ? 'Confirm' : 'Unsubscribe'}</button></form>`,
  )

const confirmed = ({ customerName }: FoundRecipient) =>
  plainPage(200, 'You get light statements', `<p>Those of ${shownText(customerName)} come every month.</p>`)

const unsubscribed = ({ customerName }: FoundRecipient) =>
  plainPage(200, 'You are unsubscribed', `<p>Nothing of your address is kept for ${shownText(customerName)}.</p>`)
