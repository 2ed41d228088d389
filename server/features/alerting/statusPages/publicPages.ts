import { isPageAddress } from '#domain/statusPages/pageRules.ts'
import type { OpenPage, OpenPageAnswer, OpenPageRequest } from '#server/http/pages/openPages.ts'
import { NO_SUCH_PAGE, refusedPage } from '#server/notifications/pageFrame.ts'
import { PAGE_POLICY } from '#server/notifications/pageStyle.ts'
import type { MadePage, PageCache } from './PageCache.ts'

/** A public page is held no longer than a browser would hold it anyway; a secret one must not stay in shared caches. */
const CACHED = { public: 'public, max-age=10', secret: 'private, no-cache' } as const

export function statusPagesToRead(cache: PageCache): readonly OpenPage[] {
  const found = async ({ params }: OpenPageRequest): Promise<MadePage | undefined> => {
    const { address = '' } = params
    return isPageAddress(address) ? cache.find(address) : undefined
  }
  return [
    {
      path: '/status/:address',
      name: 'Status page',
      refused: refusedPage,
      run: async (request) => {
        const made = await found(request)
        if (!made) return NO_SUCH_PAGE
        return { status: 200, headers: headersOf(made, 'text/html; charset=utf-8'), body: made.html }
      },
    },
    {
      path: '/status/:address/feed.atom',
      name: 'Status feed',
      refused: refusedPage,
      run: async (request) => {
        const made = await found(request)
        return made ? feedAnswer(made, request) : NO_SUCH_PAGE
      },
    },
  ]
}

const headersOf = ({ page: { mode } }: MadePage, type: string): Record<string, string> => ({
  'content-type': type,
  'content-security-policy': PAGE_POLICY,
  'cache-control': CACHED[mode],
  ...(mode === 'secret' && { 'x-robots-tag': 'noindex, nofollow' }),
})

function feedAnswer(made: MadePage, { headers }: OpenPageRequest): OpenPageAnswer {
  const { xml, etag, lastModified } = made.feed
  const own = {
    ...headersOf(made, 'application/atom+xml; charset=utf-8'),
    etag,
    'last-modified': lastModified,
  }
  const asked = headers['if-none-match']
  const since = headers['if-modified-since']
  const isKnown =
    asked !== undefined
      ? asked === '*' || asked.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
      : since !== undefined && Date.parse(since) >= Date.parse(lastModified)
  return isKnown ? { status: 304, headers: own, body: '' } : { status: 200, headers: own, body: xml }
}
