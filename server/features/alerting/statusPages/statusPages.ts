import { randomBytes } from 'node:crypto'
import {
  listStatusPages,
  rotateStatusAddress,
  type StatusPage,
  setStatusPage,
} from '#contract/http/alerting/statusPages.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { isSlug, LONGEST_SLUG } from '#domain/statusPages/pageRules.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { createJobRinger } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import { makePage, PageCache } from './PageCache.ts'
import { statusPagesToRead } from './publicPages.ts'
import { endedSubscriptionsJob, statusNewsJob } from './statusNews.store.ts'
import {
  endSubscriptions,
  isFree,
  type ListedPage,
  lockPage,
  type PageRow,
  readListedPages,
  type WrittenPage,
  writePage,
} from './statusPages.store.ts'
import { subscriptionPages } from './subscriptionPages.ts'

interface PageDeps extends Pick<Given, 'db' | 'addresses'> {
  readonly cache: PageCache
}

/** Manages the status page of each customer, and serves it to strangers. */
export function statusPagesFeature(given: Pick<Given, 'pool' | 'db' | 'clock' | 'addresses'>) {
  const { pool, db, clock, addresses } = given
  const cache = new PageCache((address) => makePage(given, address))
  const deps = { db, addresses, cache }
  return {
    routes: [
      route(listStatusPages, async ({ caller }) =>
        (await readListedPages(db, scopeOf(caller))).map((row) => toPage(row, addressOf(deps, row))),
      ),
      route(setStatusPage, ({ body, caller, change }) => {
        if (body.mode === 'public' && !isSlug(body.slug))
          throw new CallError(
            'invalid_request',
            `slug: must be 3 to ${LONGEST_SLUG} small letters, digits and dashes, as in "harbour".`,
          )
        return changePage(deps, body.customerId, { caller, change }, (before) => {
          const page = { ...before, ...body, tagKey: body.tag === '' ? '' : tagKey(body.tag) }
          return body.mode === 'secret' && before.mode !== 'secret' ? withNewSecret(page) : page
        })
      }),
      route(rotateStatusAddress, ({ body, caller, change }) =>
        changePage(deps, body.customerId, { caller, change }, (before) => {
          if (before.mode !== 'secret')
            throw new CallError('invalid_request', 'customerId: Only a secret page gets another address.')
          return withNewSecret(before)
        }),
      ),
    ],
    openPages: [
      ...statusPagesToRead(cache),
      ...subscriptionPages({ db, clock, onMail: createJobRinger(pool, MAILS_JOB) }),
    ],
    jobs: [statusNewsJob, clock.deleting(endedSubscriptionsJob)],
  }
}

async function changePage(
  deps: PageDeps,
  customerId: CustomerId,
  { caller, change }: { readonly caller: Caller; readonly change: ChangeRecord },
  changed: (before: PageRow) => PageRow,
): Promise<{ readonly address: string }> {
  change.about({ id: customerId })
  const page = await deps.db.transaction().execute(async (transaction) => {
    const before = await foundRow(lockPage(transaction, scopeOf(caller), customerId))
    const { customerName: name } = before
    change.about({ name })
    const page = changed(before)
    if (page.mode === 'public' && !(await isFree(transaction, customerId, page.slug)))
      throw new CallError('invalid_request', `slug: ${page.slug} is the address of another page.`)
    await writePage(transaction, page, caller.userId)
    const isNewSecret = page.secret !== before.secret
    if (isNewSecret) await endSubscriptions(transaction, customerId)
    const after = { ...auditedOf(page), ...(isNewSecret && { address: 'replaced' }) }
    await change.done(transaction, { id: customerId, name, customerId, before: auditedOf(before), after })
    return page
  })
  deps.cache.clear()
  return { address: addressOf(deps, page) }
}

const SECRET_BYTES = 32

/** Nobody who knows the old address learns the new secret. */
const withNewSecret = (page: PageRow): PageRow => ({
  ...page,
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
})

const addressOf = ({ addresses }: PageDeps, { mode, slug, secret }: PageRow): string =>
  mode === 'off' ? '' : `${addresses().httpUrl}/status/${mode === 'public' ? slug : secret}`

const auditedOf = (page: WrittenPage): WrittenPage => ({
  mode: page.mode,
  slug: page.slug,
  title: page.title,
  note: page.note,
  tag: page.tag,
  placePrefix: page.placePrefix,
  severityId: page.severityId,
  showsPlanned: page.showsPlanned,
  takesSubscribers: page.takesSubscribers,
})

const toPage = (row: ListedPage, address: string): StatusPage => ({
  ...auditedOf(row),
  customerId: row.customerId,
  customerName: row.customerName,
  address,
  deviceCount: row.deviceCount,
  subscriberCount: row.subscriberCount,
})
