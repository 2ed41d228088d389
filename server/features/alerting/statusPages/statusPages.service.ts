import type { ReadBodyOf } from '#contract/call/call.ts'
import type { StatusPage, setStatusPage } from '#contract/http/alerting/statusPages.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { isSlug, LONGEST_SLUG } from '#domain/statusPages/pageRules.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { ListedPage, PageRow, StatusPageStore, WrittenPage } from './statusPages.store.ts'

type Request = ReadBodyOf<typeof setStatusPage>

export interface StatusPagesDeps {
  readonly store: StatusPageStore
  readonly publicUrl: () => string
  /** Is called after the commit, because cached pages are outdated then. */
  readonly onChanged: () => void
}

export type StatusPages = ReturnType<typeof createStatusPages>

export function createStatusPages({ store, publicUrl, onChanged }: StatusPagesDeps) {
  const addressOf = ({ mode, slug, secret }: Pick<PageRow, 'mode' | 'slug' | 'secret'>): string =>
    mode === 'off' ? '' : `${publicUrl()}/status/${mode === 'public' ? slug : secret}`

  /** Makes a new secret, which nobody who knows the old address learns. */
  const secretly = (page: PageRow): PageRow => ({ ...page, secret: store.newSecret() })

  const changing = async (
    customerId: CustomerId,
    { caller, change }: { readonly caller: Caller; readonly change: ChangeRecord },
    changed: (before: PageRow) => PageRow,
  ) => {
    change.about({ id: customerId })
    const answer = await store.transaction(async (statements, tx) => {
      const before = await store.lock(statements, scopeOf(caller), customerId)
      if (!before) throw notFound()
      change.about({ name: before.customerName })
      const page = changed(before)
      if (page.mode === 'public' && !(await store.isFree(statements, customerId, page.slug)))
        throw new CallError('invalid_request', `slug: ${page.slug} is the address of another page.`)
      await store.write(statements, page, caller.userId)
      const isNewSecret = page.secret !== before.secret
      if (isNewSecret) await store.endSubscriptions(statements, customerId)
      await change.done(tx, {
        id: customerId,
        name: before.customerName,
        customerId,
        before: auditedOf(before),
        after: { ...auditedOf(page), ...(isNewSecret && { address: 'replaced' }) },
      })
      return { address: addressOf(page) }
    })
    onChanged()
    return answer
  }

  return {
    list: async (caller: Caller): Promise<StatusPage[]> =>
      (await store.list(store.statements, scopeOf(caller))).map((row) => toPage(row, addressOf(row))),

    set: (asked: Request, caller: Caller, change: ChangeRecord) => {
      if (asked.mode === 'public' && !isSlug(asked.slug))
        throw new CallError(
          'invalid_request',
          `slug: must be 3 to ${LONGEST_SLUG} small letters, digits and dashes, as in "harbour".`,
        )
      return changing(asked.customerId, { caller, change }, (before) => {
        const page = { ...before, ...asked, tagKey: asked.tag === '' ? '' : tagKey(asked.tag) }
        return asked.mode === 'secret' && before.mode !== 'secret' ? secretly(page) : page
      })
    },

    rotate: (customerId: CustomerId, caller: Caller, change: ChangeRecord) =>
      changing(customerId, { caller, change }, (before) => {
        if (before.mode !== 'secret')
          throw new CallError('invalid_request', 'customerId: Only a secret page gets another address.')
        return secretly(before)
      }),
  }
}

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
